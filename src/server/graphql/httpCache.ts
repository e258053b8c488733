// Queries by GET with trusted documents: their answers may be kept by the client's own cache. Cache-Control gives them the time that
// is left of the cached responses of the service (UPSTREAM_CACHE_MS). With If-None-Match a client asks whether its answer is still
// the right one. While nothing has changed of which the answer was made, the gateway knows without running the query.
import type { IncomingMessage } from "node:http";
import type { ExecutionResult } from "graphql";
import type { Viewer } from "../../auth/scopes.ts";
import { createAnswerSources, freshnessOf } from "../../graphql/answerSources.ts";
import type { Operation, OperationResult } from "../../graphql/operation.ts";
import { canonicalJson } from "../../util/canonicalJson.ts";
import { earliestEnd, type ChangingSource } from "../../util/freshness.ts";
import type { Signer } from "../../util/hmac.ts";
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";
import { headerList, type ResponseHeaders } from "../securityHeaders.ts";
import type { ServerObserver } from "../serverObserver.ts";
import type { MediaType } from "./accept.ts";
import type { Exchange } from "./exchange.ts";
import type { KnownAnswers } from "./knownAnswers.ts";

/** What the route needs to make answers cacheable. */
export interface AnswerCaching {
  knownAnswers: KnownAnswers;
  /** The newest events of calls. */
  events: Pick<ChangingSource, "freshness">;
  /** Makes digests that reveal nothing of the answer. Gateways of one database make the same ones. */
  signer: Pick<Signer, "digest">;
}

/** `mediaType`: of the answer. `write` writes it; the headers of `exchange` say that it is not stored. */
export type AnswerCached = (
  query: Operation,
  mediaType: MediaType,
  exchange: Exchange,
  write: (result: OperationResult, exchange: Exchange) => MaybePromise<void>,
) => MaybePromise<void>;

/** The headers of the request that decide about the answer and its headers. */
const VARY = "Accept, Authorization, Cookie, Origin";
export const NOT_STORED: ResponseHeaders = { "cache-control": "no-store" };

export function createAnswerCached(
  { knownAnswers, events, signer }: AnswerCaching,
  observer: Pick<ServerObserver, "queryUnchanged">,
): AnswerCached {
  /** The address holds the document and its variables. Everything about the viewer counts, so that no answer outlives a right. */
  function requestDigest(request: IncomingMessage, viewer: Viewer | null, mediaType: MediaType): string {
    const asker = canonicalJson(viewer && { ...viewer, scopes: [...viewer.scopes] });
    return signer.digest("question", JSON.stringify([asker, mediaType, request.url]));
  }
  /** Weak, because the costs in `extensions` differ between answers that are otherwise the same. */
  function etagOf({ data }: ExecutionResult, mediaType: MediaType): string {
    return `W/"${signer.digest("answer", `${mediaType} ${JSON.stringify(data)}`)}"`;
  }

  return (query, mediaType, exchange, write) => {
    const { request, response, headers, grant, clientSignal } = exchange;
    const validator = request.headers["if-none-match"];
    const sendNotModified = (cacheHeaders: ResponseHeaders) =>
      void response.writeHead(304, headerList({ ...headers, ...cacheHeaders })).end();

    const question = requestDigest(request, grant.viewer(), mediaType);
    const known = knownAnswers.find(question);
    if (known && isHeld(validator, known.etag)) {
      observer.queryUnchanged();
      return sendNotModified(cacheHeadersOf(known.etag, known.endsAt));
    }
    const sources = createAnswerSources(events.freshness());
    return andThen(query.run(clientSignal, undefined, undefined, false, sources), (result) => {
      if (Symbol.asyncIterator in result || result.errors) return write(result, exchange);
      const etag = etagOf(result, mediaType);
      const parts = freshnessOf(sources);
      if (parts) knownAnswers.remember(question, etag, parts);
      const cacheHeaders = cacheHeadersOf(etag, parts ? earliestEnd(parts) : -Infinity);
      if (isHeld(validator, etag)) return sendNotModified(cacheHeaders);
      return write(result, { ...exchange, headers: { ...headers, ...cacheHeaders } });
    });
  };
}

/** `endsAt`: of performance.now(). The age is rounded down; without one, the client asks each time whether the answer has changed. */
function cacheHeadersOf(etag: string, endsAt: number): ResponseHeaders {
  const seconds = Math.max(0, Math.floor((endsAt - performance.now()) / 1000));
  const age = seconds > 0 ? `max-age=${seconds}, must-revalidate` : "no-cache";
  return { "cache-control": `private, ${age}`, etag, vary: VARY };
}

/**
 * Whether If-None-Match names the answer. Proxies that compress answers change the mark of a weak tag, so it does not count. `*` names
 * none: a client that holds an answer knows its tag.
 */
function isHeld(validator: string | undefined, etag: string): boolean {
  if (validator === undefined) return false;
  const opaque = etag.replace(/^W\//, "");
  return validator.split(",").some((tag) => tag.trim().replace(/^W\//, "") === opaque);
}
