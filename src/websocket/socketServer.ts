// GraphQL over WebSocket: accepts upgrades, limits what each socket may do, and closes it. protocol.ts handles the messages.
import type { IncomingMessage } from "node:http";
import { GRAPHQL_TRANSPORT_WS_PROTOCOL } from "graphql-ws";
import { WebSocketServer, type WebSocket } from "ws";
import type { Admit, Grant } from "../auth/grant.ts";
import { SOCKET_LIMITS } from "../config/limits.ts";
import type { Logger } from "../logger.ts";
import { addressOf } from "../server/connections/clientAddress.ts";
import { addressKey, viewerKey, type ConnectionQuota } from "../server/connections/connectionQuota.ts";
import type { Drainable } from "../server/connections/drain.ts";
import type { Rejections } from "../server/connections/rejections.ts";
import { refuseUpgrade } from "../server/httpResponse.ts";
import type { UpgradeHandler } from "../server/httpServer.ts";
import type { OriginPolicy } from "../server/originPolicy.ts";
import { observeOperations, type ServerObserver } from "../server/serverObserver.ts";
import { sessionOf } from "../server/sessionCookie.ts";
import type { OperationPipeline } from "../graphql/operation.ts";
import { createLogAggregator } from "../util/logAggregator.ts";
import { requestIdLines } from "../util/requestId.ts";
import { createTokenBucket, takeToken } from "../util/rates/tokenBucket.ts";
import { createSocketAuthenticator } from "./authenticateSocket.ts";
import { pauseWhileBehind } from "./backpressure.ts";
import { closeReasons, isRejection, refusals, type CloseReason, type SocketRefusal } from "./closeReasons.ts";
import { recordProgress, startHeartbeat, stopHeartbeat, type HeartbeatTimes } from "./heartbeat.ts";
import { createMessageTurns, type MessageTurnsDeps } from "./messageTurns.ts";
import { createSession, endAllOperations, handleMessage, isBusy } from "./protocol.ts";
import type { Session, SocketTransport } from "./protocol.ts";
import { createFrameBuffer, createSharedResultWriter } from "./sharedFrames.ts";
import { discardInput, startInitTimeout, type Connection } from "./socketConnection.ts";
import { closeCodeOf, wsOptions } from "./wsOptions.ts";

/** Disposing it logs the refusals that were not logged yet. */
export interface SocketServer extends UpgradeHandler, Disposable {
  /** The number of open sockets. */
  size(): number;
}

export interface SocketServerDeps extends MessageTurnsDeps {
  pipeline: OperationPipeline;
  admit: Admit;
  heartbeatTimes: HeartbeatTimes;
  /** Counts a socket for its address from the upgrade on, and for its viewer once that is known. */
  connectionQuota: ConnectionQuota;
  /** False for a gateway without authentication, where all viewers are the same. */
  knowsViewers: boolean;
  /** The number of proxies in front that write X-Forwarded-For. */
  trustedProxies: number;
  originPolicy: Pick<OriginPolicy, "cannotBeFromOtherSite" | "siteOf">;
  observer: ServerObserver;
  rejections: Pick<Rejections, "add">;
  log: Logger;
}

const REFUSAL_LOG_INTERVAL_MS = 60_000;

export function createSocketServer(deps: SocketServerDeps): SocketServer {
  const { heartbeatTimes, connectionQuota, knowsViewers, trustedProxies, originPolicy, rejections, log } = deps;
  const pipeline = observeOperations(deps.pipeline, deps.observer, "websocket");
  const authenticate = createSocketAuthenticator(deps);
  const frameBuffer = createFrameBuffer();
  const handleInTurn = createMessageTurns(deps);
  const sessions = new Set<Session>();
  const drainables = new WeakMap<Session, Drainable>(); // Created at shutdown, by `openSockets`.
  // Anybody can cause refusals: the first one is logged at once, and later ones as counts once a minute.
  const refusalLog = createLogAggregator((causes) => log.warn({ causes }, "WebSockets were refused"), {
    intervalMs: REFUSAL_LOG_INTERVAL_MS,
    reportsFirstAtOnce: true,
  });

  /** `address`: null if the rejection does not count against the peer. */
  function close(connection: Connection, reason: CloseReason, address: string | null = connection.address): void {
    const { socket } = connection;
    connection.closedAs = reason === closeReasons.shutdown ? "shutdown" : "rejected";
    if (socket.readyState === socket.OPEN && isRejection(reason.code))
      rejections.add("websocket", reason.code, address);
    socket.close(reason.code, reason.reason);
  }
  function refuse(connection: Connection, refusal: SocketRefusal): null {
    refusalLog.add(refusal.cause);
    close(connection, refusal, refusal.blamesPeer ? connection.address : null);
    return null;
  }
  function cutOff(connection: Connection): void {
    connection.isCutOff = true;
    close(connection, closeReasons.tooManyMessages);
    discardInput(connection.stream);
  }
  /** For the heartbeat: the peer has read and sent nothing for a minute. */
  function closeStalled(session: Session): void {
    endAllOperations(session, "slow");
    close(session.connection, closeReasons.noProgress);
  }

  /**
   * Counts a message, a ping or a pong. Cuts off a peer that sends too fast, and pauses one that does not read. False: the socket
   * is closing, and the message must be ignored.
   */
  function takeInput(connection: Connection): boolean {
    const { socket, tokenBucket, viewer, isCutOff } = connection;
    // ws still parses frames that came in the same read as the first one over the limit, perhaps ten thousand.
    if (isCutOff) return false;
    if (!takeToken(tokenBucket, viewer === null ? SOCKET_LIMITS.rateBeforeAck : SOCKET_LIMITS.rate, performance.now()))
      cutOff(connection);
    else pauseWhileBehind(connection);
    return socket.readyState === socket.OPEN;
  }

  /** Counts the socket for its viewer and follows the grant from now on, or returns why the socket must be closed. */
  function refusalOfViewer(connection: Connection, grant: Grant, onRevoked: () => void): SocketRefusal | null {
    const viewer = grant.viewer();
    if (!viewer) return refusals.expired;
    const releaseViewer = knowsViewers ? connectionQuota.acquire(viewerKey(viewer.name)) : noop;
    // Many of them may be dead sockets, which closeStalled closes within a minute. The client tries again by itself.
    if (!releaseViewer) return refusals.tooManySockets;
    connection.releaseViewer = releaseViewer;
    if (knowsViewers) connection.releaseAddress();
    connection.viewer = viewer.name;
    connection.tokenBucket = createTokenBucket(SOCKET_LIMITS.rate, performance.now());
    const isToken = viewer.tokenEndsAt !== undefined;
    connection.unsubscribeFromGrant = grant.onChange(() => {
      if (grant.viewer() !== null || connection.closedAs) return;
      if (!isToken) onRevoked();
      refuse(connection, isToken ? refusals.expired : refusals.revoked);
    });
    return null;
  }

  const transport: SocketTransport = {
    send: ({ socket, heartbeat }, text) =>
      new Promise((resolve) =>
        socket.send(text, (error) => {
          if (!error) recordProgress(heartbeat);
          resolve();
        }),
      ),
    close,
    createWriter: ({ socket, stream, heartbeat }, id) =>
      createSharedResultWriter({ socket, stream, id, frameBuffer, heartbeat }),
    async authenticate(connection, authorization, onRevoked) {
      const { socket, address, session, showsKeyElsewhere } = connection;
      connection.stopInitTimeout();
      connection.stopInitTimeout = noop;
      const result = await authenticate(authorization ?? session, address, showsKeyElsewhere);
      if (socket.readyState !== socket.OPEN) return null;
      if ("refusal" in result) return refuse(connection, result.refusal);
      const refusal = refusalOfViewer(connection, result.grant, onRevoked);
      return refusal ? refuse(connection, refusal) : result.grant;
    },
    fail(connection, err) {
      log.warn({ err }, "a WebSocket failed unexpectedly and is closed");
      close(connection, closeReasons.internalError);
    },
  };
  const protocolDeps = { transport, pipeline, log };

  function onMessage(session: Session, data: Buffer, isBinary: boolean): void {
    const connection = session.connection;
    recordProgress(connection.heartbeat);
    if (!takeInput(connection)) return;
    if (isBinary) close(connection, closeReasons.binaryMessage);
    else if (connection.viewer === null && data.length > SOCKET_LIMITS.messageBytesBeforeAck)
      close(connection, closeReasons.messageTooLarge);
    else handleInTurn(connection, data.length, () => handleMessage(session, data.toString("utf8")));
  }
  function onError(connection: Connection, err: Error): void {
    const code = closeCodeOf(err);
    if (code !== null) {
      connection.closedAs = "rejected";
      rejections.add("websocket", code, connection.address);
      discardInput(connection.stream);
    }
    log.debug({ err }, "a WebSocket had an error");
  }
  function onClose(session: Session): void {
    const { address, viewer, closedAs, heartbeat, stopInitTimeout, unsubscribeFromGrant, releaseViewer } =
      session.connection;
    if (viewer === null && !closedAs) rejections.add("websocket", "left", address);
    sessions.delete(session);
    stopHeartbeat(heartbeat);
    stopInitTimeout();
    unsubscribeFromGrant();
    releaseViewer();
    endAllOperations(session, closedAs ?? "client");
  }

  function openSession(socket: WebSocket, request: IncomingMessage, releaseAddress: () => void): void {
    const connection: Connection = {
      socket,
      // Only the stream: keeping the request would keep its headers in memory.
      stream: request.socket,
      address: addressOf(request, trustedProxies),
      heartbeat: startHeartbeat(socket, heartbeatTimes, () => closeStalled(session)),
      tokenBucket: createTokenBucket(SOCKET_LIMITS.rateBeforeAck, performance.now()),
      viewer: null,
      waitingBytes: 0,
      closedAs: null,
      isCutOff: false,
      session: knowsViewers ? sessionOf(request, originPolicy).credentials : undefined,
      showsKeyElsewhere: request.headers.authorization !== undefined,
      stopInitTimeout: startInitTimeout(() => close(connection, closeReasons.initTimeout)),
      releaseAddress,
      releaseViewer: noop,
      unsubscribeFromGrant: noop,
    };
    const session = createSession(connection, protocolDeps);
    sessions.add(session);
    socket.on("ping", () => takeInput(connection));
    socket.on("pong", () => {
      recordProgress(connection.heartbeat);
      takeInput(connection);
    });
    socket.on("message", (data, isBinary) => onMessage(session, data as Buffer, isBinary));
    socket.on("error", (err) => onError(connection, err));
    socket.on("close", () => onClose(session));
    if (socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL) close(connection, closeReasons.unknownSubprotocol);
  }

  const webSockets = new WebSocketServer(wsOptions);
  webSockets.on("connection", openSession).on("headers", (headers) => headers.push(...requestIdLines()));
  webSockets.on("wsClientError", (_, socket, request) => {
    rejections.add("upgrade", 400, addressOf(request, trustedProxies));
    refuseUpgrade(socket, "400 Bad Request\r\nsec-websocket-version: 13");
  });

  const drainableOf = (session: Session): Drainable =>
    drainables.getOrInsertComputed(session, () => ({
      isBusy: () => isBusy(session),
      close: () => close(session.connection, closeReasons.shutdown),
    }));

  return {
    upgrade(request, socket, head) {
      const address = addressOf(request, trustedProxies);
      const releaseAddress = connectionQuota.acquire(addressKey(address));
      if (!releaseAddress) {
        rejections.add("upgrade", 429, address);
        return refuseUpgrade(socket, "429 Too Many Requests");
      }
      socket.on("close", releaseAddress);
      webSockets.handleUpgrade(request, socket, head, (accepted) =>
        webSockets.emit("connection", accepted, request, releaseAddress),
      );
    },
    openSockets: () => [...sessions].map(drainableOf),
    size: () => sessions.size,
    [Symbol.dispose]: () => refusalLog[Symbol.dispose](),
  };
}

const noop = (): void => undefined;
