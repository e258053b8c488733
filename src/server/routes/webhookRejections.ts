// Webhooks whose header is not the configured one: told to the operator at once, who may have mistyped it, and then at most
// once a minute with the count since, for anybody can send them. Never the header's value: it may be the right one, misspelt.
import type { Log } from "../../log.ts";
import { createLogAggregator } from "../../util/logAggregator.ts";

export interface WebhookRejections extends Disposable {
  add(authorization: string | undefined): void;
}

const EVERY_MS = 60_000;

export function createWebhookRejections(log: Log): WebhookRejections {
  const message = "webhooks are refused: their Authorization header is not WEBHOOK_AUTHORIZATION";
  const tally = createLogAggregator((header) => log.warn({ header }, message), {
    intervalMs: EVERY_MS,
    reportsFirstAtOnce: true,
  });
  return {
    add: (authorization) => tally.add(authorization ? "wrong" : "missing"),
    [Symbol.dispose]: () => tally[Symbol.dispose](),
  };
}
