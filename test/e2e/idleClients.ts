// Clients that send nothing after they subscribed, and count the pings that they get.
import { once } from "node:events";
import { WebSocket } from "ws";
import { until } from "../support/until.ts";

export interface IdleClients extends AsyncDisposable {
  socket: WebSocket;
  socketPings: () => number;
  streamPings: () => number;
  /** Whether the socket or the stream has ended. */
  closed: () => boolean;
}

/** An authenticated WebSocket, and a stream, that nothing is sent to but pings. */
export async function openIdle(url: string, headers: { authorization: string }): Promise<IdleClients> {
  const left = new AbortController();
  const socket = new WebSocket(`${url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  let isClosed = false;
  let socketPings = 0;
  let streamPings = 0;
  socket.on("close", () => (isClosed = true)).on("ping", () => (socketPings += 1));
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload: headers }));
  await once(socket, "message");
  const stream = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "text/event-stream", ...headers },
    body: JSON.stringify({ query: `subscription { callEnded(filter: { taskIds: ["999999"] }) { sessionId } }` }),
    signal: left.signal,
  });
  const read = async () => {
    for await (const chunk of stream.body ?? [])
      streamPings += new TextDecoder().decode(chunk).split(":\n\n").length - 1;
    isClosed = true;
  };
  void read().catch(() => (isClosed = true));
  return {
    socket,
    socketPings: () => socketPings,
    streamPings: () => streamPings,
    closed: () => isClosed,
    async [Symbol.asyncDispose]() {
      left.abort();
      socket.terminate();
      await until(() => isClosed);
    },
  };
}
