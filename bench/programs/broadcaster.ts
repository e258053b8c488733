// The baseline of live events: stores a webhook (keep.ts), and sends it as one text to every subscribed socket. It has no
// filters, fields or cursors. Argument: the database's URL; without it nothing is stored.
import { createServer } from "node:http";
import { WebSocketServer, type WebSocket } from "ws";
import { callEndedOf } from "../support/callEndedOf.ts";
import { openKeep } from "./keep.ts";
import { bodyOf, listen } from "./listen.ts";

const url = process.argv[2];
const keep = url === undefined ? async () => {} : await openKeep(url);
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
  return JSON.stringify({ id: "1", type: "next", payload: { data: { callEnded: callEndedOf(body) } } });
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
