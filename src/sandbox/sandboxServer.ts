// Listens, and takes each request through its steps: refuse pages, read the body, note it, let a fault have it, check the token, answer.
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Log } from "../log.ts";
import type { Scheduler } from "./clock.ts";
import { sendResponse, isProcessed, errorResponse, HttpError, textResponse, type ApiResponse } from "./api/response.ts";
import type { Faults } from "./control/faults.ts";
import { parseJson } from "./bigintJson.ts";
import type { OpenApiRequest } from "./api/openapi.ts";
import { parseQuery } from "./api/listCallLogs.ts";
import type { Recordings } from "./api/recordingFiles.ts";
import type { RecordedRequest, Journal } from "./journal.ts";

export interface ServerDeps {
  host: string;
  port: number;
  token: string;
  openApi: (request: OpenApiRequest) => ApiResponse;
  control: (request: { method: string; path: string; body: Buffer }) => ApiResponse;
  recordings: Recordings;
  faults: Faults;
  requests: Journal<RecordedRequest>;
  scheduler: Scheduler;
  real: () => number;
  log: Log;
}

export interface RunningServer extends AsyncDisposable {
  /** `http://host:port` */
  readonly url: string;
}

const FRONT_PAGE = "The calling service in a box. Its API is under /openapi, its control address is /sandbox.\n";
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Rejects when the port is taken. Disposing destroys all connections, also those a fault has left hanging. */
export async function startServer(deps: ServerDeps): Promise<RunningServer> {
  const answer = createRequestHandler(deps);
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      // Mostly a caller who went away while sending.
      deps.log.warn({ err: error }, "A request to the sandbox came to nothing.");
      response.destroy();
    });
  });
  // Longer than callers keep idle connections, so that none is closed under a request.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(deps.port, deps.host, resolve);
  });
  return { url: addressOf(server, deps.host), [Symbol.asyncDispose]: () => close(server) };
}

function createRequestHandler(deps: ServerDeps): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { faults, requests, scheduler, real } = deps;
  const findPage = createPageCheck(deps.host);

  const isAuthorized = (request: IncomingMessage) =>
    isEqualSecret(request.headers.authorization ?? "", `Bearer ${deps.token}`);

  const route = (request: IncomingMessage, { path, query, body }: ReadRequest): ApiResponse => {
    const method = request.method ?? "";
    if (path.startsWith("/recordings/")) {
      if (method !== "GET" && method !== "HEAD") throw new HttpError(405, "method not allowed", { allow: "GET, HEAD" });
      return deps.recordings.serve({ path, query, range: request.headers.range });
    }
    if (path === "/") return textResponse(200, FRONT_PAGE);
    if (!isAuthorized(request)) throw new HttpError(401, "a valid access token is needed");
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
    const page = findPage(request);
    if (page) {
      sendResponse(response, errorResponse(page.status, page.message, page.headers), null);
      return;
    }
    const [path = "", ...query] = (request.url ?? "").split("?");
    // Who has no token makes nobody keep anything.
    const body = await readBody(request, isAuthorized(request) ? MAX_BODY_BYTES : 0);
    const read = { path, query: query.join("?"), body };
    if (isControl(path)) {
      sendResponse(response, attempt(request, read), null);
      return;
    }
    const seen = recordRequest(request, read, real());
    if (path.startsWith("/openapi")) requests.add(seen, estimateBytes(request, read));
    const { delayMs, outcome } = faults.consume({ method: seen.method, path, query: read.query });
    if (delayMs > 0) await new Promise<void>((resolve) => void scheduler.afterReal(delayMs, resolve));
    const answer = isProcessed(outcome) ? attempt(request, read) : null;
    seen.status = sendResponse(response, answer, outcome);
  };
}

const isControl = (path: string) => path === "/sandbox" || path.startsWith("/sandbox/");

interface ReadRequest {
  path: string;
  query: string;
  /** Null: too large. */
  body: Buffer | null;
}

async function readBody(request: IncomingMessage, most: number): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let length = 0;
  // What is beyond the cap is read to its end and thrown away: a caller that still sends would not see the answer.
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length <= most) parts.push(part);
    else parts.length = 0;
  }
  return length > most ? null : Buffer.concat(parts);
}

/** Of what is kept of a request, about: the query is kept twice, and in characters of two bytes. */
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
 * What is wrong with a request's head, to be judged before its body is read; null: nothing. `listensOn`: an address that is
 * not loopback is known to its callers by names that are not known here.
 */
export function createPageCheck(listensOn: string): (request: IncomingMessage) => HttpError | null {
  const isHost = isLoopback(listensOn) ? isLoopbackHost : () => true;
  return ({ url = "", headers, headersDistinct: { host = [] } }) => {
    if (host.length > 1 || !host.every(isHost)) return refuse(400, "the Host header is not of this sandbox");
    const isOfPage = headers.origin !== undefined || (isApi(url) && (headers["sec-fetch-site"] ?? "none") !== "none");
    return isOfPage ? refuse(403, "the sandbox is for programs, not for pages") : null;
  };
}

/** An image or a frame of a page has no Origin. Recordings may be played, and the front page be linked to. */
const isApi = (url: string) => url.startsWith("/openapi") || url.startsWith("/sandbox");

const refuse = (status: number, message: string) => new HttpError(status, message, { connection: "close" });

/** A name with a port or without. */
function isLoopbackHost(host: string): boolean {
  const url = /^[\w.\-:[\]]+$/.test(host) ? URL.parse(`http://${host}`) : null;
  return url !== null && isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}
