// GraphiQL for browsers: one page of nine megabytes, with its scripts, styles and workers. It is served without credentials,
// so it must cost little: it is rendered and compressed once, and all responses are sent from the same bytes.
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { sortByWeight } from "../contentNegotiation.ts";
import { matchesEtag } from "../httpResponse.ts";
import { GRAPHIQL_HEADERS, type ResponseHeaders } from "../securityHeaders.ts";
import { withKeyField } from "./graphiqlKey.ts";

export type PageHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  headers: ResponseHeaders,
) => Promise<void>;

const CHUNK_BYTES = 64 * 1024;

/** The page in one encoding. */
interface Variant {
  bytes: Buffer;
  etag: string;
  encoding: ResponseHeaders;
}
interface Page {
  plain: Variant;
  gzipped: Variant;
}

export function createGraphiqlPage(render: () => Promise<string>): PageHandler {
  let rendered: Promise<Page> | null = null;
  const page = () =>
    (rendered ??= render()
      .then(encode)
      .catch((error: unknown) => {
        // The next request tries again.
        rendered = null;
        throw error;
      }));
  return async (request, response, headers) => {
    const { plain, gzipped } = await page();
    const { bytes, etag, encoding } = acceptsGzip(request.headers["accept-encoding"]) ? gzipped : plain;
    const cacheHeaders = { etag, "cache-control": "no-cache", vary: "origin, accept, accept-encoding" };
    const common = { ...headers, ...GRAPHIQL_HEADERS, ...cacheHeaders };
    if (matchesEtag(request.headers["if-none-match"], etag)) {
      response.writeHead(304, common).end();
      return;
    }
    const content = { "content-type": "text/html; charset=utf-8", "content-length": String(bytes.length), ...encoding };
    response.writeHead(200, { ...common, ...content });
    // A client that disconnects early is not a failure of the gateway.
    await pipeline(Readable.from(chunksOf(bytes)), response).catch(() => undefined);
  };
}

async function encode(html: string): Promise<Page> {
  const bytes = Buffer.from(html);
  const digest = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return {
    plain: { bytes, etag: `"${digest}"`, encoding: {} },
    gzipped: {
      bytes: await promisify(gzip)(bytes),
      etag: `"${digest}-gzip"`,
      encoding: { "content-encoding": "gzip" },
    },
  };
}

/** In chunks, so that only one chunk counts as unsent at a time (slowReaders.ts). */
function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

function acceptsGzip(accepted: string | undefined): boolean {
  if (accepted === undefined) return false;
  return sortByWeight(accepted.toLowerCase())
    .split(/\s*,\s*/)
    .includes("gzip");
}

/** `asksForKey`: whether the gateway refuses requests without credentials. */
export async function renderPage({ asksForKey }: { asksForKey: boolean }): Promise<string> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  const html = renderGraphiQL(GRAPHIQL);
  return asksForKey ? withKeyField(html) : html;
}

const DEFAULT_QUERY = `# The latest calls, in the order of the service.
query Today {
  callLogs(first: 20) {
    totalCount
    nodes { sessionId direction caller callee startAt answered task { name status progress } }
  }
}

# Each call when it ends.
subscription Live {
  callEnded { cursor sessionId direction caller callee endAt hungUpBy hangupReason task { name } }
}
`;

/**
 * SSE, because GraphiQL's header editor cannot set the credentials of a WebSocket. POST, because a GET would write variables into
 * URLs.
 */
const GRAPHIQL = {
  title: "Switchboard",
  subscriptionsProtocol: "SSE",
  method: "POST",
  defaultQuery: DEFAULT_QUERY,
} as const;
