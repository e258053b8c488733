import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import type { EventPage, EventRow, EventStore, NewEventRow, Revise } from "../../src/store/events/eventStore.ts";
import { openDatabase, type Database } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrations/migrations.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import type { Submission } from "../../src/store/tasks/submissionRow.ts";
import type { Quota } from "../../src/store/tasks/quota.ts";

/** A path in a new folder that is deleted with the test. */
export function tempFile(name = "switchboard.db"): string {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, name);
}

export const open = (url: string): Promise<Store> => openStore({ url, log: silentLog, fsync: "elsewhere" });

/** A store that is closed with the test. Without a URL it is a SQLite file that is deleted with the test. */
export async function tempStore(url = `file:${tempFile()}`): Promise<Store> {
  const store = await open(url);
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

export function eventRow(row: Partial<NewEventRow> & { sessionId: string }): NewEventRow {
  return {
    revision: 1,
    source: "WEBHOOK",
    deliverySha256: "a".repeat(64),
    receivedAt: "2026-11-20T09:30:00.000Z",
    endedAt: "2026-11-20T09:30:00.000Z",
    direction: "outbound",
    hangupSide: "callee",
    hangupReason: "normal",
    answered: true,
    duration: 60,
    billsec: 50,
    taskId: "7",
    caller: "A068",
    callee: "13800010001",
    assistantIds: [],
    data: JSON.stringify({ sessionId: row.sessionId }),
    ...row,
  };
}

/** Keeps the first row of a call and adds no later ones. */
export const firstOnly: Revise<NewEventRow> = (earlier, row) => (earlier.length === 0 ? row : null);

/** Adds each row as the next revision of its call. */
export const eachRevises: Revise<NewEventRow> = (earlier, row) => ({
  ...row,
  revision: (earlier.at(-1)?.revision ?? 0) + 1,
});

/** Appends the rows; returns for each whether it was written. */
export async function appendRows(
  events: EventStore,
  rows: readonly NewEventRow[],
  revise = firstOnly,
): Promise<boolean[]> {
  return (await events.append(rows, revise)).map((row) => row !== null);
}

/** Reads the whole log, oldest first. */
export const WHOLE: EventPage = {
  filter: {},
  revisions: true,
  through: null,
  after: null,
  order: "oldestFirst",
  limit: 100_000,
};

export const seqs = (rows: readonly EventRow[]): number[] => rows.map(({ seq }) => seq);

/** Without limits. */
export const ANY_QUOTA: Quota = {
  periods: { hourStart: "2026-11-20T09:00:00.000Z", dayStart: "2026-11-19T16:00:00.000Z" },
  allows: () => true,
};

export function submission(own: Partial<Submission> & { id: string }): Submission {
  return {
    viewer: "web",
    idempotencyKey: "key",
    inputSha256: "a".repeat(64),
    status: "PENDING",
    name: "Reminder",
    assistantId: "9007199254740993123",
    leftOutCount: 0,
    numberCount: 2,
    submittedAt: "2026-11-20T09:30:00.000Z",
    sentAt: null,
    proposal: null,
    calledAgain: null,
    taskId: null,
    matchedBy: null,
    hasToken: true,
    ...own,
  };
}

/** A migrated database that is closed with the test. */
export async function tempDatabase(url: string): Promise<Database> {
  const database = await openDatabase(url, silentLog, { fsync: "elsewhere" });
  onTestFinished(() => database[Symbol.asyncDispose]());
  await migrate(database);
  return database;
}
