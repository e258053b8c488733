// The floor of the live events: a webhook is kept (keep.ts), written as one text, and that text is sent to every socket that
// subscribed. No filters, no fields to choose, no cursor to resume from. First argument: the database's URL.
import { createServer } from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import { openKeep } from "./keep.ts";
import { bodyOf, listen } from "./listen.ts";

const keep = await openKeep(process.argv[2] ?? "");
const subscribers = new Set<WebSocket>();

const server = createServer((request, response) => {
  const answer = async () => {
    const body = await bodyOf(request);
    await keep(body);
    const text = messageOf(body);
    for (const subscriber of subscribers) subscriber.send(text);
    response.writeHead(200, { "content-type": "application/json", "content-length": 2 }).end("{}");
  };
  answer().catch(() => response.destroy());
});

function messageOf(body: Buffer): string {
  const { event_data: call } = JSON.parse(body.toString()) as { event_data: Record<string, unknown> };
  const callEnded = {
    cursor: "a cursor of about this length, as the gateway's",
    sessionId: call["session_id"],
    direction: "OUTBOUND",
    caller: call["caller"],
    callee: call["callee"],
    endAt: call["end_at"],
    hungUpBy: "CUSTOMER",
    hangupReason: call["hangup_reason"],
  };
  return JSON.stringify({ id: "1", type: "next", payload: { data: { callEnded } } });
}

const sockets = new WebSocketServer({ server, perMessageDeflate: false });
sockets.on("connection", (socket) => {
  socket.on("close", () => subscribers.delete(socket));
  socket.on("message", (data) => {
    const { type } = JSON.parse((data as Buffer).toString()) as { type: string };
    if (type === "connection_init") socket.send(`{"type":"connection_ack"}`);
    else subscribers.add(socket);
  });
});
await listen(server);
