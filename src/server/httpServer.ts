// The node:http server: its connections, and its phases from the start to the end. routeTable.ts has its routes.
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "../logger.ts";
import { acceptsCallback } from "./callbacks/callbackRequest.ts";
import type { CallbackSubscriptions } from "./callbacks/callbackSubscriptions.ts";
import { acceptsEventStream } from "./graphql/accept.ts";
import { refuseStream, refuseUpgrade, sendText } from "./httpResponse.ts";
import { networkOf } from "./connections/clientAddress.ts";
import type { ConnectionGuard } from "./connections/connectionGuard.ts";
import { drain, drainableStream, untilTimeOfRequests, type Drainable } from "./connections/drain.ts";
import { stopListening } from "./connections/stopListening.ts";
import type { OriginPolicy } from "./originPolicy.ts";
import { SECURITY_HEADERS, setHeaders } from "./securityHeaders.ts";
import type { Rejections } from "./connections/rejections.ts";
import { createOpenConnections } from "./connections/openConnections.ts";
import { createPipelining } from "./connections/pipelining.ts";
import { createHeadCheck, pathOf, senderOf, targetOf } from "./requestHead.ts";
import type { RequestEntry } from "./requestEntry.ts";
import { createRouteTable, type Route, type RouteDeps } from "./routeTable.ts";
import { createStartingRoutes } from "./routes/startingRoutes.ts";
import type { SlowReaders } from "./connections/slowReaders.ts";
import { afterReading } from "../util/deadline.ts";
import type { LoopTurns } from "../util/loopTurns.ts";

// Not `import`: that would read all exports of node:http. One of them is the WebSocket of browsers, for which Node loads its
// fetch implementation (15 MB).
const { createServer } = process.getBuiltinModule("node:http");

/** Takes over connections that ask for a WebSocket (websocket/socketServer.ts). */
export interface UpgradeHandler {
  /** The path and the origin of the request were checked. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The open WebSockets, for the drain at shutdown. The same object for a socket at every call. */
  openSockets(): Drainable[];
}

export interface HttpServerDeps extends Pick<RouteDeps, "webhookPath"> {
  entry: RequestEntry;
  originPolicy: OriginPolicy;
  /** Whether only names of the loopback are accepted in Host: see requestHead.ts. */
  loopbackOnly: boolean;
  /** The number of proxies in front, whose last ones name the client's address. */
  trustedProxies: number;
  connectionGuard: Pick<ConnectionGuard, "open" | "close">;
  slowReaders: SlowReaders;
  rejections: Rejections;
  /** Requests other than webhooks wait until the connections that arrived with them are accepted. */
  turns: Pick<LoopTurns, "accepted" | "afterAccepting">;
  log: Logger;
}

/** What serves the requests of a gateway that has started. */
export interface Services extends RouteDeps {
  sockets: UpgradeHandler;
  callbacks: Pick<CallbackSubscriptions, "running">;
}

export interface HttpServer {
  /** Resolves with the URL of the server, such as http://127.0.0.1:4000. It may be called again after it has failed. */
  listen(host: string, port: number): Promise<string>;
  /** Before it, all routes but /livez answer 503, and no socket is accepted. */
  serve(services: Services): void;
  /**
   * Stops being ready, and answers everything for `delayMs`, so that balancers learn of it. Then it accepts no streams any more, drains
   * sockets and streams (drain.ts), stops listening, waits for running requests, and closes idle connections last. Cuts all remaining
   * connections `drainMs` after the delay. A server that does not serve yet is closed at once.
   */
  close(times: { delayMs: number; drainMs: number }): Promise<void>;
}

/** `leaving`: balancers still send requests. `draining`: no stream is accepted. */
type Phase = "starting" | "serving" | "leaving" | "draining";

const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** A balancer that has sent nothing for so long after the end of listening sends nothing any more. */
const IDLE_QUIET_MS = 1000;
/**
 * In the last second of the delay answers keep their connections again. A proxy that asks for no health, such as nginx, then has enough
 * of them: a new one that waits to be accepted is reset by the system when the server stops listening.
 */
const REFILL_MS = 1000;
const SLOW_READERS_CHECK_MS = 1000;
const UNAVAILABLE = "503 Service Unavailable";
/**
 * Connections that may wait to be accepted; the system may limit them further (net.core.somaxconn). When ten thousand clients
 * reconnect at once, those beyond it try again a second or more later.
 */
const BACKLOG = 4096;

export function createHttpServer(deps: HttpServerDeps): HttpServer {
  const { entry, originPolicy, trustedProxies, connectionGuard, slowReaders, rejections, turns, log } = deps;
  const findHeadProblem = createHeadCheck(deps);
  let phase: Phase = "starting";
  let routes = createStartingRoutes(deps.webhookPath, log);
  let services: Services | null = null;
  const takesStreams = () => phase === "serving" || phase === "leaving";

  const connections = createOpenConnections(connectionGuard, rejections);
  /** Responses of server-sent events. */
  const streams = new Set<Drainable>();
  let lastRequestAt = -Infinity;
  /** Whether answers end their connections, although the server listens. */
  let endsConnections = false;

  const pipelining = createPipelining((socket) => connections.cut(socket, "pipelined"));

  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
      // Offers of other protocols are ignored: Java's client offers HTTP/2 with each POST. An upgrade during an unanswered
      // request would write between the bytes of its answer.
      shouldUpgradeCallback: ({ method, headers, socket }) =>
        method === "GET" && headers.upgrade?.toLowerCase() === "websocket" && !pipelining.isBusy(socket),
    },
    (request, response) => {
      connections.sentRequest(request.socket);
      if (phase !== "serving") lastRequestAt = performance.now();
      // The routes read it too.
      request.url = targetOf(request);
      const route = routes.find(pathOf(request.url));
      // Answers to webhooks are small, and webhooks that arrive together share a transaction: they need not wait.
      const isSmall = route.place === "webhook";
      const handle = () => response.destroyed || entry.request(request, response, route, handleRequest);
      pipelining.enter(request, response, isSmall, () =>
        isSmall ? handle() : turns.afterAccepting(handle, () => senderOf(request, trustedProxies)),
      );
    },
  );
  server.once("listening", () => {
    const cutSlow = () => slowReaders.find(connections.all).forEach((socket) => connections.cut(socket, "slow"));
    const timer = setInterval(afterReading, SLOW_READERS_CHECK_MS, cutSlow);
    server.once("close", () => clearInterval(timer));
  });
  server.on("connection", (socket) => {
    turns.accepted();
    connections.add(socket);
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    connections.upgrade(socket);
    entry.upgrade(request, () => {
      const refusal = findUpgradeProblem(request);
      if (!refusal && services) return services.sockets.upgrade(request, socket, head);
      const status = refusal ?? UNAVAILABLE;
      rejections.add("upgrade", parseInt(status, 10), networkOf(request.socket.remoteAddress));
      refuseUpgrade(socket, status);
    });
  });

  function handleRequest(request: IncomingMessage, response: ServerResponse, route: Route): void {
    rejections.observe(route.place, request, response);
    const headers = route.cors ? originPolicy.headersFor(request, route.cors) : SECURITY_HEADERS;
    if (!route.writesHeaders) setHeaders(response, headers);
    // A proxy then sends its next request on a new connection, which another gateway may accept.
    if (phase === "starting" || endsConnections || !server.listening) response.setHeader("connection", "close");
    const problem = findHeadProblem(request);
    if (problem) return sendText(response, problem.status, problem.text, { ...headers, connection: "close" });
    const opensStream = acceptsEventStream(request.headers.accept);
    if (!takesStreams() && (opensStream || acceptsCallback(request.headers.accept)))
      return refuseStream(request, response, phase === "starting" ? phase : "stopping", headers);
    if (opensStream) {
      const stream = drainableStream(response);
      streams.add(stream);
      response.once("close", () => streams.delete(stream));
    }
    void runRoute(route, request, response, headers);
  }

  function findUpgradeProblem(request: IncomingMessage): string | null {
    if (findHeadProblem(request)) return "400 Bad Request";
    if (pathOf(targetOf(request)) !== "/graphql") return "404 Not Found";
    if (!originPolicy.allows(request)) return "403 Forbidden";
    return takesStreams() ? null : UNAVAILABLE;
  }

  async function runRoute({ handle }: Route, ...exchange: Parameters<Route["handle"]>): Promise<void> {
    const [request, response, headers] = exchange;
    try {
      // Lets Node parse what arrived together with the head: most bodies are complete then.
      await Promise.resolve();
      await handle(...exchange);
    } catch (err) {
      // A client that disconnects while it sends its body is not a failure of the gateway.
      if (request.destroyed && !request.complete) return;
      log.error({ err }, "a request failed unexpectedly");
      if (response.headersSent) response.destroy();
      else sendText(response, 500, "The gateway failed.\n", headers);
    }
  }

  return {
    async listen(host, port) {
      server.listen(port, host, BACKLOG);
      await once(server, "listening");
      // Such as too many open files. Without a listener it would end the process.
      server.on("error", (err) => log.error({ err }, "a connection could not be accepted"));
      const address = server.address() as AddressInfo;
      return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
    },
    serve(given) {
      services = given;
      routes = createRouteTable(given, () => phase === "leaving" || phase === "draining");
      phase = "serving";
    },
    async close({ delayMs, drainMs }) {
      phase = "leaving";
      if (services && delayMs > 0) {
        endsConnections = delayMs > REFILL_MS;
        await pause(Math.max(0, delayMs - REFILL_MS));
        endsConnections = false;
        await pause(Math.min(delayMs, REFILL_MS));
      }
      phase = "draining";
      const endsAt = performance.now() + (services ? drainMs : 0);
      const openSockets = () => services?.sockets.openSockets() ?? [];
      const drained = drain(() => [...openSockets(), ...streams, ...(services?.callbacks?.running() ?? [])], drainMs);
      await Promise.race([drained, untilTimeOfRequests(drainMs)]);
      await stopListening(server, {
        connections: connections.all,
        isBusy: pipelining.isBusy,
        hasSentRequest: connections.hasSentRequest,
        isUpgraded: connections.isUpgraded,
        accepted: connections.accepted,
        lastRequestAt: () => lastRequestAt,
        quietMs: services && delayMs > 0 ? IDLE_QUIET_MS : 0,
        endsAt,
        onCut: (requests) => log.warn({ requests }, "requests were cut: they did not end within DRAIN_SECONDS"),
      });
      await drained;
    },
  };
}
