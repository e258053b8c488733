// What goes wrong between an ended call and its webhook: events lost, doubled, late, out of order or malformed.
import { z } from "zod";
import type { Scheduler } from "../clock.ts";
import { stringifyJson } from "../bigintJson.ts";
import type { Random } from "../random.ts";

export const webhookFaultsSchema = z.strictObject({
  /** Each event is delivered so many times. */
  copies: z.int().min(1).max(100),
  /** Real milliseconds from the end of the call to the first try. */
  delayMs: z.number().min(0).max(3_600_000),
  /** Holds back so many deliveries and then sends them shuffled, one after the other; below 2: as they come. */
  reorder: z.int().min(0).max(1000),
  /** The share of events of which nothing is sent. 1: all. */
  lose: z.number().min(0).max(1),
  /** What is wrong with the body: cut off, `null`, nothing at all, or without session_id or event_data. */
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
  /** Sends the event on its way, through the faults as they are now. */
  deliver(sessionId: string, event: CallEnded): void;
  get(): WebhookFaults;
  /** Applies to events from now on. What is held back for reordering is sent. */
  set(faults: WebhookFaults): void;
}

/** @param deps.send resolves after the first try. */
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
    // One after the other, or the order would be left to the network.
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
  const { session_id: _left, ...rest } = event.event_data;
  if (malformed === "notJson") return stringifyJson(event).slice(0, 40);
  if (malformed === "null") return "null";
  if (malformed === "empty") return "";
  if (malformed === "noSessionId") return stringifyJson({ ...event, event_data: rest });
  if (malformed === "noEventData") return stringifyJson({ event_name: event.event_name });
  return stringifyJson(event);
}
