// The sandbox's HTTP server. For each request: refuses web pages, reads and records it, applies a fault, checks the token,
// and routes it.
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Logger } from "./logger.ts";
import type { Scheduler } from "./clock.ts";
import { sendResponse, isProcessed, errorResponse, HttpError, textResponse, type ApiResponse } from "./api/response.ts";
import type { Faults } from "./control/faults.ts";
import { parseJson } from "./bigintJson.ts";
import type { OpenApiRequest } from "./api/openapi.ts";
import { parseQuery } from "./api/listCallLogs.ts";
import type { Recordings } from "./api/recordingFiles.ts";
import type { Receiver } from "./receiver/receiver.ts";
import type { RecordedRequest, Journal } from "./journal.ts";

interface ServerDeps {
  host: string;
  port: number;
  token: string;
  openApi: (request: OpenApiRequest) => ApiResponse;
  control: (request: { method: string; path: string; body: Buffer }) => ApiResponse;
  recordings: Recordings;
  receiver: Receiver;
  faults: Faults;
  requests: Journal<RecordedRequest>;
  scheduler: Scheduler;
  real: () => number;
  log: Logger;
}

interface RunningServer extends AsyncDisposable {
  /** `http://host:port` */
  readonly url: string;
}

const FRONT_PAGE =
  "This is the sandbox, a simulated calling service. Its API is under /openapi, its control API under /sandbox. What a gateway sends on is shown at /receiver.\n";
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Where a gateway may send its messages. They have a signature in the place of a token. */
const RECEIVER = "/receiver";
const MAX_MESSAGE_BYTES = 1024 * 1024;

/** Resolves when the server listens; rejects if the port is taken. Disposing destroys all connections. */
export async function startServer(deps: ServerDeps): Promise<RunningServer> {
  const handle = createRequestHandler(deps);
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // Usually a client that disconnected while it was sending.
      deps.log.warn({ err: error }, "A request to the sandbox was aborted.");
      response.destroy();
    });
  });
  // Longer than clients keep idle connections, so that the server never closes one while a request arrives.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(deps.port, deps.host, resolve);
  });
  return { url: addressOf(server, deps.host), [Symbol.asyncDispose]: () => close(server) };
}

function createRequestHandler(deps: ServerDeps): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { faults, requests, scheduler, real } = deps;
  const checkForPage = createPageCheck(deps.host);

  const isAuthorized = (request: IncomingMessage) =>
    isEqualSecret(request.headers.authorization ?? "", `Bearer ${deps.token}`);

  const route = (request: IncomingMessage, { path, query, body }: ReadRequest): ApiResponse => {
    const method = request.method ?? "";
    if (path.startsWith("/recordings/")) {
      if (method !== "GET" && method !== "HEAD") throw new HttpError(405, "method not allowed", { allow: "GET, HEAD" });
      return deps.recordings.serve({ path, query, range: request.headers.range });
    }
    if (path === "/") return textResponse(200, FRONT_PAGE);
    if (path === RECEIVER) {
      if (body === null) throw new HttpError(413, "the body is too large", { connection: "close" });
      return deps.receiver.handle({ method, query, headers: request.headers, body });
    }
    if (!isAuthorized(request)) throw new HttpError(401, "a valid access token is required");
    if (body === null) throw new HttpError(413, "the body is too large", { connection: "close" });
    if (isControl(path)) return deps.control({ method, path, body });
    return deps.openApi({ method, path, query, contentType: request.headers["content-type"] ?? "", body });
  };
  const attempt = (request: IncomingMessage, read: ReadRequest): ApiResponse => {
    try {
      return route(request, read);
    } catch (error) {
      if (error instanceof HttpError) return errorResponse(error.status, error.message, error.headers);
      deps.log.error({ err: error }, "A request to the sandbox failed.");
      return errorResponse(500, "internal error");
    }
  };

  return async (request, response) => {
    const refusal = checkForPage(request);
    if (refusal) {
      sendResponse(response, errorResponse(refusal.status, refusal.message, refusal.headers), null);
      return;
    }
    const [path = "", ...query] = (request.url ?? "").split("?");
    // Keeps no body of a request without a valid token, and of messages to the receiver only small ones.
    const maxBytes = isAuthorized(request) ? MAX_BODY_BYTES : path === RECEIVER ? MAX_MESSAGE_BYTES : 0;
    const body = await readBody(request, maxBytes);
    const read = { path, query: query.join("?"), body };
    if (isControl(path) || path === RECEIVER) {
      sendResponse(response, attempt(request, read), null);
      return;
    }
    const recorded = recordRequest(request, read, real());
    if (path.startsWith("/openapi")) requests.add(recorded, estimateBytes(request, read));
    const { delayMs, fault } = faults.consume({ method: recorded.method, path, query: read.query });
    if (delayMs > 0) await new Promise<void>((resolve) => void scheduler.afterReal(delayMs, resolve));
    const answer = isProcessed(fault) ? attempt(request, read) : null;
    recorded.status = sendResponse(response, answer, fault);
  };
}

const isControl = (path: string) => path === "/sandbox" || path.startsWith("/sandbox/");

interface ReadRequest {
  path: string;
  query: string;
  /** Null: too large. */
  body: Buffer | null;
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  // Reads a body that is too large to its end and drops it: a client that is still sending would not read the answer.
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length <= maxBytes) parts.push(part);
    else parts.length = 0;
  }
  return length > maxBytes ? null : Buffer.concat(parts);
}

/** About how much memory a recorded request takes: it holds the query twice, with two bytes for each character. */
function estimateBytes({ url = "" }: IncomingMessage, { body }: ReadRequest): number {
  return 4 * url.length + (body?.length ?? 0);
}

function recordRequest(request: IncomingMessage, { path, query, body }: ReadRequest, at: number): RecordedRequest {
  const params = tryOr({}, () => Object.fromEntries(parseQuery(query)));
  const parsed = request.method === "POST" && body ? tryOr(null, () => parseJson(body.toString("utf8"))) : null;
  return { at, method: request.method ?? "", path, query, params, body: parsed, status: null };
}

function tryOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function isEqualSecret(given: string, right: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(right));
}

function addressOf(server: Server, host: string): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The sandbox does not listen on a port.");
  return `http://${host.includes(":") ? `[${host}]` : host}:${address.port}`;
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => void server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

/**
 * Refuses requests that a web page makes. The sandbox serves programs only. Another site's page has an Origin header; a page
 * whose host name points to this machine (DNS rebinding) has a foreign Host header. Checks the head of a request, before its
 * body is read. On an address other than loopback, every Host is accepted: its names are not known here.
 */
export function createPageCheck(listensOn: string): (request: IncomingMessage) => HttpError | null {
  const isHost = isLoopback(listensOn) ? isLoopbackHost : () => true;
  return ({ url = "", headers, headersDistinct: { host = [] } }) => {
    if (host.length > 1 || !host.every(isHost))
      return refuse(400, "the Host header must name this sandbox: localhost, 127.0.0.1 or [::1]");
    const isOfPage = headers.origin !== undefined || (isApi(url) && (headers["sec-fetch-site"] ?? "none") !== "none");
    return isOfPage ? refuse(403, "the sandbox serves programs, not web pages") : null;
  };
}

/** Images and frames of a page send no Origin. A page may play recordings and link to the front page, but not use the API. */
const isApi = (url: string) => url.startsWith("/openapi") || url.startsWith("/sandbox");

const refuse = (status: number, message: string) => new HttpError(status, message, { connection: "close" });

/** @param host a name, with or without a port. */
function isLoopbackHost(host: string): boolean {
  const url = /^[\w.\-:[\]]+$/.test(host) ? URL.parse(`http://${host}`) : null;
  return url !== null && isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}
