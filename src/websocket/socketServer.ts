// GraphQL over WebSocket: who may hold a socket, for how long, and how fast it may send. What is said on it is protocol.ts'.
import type { IncomingMessage } from "node:http";
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL } from "graphql-ws";
import { WebSocketServer, type WebSocket } from "ws";
import type { Grant } from "../auth/grant.ts";
import type { Admit } from "../auth/rateLimits.ts";
import type { Log } from "../log.ts";
import type { Counters } from "../server/counters.ts";
import { addressOf } from "../server/connections/clientAddress.ts";
import { refuseUpgrade } from "../server/httpResponse.ts";
import { awaitInit } from "./initTimeout.ts";
import * as closing from "./closeCodes.ts";
import { countOperations } from "../server/operationCounter.ts";
import { discardRest } from "./discardRest.ts";
import type { Drainable } from "../server/connections/drain.ts";
import * as frames from "./wsOptions.ts";
import { recordProgress, stopHeartbeat, startHeartbeat, type HeartbeatTimes } from "./heartbeat.ts";
import { createFrameBuffer, createSharedResultWriter } from "./sharedFrames.ts";
import type { Rejections } from "../server/connections/rejections.ts";
import type { UpgradeHandler } from "../server/upgradeHandler.ts";
import type { OperationPipeline } from "../graphql/pipeline.ts";
import { createTokenBucket, takeToken, RATE_BEFORE_ACK, SOCKET_RATE } from "../util/tokenBucket.ts";
import { pauseWhileUnread } from "./backpressure.ts";
import { addressKey, viewerKey, type ConnectionQuota } from "../server/connections/connectionQuota.ts";
import { createPeer, endAll, heard, isBusy, type Peer, type Wire } from "./protocol.ts";
import { createSocketAuthenticator } from "./authenticateSocket.ts";
import type { Connection } from "./socketConnection.ts";
import { createRefusalLog, refusals, type SocketRefusal } from "./closeReasons.ts";

/** Disposing logs the refusals that were not logged yet. */
export interface SocketServer extends UpgradeHandler, Disposable {
  /** How many there are. */
  size(): number;
}

export interface SocketServerDeps {
  pipeline: OperationPipeline;
  admit: Admit;
  heartbeatTimes: HeartbeatTimes;
  /** An address's from the upgrade until its viewer is known, the viewer's from then on. */
  connectionQuota: ConnectionQuota;
  /** Whether viewers are told apart: an open gateway has one for everybody. */
  knowsViewers: boolean;
  /** How many proxies in front write X-Forwarded-For. */
  trustedProxies: number;
  counters: Pick<Counters, "operations">;
  rejections: Pick<Rejections, "add">;
  log: Log;
}

export function createSocketServer(deps: SocketServerDeps): SocketServer {
  const {
    heartbeatTimes: times,
    connectionQuota: places,
    knowsViewers,
    trustedProxies,
    counters: meters,
    rejections: notServed,
    log,
  } = deps;
  const pipeline = countOperations(deps.pipeline, meters.operations, "websocket");
  const sockets = new WebSocketServer(frames.settings);
  sockets.on("wsClientError", (_, socket, request) => {
    notServed.add("upgrade", 400, addressOf(request, trustedProxies));
    refuseUpgrade(socket, "400 Bad Request\r\nsec-websocket-version: 13");
  });
  const open = new Set<Peer<Connection>>();
  /** Made when they are asked for, which is at the end. */
  const lastings = new WeakMap<Peer<Connection>, Drainable>();
  const space = createFrameBuffer();
  const judge = createSocketAuthenticator(deps);
  const refused = createRefusalLog(log);

  function close(connection: Connection, code: number, reason: string, address: string | null = connection.address) {
    const { socket } = connection;
    connection.isEnded = true;
    if (socket.readyState === socket.OPEN && code >= closing.UNSUPPORTED_DATA && code !== closing.SERVICE_RESTART)
      notServed.add("websocket", code, address);
    socket.close(code, closing.limited(reason));
  }
  function refuse(connection: Connection, { code, reason, cause, isOfPeer }: SocketRefusal): null {
    refused.add(cause);
    close(connection, code, reason, isOfPeer ? connection.address : null);
    return null;
  }
  function cutOff(connection: Connection): void {
    connection.isCutOff = true;
    close(connection, closing.POLICY_VIOLATION, "Too many messages.");
    discardRest(connection.stream);
  }
  function stalled(peer: Peer<Connection>): void {
    const connection = peer.socket;
    endAll(peer);
    // A reader that comes back to life finds this close behind what it had not read, and can resume from its cursor.
    close(connection, closing.TRY_AGAIN_LATER, "Nothing was read for too long.");
  }
  /** False where the socket is being closed, or is now because the peer sends too fast. */
  function isHeard(connection: Connection): boolean {
    const { socket, pace, isAdmitted, isCutOff } = connection;
    // Frames that came together with the one that was too many are still parsed, and there may be ten thousand.
    if (isCutOff) return false;
    if (!takeToken(pace, isAdmitted ? SOCKET_RATE : RATE_BEFORE_ACK, performance.now())) cutOff(connection);
    else pauseWhileUnread(connection);
    return socket.readyState === socket.OPEN;
  }
  /** Null: it has a place. */
  function seat(connection: Connection, grant: Grant, onRevoked: () => void): SocketRefusal | null {
    const viewer = grant.viewer();
    if (!viewer) return refusals.expired;
    const leaveViewer = knowsViewers ? places.acquire(viewerKey(viewer.name)) : none;
    // Most of them may be dead, and found out within a minute: a client of the protocol tries again by itself.
    if (!leaveViewer) return refusals.tooManySockets;
    connection.leaveViewer = leaveViewer;
    if (knowsViewers) connection.leaveAddress();
    connection.isAdmitted = true;
    connection.pace = createTokenBucket(SOCKET_RATE, performance.now());
    const isToken = viewer.tokenEndsAt !== undefined;
    connection.leaveGrant = grant.onChange(() => {
      if (grant.viewer() !== null || connection.isEnded) return;
      if (!isToken) onRevoked();
      refuse(connection, isToken ? refusals.expired : refusals.revoked);
    });
    return null;
  }

  const wire: Wire<Connection> = {
    send: ({ socket, liveness }, text) =>
      new Promise((resolve) =>
        socket.send(text, (error) => {
          if (!error) recordProgress(liveness);
          resolve();
        }),
      ),
    close,
    takeFor: ({ socket, stream, liveness }, id) => createSharedResultWriter({ socket, stream, id, space, liveness }),
    async admit(connection, authorization, onRevoked) {
      const { socket, address } = connection;
      connection.begun();
      connection.begun = none;
      const judged = await judge(authorization, address);
      if (socket.readyState !== socket.OPEN) return null;
      if ("refusal" in judged) return refuse(connection, judged.refusal);
      const refusal = seat(connection, judged.grant, onRevoked);
      return refusal ? refuse(connection, refusal) : judged.grant;
    },
    fail(connection, err) {
      log.warn({ err }, "a socket failed");
      close(connection, CloseCode.InternalServerError, "Internal error.");
    },
  };
  const protocolDeps = { wire, pipeline, log };

  function take(peer: Peer<Connection>, data: Buffer, isBinary: boolean): void {
    const connection = peer.socket;
    recordProgress(connection.liveness);
    if (!isHeard(connection)) return;
    if (isBinary) close(connection, closing.UNSUPPORTED_DATA, "Only text is taken.");
    else if (!connection.isAdmitted && data.length > frames.MESSAGE_LIMIT_BEFORE_ACK)
      close(connection, closing.MESSAGE_TOO_BIG, "A message has at most 4 KiB before connection_ack.");
    else heard(peer, data.toString("utf8"));
  }
  function broke(connection: Connection, err: Error): void {
    const code = frames.codeOf(err);
    if (code !== null) {
      connection.isEnded = true;
      notServed.add("websocket", code, connection.address);
      discardRest(connection.stream);
    }
    log.debug({ err }, "a socket broke");
  }
  function gone(peer: Peer<Connection>): void {
    const { address, isAdmitted, isEnded, liveness, begun, leaveGrant, leaveViewer } = peer.socket;
    if (!isAdmitted && !isEnded) notServed.add("websocket", "left", address);
    open.delete(peer);
    stopHeartbeat(liveness);
    for (const leave of [begun, leaveGrant, leaveViewer]) leave();
    endAll(peer);
  }

  function lastingOf(peer: Peer<Connection>): Drainable {
    const made = lastings.get(peer) ?? {
      isBusy: () => isBusy(peer),
      close: () => close(peer.socket, closing.SERVICE_RESTART, "The gateway is stopping."),
    };
    lastings.set(peer, made);
    return made;
  }

  sockets.on("connection", (socket: WebSocket, request: IncomingMessage, leaveAddress: () => void) => {
    const connection: Connection = {
      socket,
      // The request itself, with its headers, is not kept for as long as the socket lives.
      stream: request.socket,
      address: addressOf(request, trustedProxies),
      liveness: startHeartbeat(socket, times, () => stalled(peer)),
      pace: createTokenBucket(RATE_BEFORE_ACK, performance.now()),
      isAdmitted: false,
      isEnded: false,
      isCutOff: false,
      begun: awaitInit(() =>
        close(connection, CloseCode.ConnectionInitialisationTimeout, "Connection initialisation timeout"),
      ),
      leaveAddress,
      leaveViewer: none,
      leaveGrant: none,
    };
    const peer = createPeer(connection, protocolDeps);
    open.add(peer);
    socket.on("ping", () => isHeard(connection));
    socket.on("pong", () => {
      recordProgress(connection.liveness);
      isHeard(connection);
    });
    socket.on("message", (data, isBinary) => take(peer, data as Buffer, isBinary));
    socket.on("error", (err) => broke(connection, err));
    socket.on("close", () => gone(peer));
    if (socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL)
      close(connection, CloseCode.SubprotocolNotAcceptable, "Subprotocol not acceptable");
  });

  return {
    upgrade(request, socket, head) {
      const address = addressOf(request, trustedProxies);
      const leave = places.acquire(addressKey(address));
      if (!leave) {
        notServed.add("upgrade", 429, address);
        return refuseUpgrade(socket, "429 Too Many Requests");
      }
      socket.on("close", leave);
      sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit("connection", accepted, request, leave));
    },
    open: () => [...open].map(lastingOf),
    size: () => open.size,
    [Symbol.dispose]: () => refused[Symbol.dispose](),
  };
}

const none = (): void => undefined;
