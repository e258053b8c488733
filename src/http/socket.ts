// GraphQL over WebSocket: who may hold a socket, for how long, and how fast it may send. What is said on it is protocol.ts'.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { CloseCode, GRAPHQL_TRANSPORT_WS_PROTOCOL } from "graphql-ws";
import { WebSocketServer, type WebSocket } from "ws";
import type { Grant } from "../auth/grant.ts";
import type { Admit } from "../auth/rates.ts";
import type { Log } from "../log.ts";
import type { Meters } from "../meters.ts";
import { addressOf } from "./address.ts";
import { refuseUpgrade } from "./answer.ts";
import { awaitInit } from "./awaitInit.ts";
import * as closing from "./closeCodes.ts";
import { countOperations } from "./countOperations.ts";
import type { Lasting } from "./drain.ts";
import * as frames from "./frames.ts";
import { watchLiveness, type LivenessTimes } from "./liveness.ts";
import { createFrameSpace, createTake } from "./nextFrame.ts";
import type { NotServed } from "./notServed.ts";
import type { OperationPipeline } from "./operation.ts";
import { createPace, SOCKET_PACE } from "./pace.ts";
import { ofAddress, ofViewer, type Places } from "./places.ts";
import { createPeer, endAll, heard, isBusy } from "./protocol.ts";

export interface SocketServer {
  /** Takes an upgrade whose origin and path were checked. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Those that are open. One that is sent away is closed with 1012: a client of the protocol comes back by itself. */
  open: ReadonlySet<Lasting>;
}

export interface SocketServerDeps {
  pipeline: OperationPipeline;
  admit: Admit;
  times: LivenessTimes;
  /** An address's from the upgrade until its viewer is known, the viewer's from then on. */
  places: Places;
  /** Whether viewers are told apart: an open gateway has one for everybody. */
  knowsViewers: boolean;
  /** How many proxies in front write X-Forwarded-For. */
  trustedProxies: number;
  meters: Pick<Meters, "operations">;
  notServed: Pick<NotServed, "add">;
  log: Log;
}

/** How long a stalled socket may take to hear why it is closed. */
const LAST_WORD_MS = 5000;

export function createSocketServer(deps: SocketServerDeps): SocketServer {
  const { admit, times, places, knowsViewers, trustedProxies, meters, notServed, log } = deps;
  const pipeline = countOperations(deps.pipeline, meters.operations, "websocket");
  const sockets = new WebSocketServer(frames.settings);
  sockets.on("wsClientError", (_, socket, request) => {
    notServed.add("upgrade", 400, addressOf(request, trustedProxies));
    refuseUpgrade(socket, "400 Bad Request\r\nsec-websocket-version: 13");
  });
  const protocolDeps = { pipeline, log };
  const open = new Set<Lasting>();
  const space = createFrameSpace();

  sockets.on("connection", (socket: WebSocket, request: IncomingMessage, leaveAddress: () => void) => {
    const address = addressOf(request, trustedProxies);
    // The request itself, with its headers, is not kept for as long as the socket lives.
    const { socket: stream } = request;
    const close = (code: number, reason: string) => {
      if (socket.readyState === socket.OPEN && code >= closing.UNSUPPORTED_DATA && code !== closing.SERVICE_RESTART)
        notServed.add("websocket", code, address);
      socket.close(code, closing.limited(reason));
    };
    const fail = (err: unknown) => {
      log.warn({ err }, "a socket failed");
      close(CloseCode.InternalServerError, "Internal error.");
    };
    const endSoon = () => {
      const end = setTimeout(() => socket.terminate(), LAST_WORD_MS).unref();
      // It would keep all that the socket was, long after it is gone.
      socket.once("close", () => clearTimeout(end));
    };
    const liveness = watchLiveness(socket, times, () => {
      endAll(peer);
      // A reader that comes back to life finds this close behind what it had not read, and can resume from its cursor.
      close(closing.TRY_AGAIN_LATER, "Nothing was read for too long.");
      endSoon();
    });
    const pace = createPace(SOCKET_PACE);
    let isCast = false;
    const cast = (code: number, reason: string) => {
      isCast = true;
      close(code, reason);
      endSoon();
    };
    /** False where the peer was, or is now, cast out: what it goes on sending is not looked at. */
    const isHeard = () => {
      if (!isCast && !pace.allows()) cast(closing.POLICY_VIOLATION, "Too many messages.");
      return !isCast;
    };
    let begun = awaitInit(() => close(CloseCode.ConnectionInitialisationTimeout, "Connection initialisation timeout"));
    let leaveGrant = none;
    let leavePlace = none;
    /** False where its viewer has too many. */
    const seat = (grant: Grant) => {
      if (socket.readyState !== socket.OPEN) return false;
      leaveGrant = grant.onChange(() => grant.viewer() === null && close(CloseCode.Forbidden, "Forbidden"));
      const viewer = grant.viewer();
      if (!knowsViewers || !viewer) return viewer !== null;
      const leaveViewer = places.take(ofViewer(viewer.name));
      leavePlace = leaveViewer ?? none;
      // Most of them may be dead, and found out within a minute: a client of the protocol tries again by itself.
      if (!leaveViewer) cast(closing.TRY_AGAIN_LATER, "Too many sockets.");
      leaveAddress();
      return leaveViewer !== null;
    };
    const peer = createPeer(
      {
        send: (text) =>
          new Promise((resolve) =>
            socket.send(text, (error) => {
              if (!error) liveness.progressed();
              resolve();
            }),
          ),
        close,
        takeFor: (id) => createTake({ socket, stream, id, space, onSent: liveness.progressed }),
        async admit(authorization) {
          begun();
          begun = none;
          const grant = await Promise.try(admit, authorization, address).catch(() => null);
          return grant && seat(grant) ? grant : null;
        },
        fail,
      },
      protocolDeps,
    );
    const lasting: Lasting = {
      isBusy: () => isBusy(peer),
      leave: () => close(closing.SERVICE_RESTART, "The gateway is stopping."),
    };
    open.add(lasting);
    socket.on("ping", isHeard).on("pong", isHeard);
    socket.on("message", (data, isBinary) => {
      if (!isHeard() || socket.readyState !== socket.OPEN) return;
      if (isBinary) close(closing.UNSUPPORTED_DATA, "Only text is taken.");
      else heard(peer, (data as Buffer).toString("utf8"));
    });
    socket.on("error", (err) => {
      const code = frames.codeOf(err);
      if (code !== null) notServed.add("websocket", code, address);
      log.debug({ err }, "a socket broke");
    });
    socket.on("close", () => {
      liveness.stop();
      for (const leave of [begun, leaveGrant, leavePlace]) leave();
      open.delete(lasting);
      endAll(peer);
    });
    if (socket.protocol !== GRAPHQL_TRANSPORT_WS_PROTOCOL)
      close(CloseCode.SubprotocolNotAcceptable, "Subprotocol not acceptable");
  });

  return {
    upgrade(request, socket, head) {
      const address = addressOf(request, trustedProxies);
      const leave = places.take(ofAddress(address));
      if (!leave) {
        notServed.add("upgrade", 429, address);
        return refuseUpgrade(socket, "429 Too Many Requests");
      }
      socket.on("close", leave);
      sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit("connection", accepted, request, leave));
    },
    open,
  };
}

const none = (): void => undefined;
