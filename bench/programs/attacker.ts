// Attacks without credentials: `attacker URL PER-SECOND SLOW FROM`. Sends webhooks at a given rate, each on a new connection,
// and opens slow connections that send a byte a second. A request to its own address returns the counts. It stands for other
// machines, so it yields the processor to the gateway and its clients.
import { connect, createServer, type Socket } from "node:net";
import { setPriority } from "node:os";
import { listen } from "./listen.ts";

const [target = "", perSecond = "0", slow = "0", localAddress = "127.0.0.1"] = process.argv.slice(2);
const { hostname, port } = new URL(target);
const TICK_MS = 5;
/** The largest number of open connections. Further ones are skipped, so that a delay causes no burst later. */
const MAX_OPEN = 200;
const BODY = JSON.stringify({ event_name: "call_ended", event_data: { session_id: "x".repeat(400) } });
const WEBHOOK = Buffer.from(
  `POST /calllog HTTP/1.1\r\nhost: x\r\nauthorization: wrong\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`,
);
const SLOW_HEAD = "POST /graphql HTTP/1.1\r\nhost: x\r\nx-slow: ";

setPriority(19);
const counts = { refused: 0, broken: 0, slow: 0 };
let open = 0;

const dial = (): Socket =>
  connect({ host: hostname, port: Number(port), localAddress }).on("error", () => (counts.broken += 1));

function flood(): void {
  open += 1;
  const socket = dial();
  socket.once("connect", () => socket.write(WEBHOOK));
  socket.once("data", () => (counts.refused += 1));
  socket.once("close", () => (open -= 1));
  socket.on("end", () => socket.destroy());
}

/** Reconnects as soon as it is closed. */
function crawl(): void {
  const socket = dial().resume();
  let drip: NodeJS.Timeout | undefined;
  socket.once("connect", () => {
    counts.slow += 1;
    socket.write(SLOW_HEAD);
    drip = setInterval(() => socket.write("x"), 1000);
  });
  socket.once("close", () => {
    if (drip) counts.slow -= 1;
    clearInterval(drip);
    setTimeout(crawl, 100);
  });
}

for (let at = 0; at < Number(slow); at += 1) crawl();
let due = 0;
let before = performance.now();
setInterval(() => {
  const now = performance.now();
  due = Math.min(due + ((now - before) / 1000) * Number(perSecond), MAX_OPEN);
  before = now;
  for (; due >= 1 && open < MAX_OPEN; due -= 1) flood();
}, TICK_MS);

await listen(
  createServer((socket) => {
    const body = JSON.stringify(counts);
    socket.on("error", () => socket.destroy());
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`);
  }),
);
