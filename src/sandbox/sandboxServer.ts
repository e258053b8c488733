// Listens, and takes each request through its steps: refuse pages, read the body, note it, let a fault have it, check the token, answer.
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Log } from "../log.ts";
import type { Scheduler } from "./clock.ts";
import { deliver, isProcessed, problem, Refusal, text, type Answer } from "./api/response.ts";
import type { Faults } from "./control/faults.ts";
import { parseJson } from "./bigintJson.ts";
import type { OpenApiRequest } from "./api/openapi.ts";
import { parseQuery } from "./api/listCallLogs.ts";
import type { Recordings } from "./api/recordingFiles.ts";
import type { SeenRequest, Ring } from "./journal.ts";

export interface ServerDeps {
  host: string;
  port: number;
  token: string;
  openApi: (request: OpenApiRequest) => Answer;
  control: (request: { method: string; path: string; body: Buffer }) => Answer;
  recordings: Recordings;
  faults: Faults;
  requests: Ring<SeenRequest>;
  scheduler: Scheduler;
  real: () => number;
  log: Log;
}

export interface Listening extends AsyncDisposable {
  /** `http://host:port` */
  readonly url: string;
}

const FRONT_PAGE = "The calling service in a box. Its API is under /openapi, its control address is /sandbox.\n";
const MOST_BODY_BYTES = 32 * 1024 * 1024;

/** Rejects when the port is taken. Disposing destroys all connections, also those a fault has left hanging. */
export async function listen(deps: ServerDeps): Promise<Listening> {
  const answer = createAnswering(deps);
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

function createAnswering(deps: ServerDeps): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { faults, requests, scheduler, real } = deps;
  const findPage = createPageCheck(deps.host);

  const isAuthorized = (request: IncomingMessage) => same(request.headers.authorization ?? "", `Bearer ${deps.token}`);

  const route = (request: IncomingMessage, { path, query, body }: Read): Answer => {
    const method = request.method ?? "";
    if (path.startsWith("/recordings/")) {
      if (method !== "GET" && method !== "HEAD") throw new Refusal(405, "method not allowed", { allow: "GET, HEAD" });
      return deps.recordings.answer({ path, query, range: request.headers.range });
    }
    if (path === "/") return text(200, FRONT_PAGE);
    if (!isAuthorized(request)) throw new Refusal(401, "a valid access token is needed");
    if (body === null) throw new Refusal(413, "the body is too large", { connection: "close" });
    if (isControl(path)) return deps.control({ method, path, body });
    return deps.openApi({ method, path, query, contentType: request.headers["content-type"] ?? "", body });
  };
  const attempt = (request: IncomingMessage, read: Read): Answer => {
    try {
      return route(request, read);
    } catch (error) {
      if (error instanceof Refusal) return problem(error.status, error.message, error.headers);
      deps.log.error({ err: error }, "A request to the sandbox failed.");
      return problem(500, "internal error");
    }
  };

  return async (request, response) => {
    const page = findPage(request);
    if (page) {
      deliver(response, problem(page.status, page.message, page.headers), null);
      return;
    }
    const [path = "", ...query] = (request.url ?? "").split("?");
    // Who has no token makes nobody keep anything.
    const body = await readBody(request, isAuthorized(request) ? MOST_BODY_BYTES : 0);
    const read = { path, query: query.join("?"), body };
    if (isControl(path)) {
      deliver(response, attempt(request, read), null);
      return;
    }
    const seen = note(request, read, real());
    if (path.startsWith("/openapi")) requests.add(seen, weightOf(request, read));
    const { delayMs, outcome } = faults.take({ method: seen.method, path, query: read.query });
    if (delayMs > 0) await new Promise<void>((resolve) => void scheduler.afterReal(delayMs, resolve));
    const answer = isProcessed(outcome) ? attempt(request, read) : null;
    seen.status = deliver(response, answer, outcome);
  };
}

const isControl = (path: string) => path === "/sandbox" || path.startsWith("/sandbox/");

interface Read {
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
function weightOf({ url = "" }: IncomingMessage, { body }: Read): number {
  return 4 * url.length + (body?.length ?? 0);
}

function note(request: IncomingMessage, { path, query, body }: Read, at: number): SeenRequest {
  const params = attemptOr({}, () => Object.fromEntries(parseQuery(query)));
  const parsed = request.method === "POST" && body ? attemptOr(null, () => parseJson(body.toString("utf8"))) : null;
  return { at, method: request.method ?? "", path, query, params, body: parsed, status: null };
}

function attemptOr<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function same(given: string, right: string): boolean {
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
export function createPageCheck(listensOn: string): (request: IncomingMessage) => Refusal | null {
  const isHost = isLoopback(listensOn) ? isLoopbackHost : () => true;
  return ({ url = "", headers, headersDistinct: { host = [] } }) => {
    if (host.length > 1 || !host.every(isHost)) return refuse(400, "the Host header is not of this sandbox");
    const isOfPage = headers.origin !== undefined || (isApi(url) && (headers["sec-fetch-site"] ?? "none") !== "none");
    return isOfPage ? refuse(403, "the sandbox is for programs, not for pages") : null;
  };
}

/** An image or a frame of a page has no Origin. Recordings may be played, and the front page be linked to. */
const isApi = (url: string) => url.startsWith("/openapi") || url.startsWith("/sandbox");

const refuse = (status: number, message: string) => new Refusal(status, message, { connection: "close" });

/** A name with a port or without. */
function isLoopbackHost(host: string): boolean {
  const url = /^[\w.\-:[\]]+$/.test(host) ? URL.parse(`http://${host}`) : null;
  return url !== null && isLoopback(url.hostname.replace(/^\[|\]$/g, ""));
}

function isLoopback(name: string): boolean {
  return name === "localhost" || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}
