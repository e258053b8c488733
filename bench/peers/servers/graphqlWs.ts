// Plain graphql-ws: each subscriber's operation is executed and written for each event. An event is what is POSTed.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSchema } from "graphql-yoga";
import { useServer } from "graphql-ws/use/ws";
import { WebSocketServer } from "ws";
import { callEndedOf, eventTypeDefs } from "./event.ts";
import { tellReady } from "./ready.ts";

type Listener = (event: unknown) => void;
const listeners = new Set<Listener>();

/** Each event once, in order, to whoever iterates; those that come before they are asked for wait. */
function follow(): AsyncIterableIterator<unknown> {
  const waiting: unknown[] = [];
  let wake: Listener | null = null;
  const listener: Listener = (event) => {
    if (wake === null) return void waiting.push(event);
    wake(event);
    wake = null;
  };
  listeners.add(listener);
  return {
    next: async () => ({
      done: false,
      value: waiting.length > 0 ? waiting.shift() : await new Promise((resolve) => (wake = resolve)),
    }),
    async return() {
      listeners.delete(listener);
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

const schema = createSchema({
  typeDefs: eventTypeDefs,
  resolvers: { Subscription: { callEnded: { subscribe: follow, resolve: (event: unknown) => event } } },
});
const server = createServer((request, response) => {
  const answer = async () => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const event = callEndedOf(Buffer.concat(chunks));
    for (const listener of listeners) listener(event);
    response.writeHead(200, { "content-type": "application/json", "content-length": 2 }).end("{}");
  };
  answer().catch(() => response.destroy());
});
useServer({ schema }, new WebSocketServer({ server, path: "/graphql", perMessageDeflate: false }));
server.listen(0, "127.0.0.1", () => tellReady((server.address() as AddressInfo).port));
