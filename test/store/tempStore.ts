import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { NewEventRow } from "../../src/store/eventStore.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import type { Submission } from "../../src/store/submissionStore.ts";

/** A path in a folder that goes with the test. */
export function tempFile(name = "switchboard.db"): string {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, name);
}

/** A real database, closed and removed with the test. */
export async function tempStore(file = tempFile()): Promise<Store> {
  const store = await openStore(file);
  onTestFinished(() => store[Symbol.asyncDispose]());
  return store;
}

export function eventRow(row: Partial<NewEventRow> & { sessionId: string }): NewEventRow {
  return {
    receivedAt: "2026-11-20T09:30:00.000Z",
    endedAt: "2026-11-20T09:30:00.000Z",
    direction: "outbound",
    hangupSide: "callee",
    answered: true,
    taskId: "7",
    caller: "A068",
    callee: "13800010001",
    assistantIds: [],
    data: JSON.stringify({ sessionId: row.sessionId }),
    ...row,
  };
}

export function submission(own: Partial<Submission> & { id: string }): Submission {
  return {
    viewer: "web",
    idempotencyKey: "key",
    inputSha256: "a".repeat(64),
    status: "PENDING",
    name: "Reminder",
    assistantId: "9007199254740993123",
    numberCount: 2,
    submittedAt: "2026-11-20T09:30:00.000Z",
    ...own,
  };
}
