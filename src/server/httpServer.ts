// The one node:http server: what is where, and how it stops.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Log } from "../log.ts";
import { acceptsEventStream } from "./contentNegotiation.ts";
import { sendText, refuseUpgrade } from "./httpResponse.ts";
import { networkOf } from "./connections/clientAddress.ts";
import type { ConnectionGuard } from "./connections/connectionGuard.ts";
import { drain, hasUnsentBytes, drainableStream, waitUntilSent, type Drainable } from "./connections/drain.ts";
import type { OriginPolicy } from "./originPolicy.ts";
import { SECURITY_HEADERS, setHeaders, type ResponseHeaders } from "./securityHeaders.ts";
import { createHealthRoutes } from "./routes/health.ts";
import { createServer } from "./nodeHttp.ts";
import type { Rejections, RejectedAt } from "./connections/rejections.ts";
import { createPipelining } from "./connections/pipelining.ts";
import { createHeadCheck } from "./requestHead.ts";
import type { SlowReaders } from "./connections/slowReaders.ts";
import { pathOf, targetOf } from "./requestTarget.ts";
import type { UpgradeHandler } from "./upgradeHandler.ts";

export type Route = (request: IncomingMessage, response: ServerResponse) => Promise<void> | void;
/** Writes `head` into its answer itself: with the rest of its own, in one list, it costs less than a header at a time. */
export type RouteWithHeaders = (
  request: IncomingMessage,
  response: ServerResponse,
  head: ResponseHeaders,
) => Promise<void> | void;

export interface HttpServerDeps {
  graphql: RouteWithHeaders;
  sockets: UpgradeHandler;
  webhook: RouteWithHeaders;
  webhookPath: string;
  /** Everything below /recordings/. */
  recordings: Route;
  /** Whether the gateway can take work; asked by /readyz. */
  isReady: () => Promise<boolean>;
  /** Whether some of the log can never be told again; /readyz says it, and takes work all the same. */
  isDamaged: () => boolean;
  originPolicy: OriginPolicy;
  /** Whether only loopback's own names are taken in Host: a page whose name was made to point here is then refused. */
  loopbackOnly: boolean;
  connectionGuard: Pick<ConnectionGuard, "open" | "close">;
  slowReaders: SlowReaders;
  rejections: Rejections;
  /** Called for each connection that was accepted. */
  onConnection: () => void;
  log: Log;
}

export interface HttpServer {
  /** Resolves with the address to open, such as http://127.0.0.1:4000. */
  listen(host: string, port: number): Promise<string>;
  /**
   * Is not ready from now on, sends away who listens (drain.ts), and takes no new ones meanwhile; stops listening then,
   * lets answers under way finish, and cuts what is left when so much time has passed.
   */
  close(drainMs: number): Promise<void>;
}

const SLOW_HEADERS_MS = 10_000;
const SLOW_BODY_MS = 15_000;
const IDLE_MS = 65_000;
const SWEEP_MS = 20;
const SLOW_READERS_MS = 1000;
/**
 * Connections that may wait to be taken, as far as the system lets them (net.core.somaxconn): of ten thousand readers that
 * come back at once, those beyond it try again by themselves a second or more later.
 */
const BACKLOG = 4096;

export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const {
    graphql,
    sockets,
    webhook,
    webhookPath,
    recordings,
    isReady,
    isDamaged,
    originPolicy: origins,
    loopbackOnly,
    connectionGuard: door,
    slowReaders,
    rejections: notServed,
    onConnection,
    log,
  } = deps;
  const findHeadProblem = createHeadCheck({ loopbackOnly });
  let draining = false;

  const placeOf = (path: string): RejectedAt =>
    path === "/graphql" ? "graphql" : path === webhookPath ? "webhook" : isOfRecordings(path) ? "recordings" : "other";
  const routes = new Map<string, RouteWithHeaders>([
    [
      "/graphql",
      (request, response, head) => {
        if (request.method !== "OPTIONS") return graphql(request, response, head);
        response.writeHead(204, head).end();
      },
    ],
    [webhookPath, webhook],
    ...createHealthRoutes({ isReady, isDamaged, isDraining: () => draining }),
    ["/", (_, response) => sendText(response, 302, "See /graphql.\n", { location: "/graphql" })],
  ]);

  /** Upgraded ones too, which node:http no longer counts as its own. */
  const connections = new Set<Socket>();
  /** Those that brought a request, or an upgrade, with a head that could be read. */
  const heard = new WeakSet<Duplex>();
  /** Answers that may not end by themselves. */
  const streams = new Set<Drainable>();

  // One of each, and not one for each of ten thousand sockets.
  function forget(this: Socket): void {
    connections.delete(this);
    const address = networkOf(this.remoteAddress);
    door.close(address);
    if (!heard.has(this)) notServed.add("connection", this.bytesRead > 0 ? "unreadable" : "silent", address);
  }
  function cut(socket: Socket, reason: string): void {
    notServed.add("connection", reason, networkOf(socket.remoteAddress));
    socket.destroy();
  }
  const pipelining = createPipelining((socket) => cut(socket, "pipelined"));

  const server = createServer(
    {
      headersTimeout: SLOW_HEADERS_MS,
      requestTimeout: SLOW_BODY_MS,
      keepAliveTimeout: IDLE_MS,
      connectionsCheckingInterval: 1000,
      // Whoever offers another protocol besides, as Java's client does HTTP/2 with each POST, is served as if it had not.
      // An upgrade behind a request that is not answered yet would write between its bytes.
      shouldUpgradeCallback: ({ method, headers, socket }) =>
        method === "GET" && headers.upgrade?.toLowerCase() === "websocket" && !pipelining.isBusy(socket),
    },
    (request, response) => {
      heard.add(request.socket);
      // For whoever is behind, too.
      request.url = targetOf(request);
      const path = pathOf(request.url);
      const place = placeOf(path);
      // Webhooks are answered with two bytes, and those that come together share a transaction.
      pipelining.enter(request, response, place === "webhook", () => answer(request, response, path, place));
    },
  );
  server.once("listening", () => {
    const looking = setInterval(() => {
      for (const socket of slowReaders.find(connections)) cut(socket, "slow");
    }, SLOW_READERS_MS);
    server.once("close", () => clearInterval(looking));
  });
  server.on("connection", (socket) => {
    onConnection();
    const address = networkOf(socket.remoteAddress);
    if (!door.open(address)) {
      notServed.add("connection", "cut", address);
      socket.resetAndDestroy();
      return;
    }
    connections.add(socket);
    socket.on("close", forget);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    heard.add(socket);
    const refusal = upgradeProblem(request);
    if (!refusal) return sockets.upgrade(request, socket, head);
    notServed.add("upgrade", parseInt(refusal, 10), networkOf(request.socket.remoteAddress));
    refuseUpgrade(socket, refusal);
  });

  function answer(request: IncomingMessage, response: ServerResponse, path: string, place: RejectedAt): void {
    notServed.observe(place, request, response);
    const head = place === "graphql" ? origins.headersFor(request) : SECURITY_HEADERS;
    if (place !== "graphql" && place !== "webhook") setHeaders(response, head);
    if (draining) response.setHeader("connection", "close");
    const problem = findHeadProblem(request);
    if (problem) return sendText(response, problem.status, problem.text, { ...head, connection: "close" });
    if (acceptsEventStream(request.headers.accept)) {
      if (draining) return sendText(response, 503, "The gateway is stopping.\n", { ...head, "retry-after": "1" });
      const stream = drainableStream(response);
      streams.add(stream);
      response.once("close", () => streams.delete(stream));
    }
    const route = isOfRecordings(path) ? recordings : routes.get(path);
    if (!route) return sendText(response, 404, "There is nothing here.\n");
    void serve(route, request, response, head);
  }

  function upgradeProblem(request: IncomingMessage): string | null {
    if (findHeadProblem(request)) return "400 Bad Request";
    if (pathOf(targetOf(request)) !== "/graphql") return "404 Not Found";
    if (!origins.allows(request)) return "403 Forbidden";
    return draining ? "503 Service Unavailable" : null;
  }

  async function serve(
    route: RouteWithHeaders,
    request: IncomingMessage,
    response: ServerResponse,
    head: ResponseHeaders,
  ): Promise<void> {
    try {
      // What came together with the head has been parsed then: most bodies are whole.
      await Promise.resolve();
      await route(request, response, head);
    } catch (err) {
      fail(request, response, head, err);
    }
  }

  function fail(request: IncomingMessage, response: ServerResponse, head: ResponseHeaders, err: unknown): void {
    // A client that leaves in the middle of its body is no fault of ours.
    if (request.destroyed && !request.complete) return;
    log.error({ err }, "a request failed");
    if (response.headersSent) response.destroy();
    else sendText(response, 500, "The gateway failed.\n", head);
  }

  return {
    async listen(host, port) {
      server.listen(port, host, BACKLOG);
      await once(server, "listening");
      const address = server.address() as AddressInfo;
      return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
    },
    async close(drainMs) {
      draining = true;
      const end = performance.now() + drainMs;
      await drain(() => [...sockets.open(), ...streams], drainMs);
      await waitUntilSent(connections, end);
      const closed = once(server, "close");
      server.close();
      // A connection whose answer came later is idle only now, and its client would keep it.
      const sweep = setInterval(() => hasUnsentBytes(connections) || server.closeIdleConnections(), SWEEP_MS);
      const cutAll = () => connections.forEach((socket) => socket.destroy());
      const deadline = setTimeout(cutAll, Math.max(0, end - performance.now()));
      await closed;
      clearInterval(sweep);
      clearTimeout(deadline);
    },
  };
}

const isOfRecordings = (path: string) => path.startsWith("/recordings/");
