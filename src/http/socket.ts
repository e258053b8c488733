// GraphQL over WebSocket: the protocol is graphql-ws', the operation goes through the one pipeline.
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { OperationTypeNode, GraphQLError, type ExecutionArgs, type GraphQLSchema } from "graphql";
import { CloseCode, makeServer, type ServerOptions } from "graphql-ws";
import { WebSocketServer, type WebSocket } from "ws";
import type { Grant } from "../auth/grant.ts";
import type { Admit } from "../auth/rates.ts";
import { exactReviver } from "../dialect/exactJson.ts";
import { CodedError, publicError, withoutHttpHint } from "../errors.ts";
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
import { createTake } from "./nextFrame.ts";
import type { NotServed } from "./notServed.ts";
import type { Operation, OperationPipeline } from "./operation.ts";
import { createPace, SOCKET_PACE } from "./pace.ts";
import { ofAddress, ofViewer, type Places } from "./places.ts";
import { createRequestId } from "./requestId.ts";
import type { Take } from "./sharedGroup.ts";

export interface SocketServer {
  /** Takes an upgrade whose origin and path were checked. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Those that are open. One that is sent away is closed with 1012: a client of the protocol comes back by itself. */
  open: ReadonlySet<Lasting>;
}

export interface SocketServerDeps {
  pipeline: OperationPipeline;
  schema: GraphQLSchema;
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

interface Extra extends Record<PropertyKey, unknown> {
  grant: Grant | null;
  /** Called once, when the socket's credentials are known; false where its viewer has too many. */
  seat: (grant: Grant) => boolean;
  address: string;
  /** Called when connection_init came. */
  begun: () => void;
  /** Of each operation under way, by its id: aborted when it is over, by whoever ended it. */
  operations: Map<string, AbortController>;
  /** Where an operation's results go that many subscribers are told. */
  takeFor: (id: string) => Take;
  /** The ids of those that end by themselves. */
  answering: Set<string>;
}

/** What onSubscribe gives to graphql-ws, which only looks at the document, and hands it on to execute. */
type PreparedArgs = ExecutionArgs & { prepared: Operation; signal: AbortSignal; take: Take };

/** How long a stalled socket may take to hear why it is closed. */
const LAST_WORD_MS = 5000;
const MOST_OPERATIONS = 100;

export function createSocketServer(deps: SocketServerDeps): SocketServer {
  const { schema, admit, times, places, knowsViewers, trustedProxies, meters, notServed, log } = deps;
  const pipeline = countOperations(deps.pipeline, meters.operations, "websocket");
  const sockets = new WebSocketServer(frames.settings);
  sockets.on("wsClientError", (_, socket, request) => {
    notServed.add("upgrade", 400, addressOf(request, trustedProxies));
    refuseUpgrade(socket, "400 Bad Request\r\nsec-websocket-version: 13");
  });
  const run = (args: ExecutionArgs) => {
    const { prepared, signal, take } = args as PreparedArgs;
    return prepared.run(signal, take);
  };
  const options: ServerOptions<Record<string, unknown>, Extra> = {
    // Ours: see awaitInit.
    connectionInitWaitTimeout: 0,
    execute: run,
    subscribe: run,
    async onConnect({ connectionParams, extra }) {
      extra.begun();
      const given = connectionParams?.["authorization"] ?? connectionParams?.["Authorization"];
      extra.grant = await admit(typeof given === "string" ? given : undefined, extra.address).catch(() => null);
      // Closed by then, where it is not let in: what graphql-ws sends after it is lost.
      return extra.grant !== null && extra.seat(extra.grant);
    },
    onSubscribe({ extra, subscriptions }, id, payload) {
      if (!extra.grant) throw new Error("an operation came before its socket was known");
      // The protocol's own, this one among them: one that its client completed is none, though it may still be ending.
      if (Object.keys(subscriptions).length > MOST_OPERATIONS) return [opened(tooManyOperations(), log)];
      const prepared = pipeline.prepare(payload, extra.grant);
      if ("errors" in prepared) return prepared.errors;
      const leaving = new AbortController();
      extra.operations.set(id, leaving);
      if (prepared.kind !== OperationTypeNode.SUBSCRIPTION) extra.answering.add(id);
      const args: PreparedArgs = {
        schema,
        document: prepared.document,
        operationName: prepared.name,
        prepared,
        signal: leaving.signal,
        take: extra.takeFor(id),
      };
      return args;
    },
    onComplete({ extra }, id) {
      extra.operations.get(id)?.abort();
      extra.operations.delete(id);
      extra.answering.delete(id);
    },
    // What the protocol's own code met, such as a result that cannot be written: it has no public form yet.
    onError: (_context, _id, _payload, errors) => errors.map((error) => opened(error, log).toJSON()),
    jsonMessageReviver: exactReviver as (key: string, value: unknown) => unknown,
  };
  const protocol = makeServer(options);
  const open = new Set<Lasting>();

  sockets.on("connection", (socket: WebSocket, request: IncomingMessage, leaveAddress: () => void) => {
    const address = addressOf(request, trustedProxies);
    const operations: Extra["operations"] = new Map();
    const answering: Extra["answering"] = new Set();
    const close = (code: number, reason: string) => {
      if (socket.readyState === socket.OPEN && code >= closing.UNSUPPORTED_DATA && code !== closing.SERVICE_RESTART)
        notServed.add("websocket", code, address);
      socket.close(code, closing.limited(reason));
    };
    const fail = (err: unknown) => {
      log.warn({ err }, "a socket failed");
      close(CloseCode.InternalServerError, "Internal error.");
    };
    const liveness = watchLiveness(socket, times, () => {
      for (const operation of operations.values()) operation.abort();
      // A reader that comes back to life finds this close behind what it had not read, and can resume from its cursor.
      close(closing.TRY_AGAIN_LATER, "Nothing was read for too long.");
      setTimeout(() => socket.terminate(), LAST_WORD_MS).unref();
    });
    const pace = createPace(SOCKET_PACE);
    let isCast = false;
    const cast = (reason: string) => {
      isCast = true;
      close(closing.POLICY_VIOLATION, reason);
      setTimeout(() => socket.terminate(), LAST_WORD_MS).unref();
    };
    /** False where the peer was, or is now, cast out: what it goes on sending is not looked at. */
    const isHeard = () => {
      if (!isCast && !pace.allows()) cast("Too many messages.");
      return !isCast;
    };
    const begun = awaitInit(() =>
      close(CloseCode.ConnectionInitialisationTimeout, "Connection initialisation timeout"),
    );
    const leaving = new Set<() => void>([begun]);
    const seat = (grant: Grant) => {
      if (socket.readyState !== socket.OPEN) return false;
      leaving.add(grant.onChange(() => grant.viewer() === null && close(CloseCode.Forbidden, "Forbidden")));
      const viewer = grant.viewer();
      if (!knowsViewers || !viewer) return viewer !== null;
      const leaveViewer = places.take(ofViewer(viewer.name));
      if (leaveViewer) leaving.add(leaveViewer);
      else cast("Too many sockets.");
      leaveAddress();
      return leaveViewer !== null;
    };
    // The request itself, with its headers, is not kept for as long as the socket lives.
    const { socket: stream } = request;
    const takeFor = (id: string) => createTake(socket, stream, id, liveness.progressed);
    socket.on("ping", isHeard).on("pong", isHeard);
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        // Resolves when the bytes have left: whoever follows the log waits here, and lags there.
        send: (text) =>
          new Promise((resolve) =>
            socket.send(text, (error) => {
              if (!error) liveness.progressed();
              resolve();
            }),
          ),
        close,
        onMessage(take) {
          socket.on("message", (data, isBinary) => {
            if (!isHeard()) return;
            if (isBinary) close(closing.UNSUPPORTED_DATA, "Only text is taken.");
            else take((data as Buffer).toString("utf8")).catch(fail);
          });
        },
      },
      { grant: null, operations, answering, takeFor, seat, address, begun },
    );
    const lasting: Lasting = {
      isBusy: () => answering.size > 0,
      leave: () => close(closing.SERVICE_RESTART, "The gateway is stopping."),
    };
    open.add(lasting);
    socket.on("error", (err) => {
      const code = frames.codeOf(err);
      if (code !== null) notServed.add("websocket", code, address);
      log.debug({ err }, "a socket broke");
    });
    socket.once("close", (code, reason) => {
      liveness.stop();
      for (const leave of leaving) leave();
      open.delete(lasting);
      for (const operation of operations.values()) operation.abort();
      closed(code, String(reason)).catch(fail);
    });
  });

  return {
    upgrade(request, socket, head) {
      const address = addressOf(request, trustedProxies);
      const leave = places.take(ofAddress(address));
      if (!leave) {
        notServed.add("upgrade", 429, address);
        return refuseUpgrade(socket, "429 Too Many Requests");
      }
      socket.once("close", leave);
      sockets.handleUpgrade(request, socket, head, (accepted) => sockets.emit("connection", accepted, request, leave));
    },
    open,
  };
}

const tooManyOperations = () =>
  new GraphQLError("", {
    originalError: new CodedError("RATE_LIMITED", `A socket runs at most ${MOST_OPERATIONS} operations at once.`, {
      retryAfter: 1,
    }),
  });

function opened(error: GraphQLError, log: Log): GraphQLError {
  if (error.extensions["requestId"] !== undefined) return withoutHttpHint(error);
  return publicError(error, { requestId: createRequestId(), log });
}
