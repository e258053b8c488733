import { onTestFinished } from "vitest";
import type { CallEndedData, CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { openEventLog, type EventLog, type FollowRequest, type StreamItem } from "../../src/events/eventLog.ts";
import { silentLog } from "../support/silentLog.ts";
import { createSigner } from "../../src/util/hmac.ts";
import type { EventStore } from "../../src/store/events/eventStore.ts";
import { open, tempFile, tempStore } from "../store/tempStore.ts";

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

export interface LogOptions {
  checkpointMs?: number;
  clock?: () => number;
  isCheckDue?: boolean;
}

export const signer = createSigner(Buffer.alloc(32, 7));

/** The caller closes it. No checkpoint comes by itself unless it is asked for. */
export function openLog(
  store: EventStore,
  { checkpointMs = 1_000_000, clock = () => NOW, isCheckDue = false }: LogOptions = {},
) {
  return openEventLog({ store, signer, clock, checkpointMs, isCheckDue, log: silentLog });
}

export async function logOver(store: EventStore, options: LogOptions = {}): Promise<EventLog> {
  const log = await openLog(store, options);
  onTestFinished(() => log[Symbol.asyncDispose]());
  return log;
}

/** A log on a real database that goes with the test. */
export async function tempLog(options: LogOptions = {}, url?: string): Promise<EventLog> {
  return logOver((await tempStore(url)).events, options);
}

/** A log on a real database, for a property's run: whoever opens it closes it. */
export async function ownLog(): Promise<{ log: EventLog; close: () => PromiseLike<void> }> {
  const store = await open(`file:${tempFile()}`);
  const log = await openLog(store.events);
  return {
    log,
    async close() {
      await log[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

export type Following = AsyncIterableIterator<StreamItem>;

/** The next item. */
export async function next(reader: Following): Promise<StreamItem> {
  const { value, done } = await reader.next();
  if (done) throw new Error("the reader ended");
  return value;
}

/** Reads the next so many events; the reader stays where it is then. Checkpoints are passed over, a gap is an error. */
export async function take(reader: Following, count: number): Promise<CallEndedEvent[]> {
  const taken: CallEndedEvent[] = [];
  while (taken.length < count) {
    const item = await next(reader);
    if (item.kind === "gap") throw new Error(`a gap after ${taken.length} events`);
    if (item.kind === "event") taken.push(item.event);
  }
  return taken;
}

export function readerOf(log: EventLog, request: Partial<FollowRequest> = {}): Promise<Following> {
  return log.follow({ after: null, filter: {}, revisions: false, ...request });
}

/** A reader that is ended with the test. */
export async function follow(log: EventLog, request: Partial<FollowRequest> = {}): Promise<Following> {
  const reader = await readerOf(log, request);
  onTestFinished(async () => void (await reader.return?.()));
  return reader;
}

/** Where the log ends now. */
export async function headOf(log: EventLog): Promise<string> {
  const page = { first: 1, after: null, filter: {}, revisions: true, order: "newestFirst" } as const;
  return (await log.page(page)).headCursor;
}

export const sessions = (events: readonly CallEndedEvent[]): string[] => events.map(({ sessionId }) => sessionId);

export const names = (from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, at) => `s${from + at}`);

export const appendAll = (log: EventLog, ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map((sessionId) => log.append(callEnded({ sessionId }), "WEBHOOK")));
