// A real server for GraphQL over WebSocket only, and clients with an acknowledged connection.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { OperationTypeNode, parse, type ExecutionResult } from "graphql";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { allowEveryone } from "../../src/auth/authenticate.ts";
import type { OperationPipeline } from "../../src/graphql/operation.ts";
import { HEARTBEAT } from "../../src/websocket/heartbeat.ts";
import { createOriginPolicy } from "../../src/server/originPolicy.ts";
import { createConnectionQuota } from "../../src/server/connections/connectionQuota.ts";
import { createSocketServer, type SocketServerDeps } from "../../src/websocket/socketServer.ts";
import { silentLog } from "../support/silentLog.ts";
import { noServerObserver } from "../../src/server/serverObserver.ts";
import { createTimeSlices } from "../../src/util/timeSlices.ts";

/** Closed with the test. Accepts everybody, unless `own` replaces that. */
export async function serveSockets(own: Partial<SocketServerDeps> & Pick<SocketServerDeps, "pipeline">) {
  const sockets = createSocketServer({
    admit: allowEveryone(),
    heartbeatTimes: HEARTBEAT,
    connectionQuota: createConnectionQuota(),
    knowsViewers: false,
    trustedProxies: 0,
    originPolicy: createOriginPolicy([], 0),
    observer: noServerObserver,
    rejections: { add() {} },
    slices: createTimeSlices(),
    log: silentLog,
    ...own,
  });
  const server = createServer().on("upgrade", (request, socket, head) => sockets.upgrade(request, socket, head));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { sockets, url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/graphql` };
}

/** Runs this in place of every query. */
export const pipelineOf = (run: () => ExecutionResult): OperationPipeline => ({
  prepare: () => ({
    kind: OperationTypeNode.QUERY,
    document: parse("{ __typename }"),
    name: null,
    run,
  }),
});

/** A client whose connection_init was acknowledged; terminated with the test. */
export async function openAcknowledged(url: string): Promise<WebSocket> {
  const socket = new WebSocket(url, "graphql-transport-ws");
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  socket.send('{"type":"connection_init"}');
  await once(socket, "message");
  return socket;
}
