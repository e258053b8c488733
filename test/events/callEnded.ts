import { onTestFinished } from "vitest";
import type { CallEndedData, CallEndedEvent } from "../../src/events/callEnded.ts";
import { createEventLog, type EventLog } from "../../src/events/eventLog.ts";
import { createSeal } from "../../src/seal.ts";
import type { EventStore } from "../../src/store/eventStore.ts";
import { openStore } from "../../src/store/store.ts";
import { tempFile, tempStore } from "../store/tempStore.ts";

export const NOW = Date.parse("2026-11-20T09:30:00.000Z");

export function callEnded(own: Partial<CallEndedData> & { sessionId: string }): CallEndedData {
  return {
    eventName: "call_ended",
    direction: "outbound",
    caller: "A068",
    callee: "13800010001",
    startAt: "2026-11-20T09:00:00.000Z",
    answerAt: "2026-11-20T09:00:10.000Z",
    endAt: "2026-11-20T09:01:00.000Z",
    duration: 60,
    billsec: 50,
    ringTime: 10,
    hangupSide: "callee",
    hangupReason: "normal",
    recordUrl: null,
    taskId: "7",
    taskItemId: "70",
    assistants: [{ assistantId: "1", versionId: "2" }],
    extra: null,
    unread: [],
    ...own,
  };
}

export function logOver(store: EventStore): EventLog {
  return createEventLog({ store, seal: createSeal(Buffer.alloc(32, 7)), clock: () => NOW });
}

/** A log on a real database that goes with the test. */
export async function tempLog(): Promise<EventLog> {
  return logOver((await tempStore()).events);
}

/** A log on a real database, for a property's run: whoever opens it closes it. */
export async function ownLog(): Promise<{ log: EventLog; close: () => PromiseLike<void> }> {
  const store = await openStore(tempFile());
  return { log: logOver(store.events), close: () => store[Symbol.asyncDispose]() };
}

export type Following = AsyncIterableIterator<CallEndedEvent>;

/** Reads the next so many; the reader stays where it is then. */
export async function take(reader: Following, count: number): Promise<CallEndedEvent[]> {
  const taken: CallEndedEvent[] = [];
  while (taken.length < count) {
    const { value, done } = await reader.next();
    if (done) throw new Error(`the reader ended after ${taken.length} events`);
    taken.push(value);
  }
  return taken;
}

export async function follow(log: EventLog, after: string | null = null, filter = {}): Promise<Following> {
  const reader = await log.follow({ after, filter });
  onTestFinished(async () => void (await reader.return?.()));
  return reader;
}

export const sessions = (events: readonly CallEndedEvent[]): string[] => events.map(({ sessionId }) => sessionId);
