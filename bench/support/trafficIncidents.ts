// Incidents of docs/runbook.md in the traffic: webhooks, requests to the service, and clients.
import { once } from "node:events";
import { WebSocket } from "ws";
import { callEndedEvent } from "../../test/support/events.ts";
import type { GatewayAddress } from "../../test/support/gateway.ts";
import { WEBHOOK_AUTHORIZATION } from "../../test/support/sandbox.ts";
import { failing, repeat, type Incident, type World } from "./incident.ts";

const LIST = "{ callLogs(first: 5) { nodes { sessionId } } }";
const NO_END = { answer_at: "", end_at: "", duration: 0, billsec: 0, hangup_side: "", hangup_reason: "" };

const askOften = ({ gateway, authorization }: World) =>
  Promise.all([1, 2, 3].map(() => gateway.ask(LIST, {}, authorization)));

/** Meanwhile the service's own calls end without one. */
async function withoutWebhooks({ sandbox, gateway }: World, work: () => Promise<void>): Promise<void> {
  await sandbox.control("PUT", "webhook", { url: "http://127.0.0.1:9/away", authorization: "x" });
  await work();
  await sandbox.control("PUT", "webhook", { url: `${gateway.url}/calllog`, authorization: WEBHOOK_AUTHORIZATION });
}

export const trafficIncidents: readonly Incident[] = [
  {
    title: "webhooks stop",
    alerts: ["SwitchboardWebhooksStopped", "SwitchboardReconciledMany", "SwitchboardWebhooksQuiet"],
    async cause(world, signal) {
      await withoutWebhooks(world, () => repeat(signal, 500, () => world.sandbox.endCall()));
      await world.sandbox.endCall();
    },
  },
  {
    title: "every webhook has a wrong header",
    alerts: ["SwitchboardWebhooksRefused"],
    cause: (world, signal) =>
      withoutWebhooks(world, () =>
        repeat(signal, 200, () => world.gateway.deliver(callEndedEvent(), { authorization: "wrong" })),
      ),
  },
  {
    title: "webhooks cannot be read",
    alerts: ["SwitchboardQuarantineGrows"],
    cause: ({ gateway }, signal) => repeat(signal, 500, () => gateway.deliver("{")),
  },
  {
    title: "no webhook ends a call",
    alerts: ["SwitchboardNoWebhookEndsACall"],
    cause: (world, signal) =>
      withoutWebhooks(world, () => repeat(signal, 500, () => world.gateway.deliver(callEndedEvent(NO_END)))),
  },
  {
    title: "the service turns slow",
    alerts: ["SwitchboardServiceSlow"],
    async cause(world, signal) {
      await failing(world, { kind: "latency", ms: 3000, match: { path: "/openapi" } }, () =>
        repeat(signal, 200, () => askOften(world)),
      );
      await askOften(world);
    },
  },
  {
    title: "the service fails",
    alerts: ["SwitchboardServiceDown"],
    async cause(world, signal) {
      await failing(world, { kind: "status", status: 503, match: { path: "/openapi" } }, () =>
        repeat(signal, 200, () => askOften(world)),
      );
      await askOften(world);
    },
  },
  {
    title: "the service does not answer some requests",
    alerts: ["SwitchboardServiceTimeouts"],
    async cause(world, signal) {
      const waiting = new Set<Promise<unknown>>();
      // One in eight, so that the circuit breaker stays closed. Each asks for another number, so that none shares a request.
      const askInVain = async () => {
        const list = `{ callLogs(first: 5, filter: { phone: "+1202555${1000 + waiting.size}" }) { nodes { sessionId } } }`;
        waiting.add(world.gateway.ask(list, {}, world.authorization).catch(() => undefined));
      };
      await failing(world, { kind: "hang", match: { path: "/openapi/calllog", query: "phone=" } }, () =>
        Promise.all([repeat(signal, 1000, askInVain), repeat(signal, 400, () => askOften(world))]),
      );
      await Promise.all(waiting);
    },
  },
  {
    title: "one key floods",
    alerts: ["SwitchboardOperationsLimited"],
    cause: ({ gateway, authorization }, signal) =>
      repeat(signal, 10, () => Promise.all(Array.from({ length: 20 }, () => gateway.ask(LIST, {}, authorization)))),
  },
  {
    title: "subscribers lag",
    alerts: ["SwitchboardSubscribersSlow"],
    async cause({ gateway, authorization }, signal) {
      const sockets = await Promise.all(Array.from({ length: 12 }, () => openPausedSubscriber(gateway, authorization)));
      const extra = { note: "x".repeat(100_000) };
      await repeat(signal, 20, () => gateway.deliver(callEndedEvent({ extra })));
      for (const socket of sockets) socket.terminate();
    },
  },
];

/** It subscribes to ended calls and then reads nothing. */
async function openPausedSubscriber(gateway: GatewayAddress, payload: object): Promise<WebSocket> {
  const socket = new WebSocket(`${gateway.url.replace("http", "ws")}/graphql`, "graphql-transport-ws");
  socket.on("error", () => undefined);
  await once(socket, "open");
  socket.send(JSON.stringify({ type: "connection_init", payload }));
  await once(socket, "message");
  const query = "subscription { callEnded { sessionId extra } }";
  socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query } }));
  socket.pause();
  return socket;
}
