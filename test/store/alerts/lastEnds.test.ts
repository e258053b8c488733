// When the calls of tasks ended last, each minute of a log that may be long.
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTaskLookStore } from "../../../src/store/alerts/taskLookStore.ts";
import { openDatabase, type Database } from "../../../src/store/database.ts";
import { createEventStore } from "../../../src/store/events/eventStore.ts";
import { migrate } from "../../../src/store/migrations/migrations.ts";
import { silentLog } from "../../support/silentLog.ts";
import { databases } from "../databases.ts";
import { plansOf } from "../plansOf.ts";
import { appendRows, eventRow } from "../tempStore.ts";

const at = (minute: number) => `2026-11-20T09:${String(minute).padStart(2, "0")}:00.000Z`;
const BEFORE = "2026-11-01T09:00:00.000Z";
const call = (sessionId: string, endedAt: string, own: Partial<Parameters<typeof eventRow>[0]> = {}) =>
  eventRow({ sessionId, taskId: "7", endedAt, receivedAt: at(59), ...own });

describe.each(databases)("The last ends of tasks on %s", (_, { create }) => {
  async function opened(rows: Parameters<typeof appendRows>[1]): Promise<Database> {
    const database = await openDatabase((await create()).url, silentLog, { fsync: "elsewhere" });
    onTestFinished(() => database[Symbol.asyncDispose]());
    await migrate(database);
    await appendRows(createEventStore(database), rows);
    return database;
  }

  it("are those of outbound calls since an instant, of the tasks that are asked for, and of no task", async () => {
    const database = await opened([
      call("old", BEFORE, { taskId: "8" }),
      call("first", at(10)),
      call("last", at(12)),
      call("clock ahead", at(20), { receivedAt: at(11) }),
      call("inbound", at(13), { direction: "inbound" }),
      call("imported", at(14), { source: "IMPORTED" }),
      call("other", at(15), { taskId: "9" }),
      call("unknown direction", at(16), { taskId: "10", direction: null }),
    ]);
    const store = createTaskLookStore(database);
    expect(await store.lastEnds(["7", "8", "10"], at(0))).toEqual({
      ends: new Map([
        ["7", at(12)],
        ["10", at(16)],
      ]),
      unread: null,
    });
    expect(await store.lastEnds([], at(0))).toEqual({ ends: new Map(), unread: null });
  });

  it("are not known where a call names no task, unless it is inbound", async () => {
    const unnamed = call("unnamed", at(10), { taskId: null });
    const inbound = call("inbound", at(20), { taskId: null, direction: "inbound" });
    const store = createTaskLookStore(await opened([unnamed, inbound]));
    expect(await store.lastEnds(["7"], at(0))).toEqual({ ends: new Map(), unread: at(10) });
    expect(await store.lastEnds(["7"], at(11))).toEqual({ ends: new Map(), unread: null });
  });

  it("are read from the calls of these minutes, however many the log has of the tasks", async () => {
    const database = await opened(Array.from({ length: 3000 }, (__, each) => call(`s${each}`, BEFORE)));
    if (database.kind === "postgres") await sql`analyze`.execute(database.db);
    const plans = await plansOf(database, (on) => createTaskLookStore(on).lastEnds(["7", "8"], at(0)));
    const ofEvents = plans.filter((plan) => plan.sql.includes(`"events"`));
    expect(ofEvents.length).toBeGreaterThan(0);
    for (const { text } of ofEvents) expect(text).toContain("events_by_end");
  });
});
