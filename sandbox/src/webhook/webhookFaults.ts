// Webhook faults on request: events lost, repeated, late, out of order or malformed.
import { z } from "zod";
import type { Scheduler } from "../clock.ts";
import { stringifyJson } from "../bigintJson.ts";
import type { Random } from "../random.ts";

export const webhookFaultsSchema = z.strictObject({
  /** How often each event is delivered. */
  copies: z.int().min(1).max(100),
  /** Real milliseconds from the end of the call to the first attempt. */
  delayMs: z.number().min(0).max(3_600_000),
  /** Collects this many deliveries, then sends them shuffled, one after the other. Below 2: sends at once. */
  reorder: z.int().min(0).max(1000),
  /** The share of events that are not sent; 1: all. */
  lose: z.number().min(0).max(1),
  /** The body is cut off, `null`, empty, or has no session_id or event_data. */
  malformed: z.enum(["notJson", "null", "empty", "noSessionId", "noEventData"]).nullable(),
});

export type WebhookFaults = z.infer<typeof webhookFaultsSchema>;
export const NO_WEBHOOK_FAULTS: WebhookFaults = { copies: 1, delayMs: 0, reorder: 0, lose: 0, malformed: null };

export interface Delivery {
  sessionId: string;
  body: string;
}
export interface CallEnded {
  event_name: string;
  event_data: Record<string, unknown>;
}

export interface FaultyWebhook {
  /** Sends the event with the current faults. */
  deliver(sessionId: string, event: CallEnded): void;
  get(): WebhookFaults;
  /** Applies to events from now on. Sends the deliveries collected for reordering. */
  set(faults: WebhookFaults): void;
}

/** @param deps.send resolves after the first attempt. */
export function createFaultyWebhook(deps: {
  send: (delivery: Delivery) => Promise<void>;
  scheduler: Scheduler;
  random: Random;
}): FaultyWebhook {
  let faults = NO_WEBHOOK_FAULTS;
  let held: Delivery[] = [];

  const flush = async () => {
    const shuffled = deps.random.shuffle(held);
    held = [];
    // One after the other; otherwise the network decides the order.
    for (const delivery of shuffled) await deps.send(delivery);
  };
  const arrive = (delivery: Delivery) => {
    held.push(delivery);
    if (held.length >= Math.max(1, faults.reorder)) void flush();
  };

  return {
    deliver: (sessionId, event) => {
      if (faults.lose > 0 && deps.random.chance(faults.lose)) return;
      const delivery = { sessionId, body: bodyOf(event, faults.malformed) };
      for (let copy = 0; copy < faults.copies; copy += 1) {
        if (faults.delayMs > 0) deps.scheduler.afterReal(faults.delayMs, () => arrive(delivery));
        else arrive(delivery);
      }
    },
    get: () => faults,
    set: (next) => {
      faults = next;
      void flush();
    },
  };
}

function bodyOf(event: CallEnded, malformed: WebhookFaults["malformed"]): string {
  const { session_id: _omitted, ...rest } = event.event_data;
  if (malformed === "notJson") return stringifyJson(event).slice(0, 40);
  if (malformed === "null") return "null";
  if (malformed === "empty") return "";
  if (malformed === "noSessionId") return stringifyJson({ ...event, event_data: rest });
  if (malformed === "noEventData") return stringifyJson({ event_name: event.event_name });
  return stringifyJson(event);
}
