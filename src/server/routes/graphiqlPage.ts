// GraphiQL, for browsers: one page with its scripts, styles and workers in it, nine megabytes. It needs no credentials, so it
// must cost nothing: it is made once, compressed once, and every answer is sent from the same bytes.
import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { sortByWeight } from "../contentNegotiation.ts";
import { matchesEtag } from "../etag.ts";
import { GRAPHIQL_HEADERS, type ResponseHeaders } from "../securityHeaders.ts";

export type PageHandler = (request: IncomingMessage, response: ServerResponse, head: ResponseHeaders) => Promise<void>;

const PIECE = 64 * 1024;

/** The page as it is sent, in one encoding. */
interface Variant {
  bytes: Buffer;
  etag: string;
  encoding: ResponseHeaders;
}
interface Page {
  plain: Variant;
  zipped: Variant;
}

/** Only called where a browser asks for HTML. */
export function createGraphiqlPage(make: () => Promise<string> = render): PageHandler {
  let made: Promise<Page> | null = null;
  const page = () =>
    (made ??= make()
      .then(pageOf)
      .catch((error: unknown) => {
        // The next request tries again.
        made = null;
        throw error;
      }));
  return async (request, response, head) => {
    const { plain, zipped } = await page();
    const { bytes, etag, encoding } = takesGzip(request.headers["accept-encoding"]) ? zipped : plain;
    const cached = { etag, "cache-control": "no-cache", vary: "origin, accept, accept-encoding" };
    const told = { ...head, ...GRAPHIQL_HEADERS, ...cached };
    if (matchesEtag(request.headers["if-none-match"], etag)) {
      response.writeHead(304, told).end();
      return;
    }
    const content = { "content-type": "text/html; charset=utf-8", "content-length": String(bytes.length), ...encoding };
    response.writeHead(200, { ...told, ...content });
    // A client that leaves in the middle is not an error of the gateway.
    await pipeline(Readable.from(piecesOf(bytes)), response).catch(() => undefined);
  };
}

async function pageOf(html: string): Promise<Page> {
  const bytes = Buffer.from(html);
  const sum = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return {
    plain: { bytes, etag: `"${sum}"`, encoding: {} },
    zipped: { bytes: await promisify(gzip)(bytes), etag: `"${sum}-gzip"`, encoding: { "content-encoding": "gzip" } },
  };
}

/** So that no more than a piece counts as waiting for its peer. */
function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

function takesGzip(accepted: string | undefined): boolean {
  if (accepted === undefined) return false;
  return sortByWeight(accepted.toLowerCase())
    .split(/\s*,\s*/)
    .includes("gzip");
}

async function render(): Promise<string> {
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  return renderGraphiQL(GRAPHIQL);
}

const DEFAULT_QUERY = `# Calls of today, newest as the service lists them.
query Today {
  callLogs(first: 20) {
    totalCount
    nodes { sessionId direction caller callee startAt answered task { name status progress } }
  }
}

# Every call that ends, as it ends.
subscription Live {
  callEnded { cursor sessionId direction caller callee endAt hungUpBy hangupReason task { name } }
}
`;

/**
 * Server-sent events, because only so GraphiQL's header editor reaches a subscription's credentials; by POST, because what a
 * page asks by GET needs a header of ours, and leaves its variables in addresses.
 */
const GRAPHIQL = {
  title: "Switchboard",
  subscriptionsProtocol: "SSE",
  method: "POST",
  defaultQuery: DEFAULT_QUERY,
} as const;
