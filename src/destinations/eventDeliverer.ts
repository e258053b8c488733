// Kind `event`: posts the event as the graph shows it to a viewer with the destination's scopes, signed.
import { randomUUID } from "node:crypto";
import { instantOf } from "../format/instant.ts";
import type { Attempt, Deliverer, EventReference } from "./deliverer.ts";
import type { Destination } from "./destinationFile.ts";
import { JSON_HEADERS, type SendMessage } from "./httpSender.ts";
import { signedHeaders } from "./signature.ts";

export type EventDestination = Extract<Destination, { kind: "event" }>;
/** What decides the fields that are shown. */
export type ShownFields = Pick<EventDestination, "name" | "scopes" | "selection" | "document">;

/**
 * The event as the graph has it.
 * - `data` null: it is not in the log any more.
 * - `problem`: it cannot be read now. It quotes nothing of the call.
 */
export type ReadEvent = (
  event: EventReference,
  destination: ShownFields,
  signal: AbortSignal,
) => Promise<ShownEvent | { problem: string; retryAfterMs: number | null }>;
export interface ShownEvent {
  id: string;
  data: unknown;
  errors?: unknown;
}

/** Reads an event, and hands over what is shown of it. */
export async function deliverShown(
  readEvent: ReadEvent,
  ...[event, destination, signal, hand]: [...Parameters<ReadEvent>, (shown: ShownEvent) => Promise<Attempt>]
): Promise<Attempt> {
  const read = await readEvent(event, destination, signal);
  if ("problem" in read)
    return { outcome: "failed", status: null, text: read.problem, retryAfterMs: read.retryAfterMs, isOwn: true };
  return read.data === null ? { outcome: "missing", why: null } : hand(read);
}

export interface EventDelivererDeps {
  send: SendMessage;
  readEvent: ReadEvent;
  clock: () => number;
}

export const EVENT_TYPE = "call.ended";
export const TEST_TYPE = "call.ended.test";

export function createEventDeliverer(
  destination: EventDestination,
  { send, readEvent, clock }: EventDelivererDeps,
): Deliverer {
  const { url, secrets } = destination;
  function post(id: string, message: object, signal: AbortSignal): Promise<Attempt> {
    const body = JSON.stringify(message);
    const headers = { ...JSON_HEADERS, ...signedHeaders({ id, at: clock(), body }, secrets) };
    return send({ url, headers, body }, signal);
  }
  return {
    deliver: (event, signal) =>
      deliverShown(readEvent, event, destination, signal, ({ id, data, errors }) =>
        post(id, { type: EVENT_TYPE, timestamp: event.receivedAt, data, errors }, signal),
      ),
    test(signal) {
      const timestamp = instantOf(clock());
      return post(
        `test_${randomUUID()}`,
        { type: TEST_TYPE, timestamp, data: { destination: destination.name } },
        signal,
      );
    },
    async [Symbol.asyncDispose]() {},
  };
}
