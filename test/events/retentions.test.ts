import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { textAt } from "../house/sources.ts";
import { databases, type TestDatabase } from "../store/databases.ts";
import { eventRow, appendRows, open, tempFile } from "../store/tempStore.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { instantOf } from "../../src/format/instant.ts";
import { DAY_MS, HOUR_MS } from "../../src/util/durations.ts";

const ago = (ms: number) => instantOf(Date.now() - ms);
const text = (at: number) => `'${ago(at)}'`;
const submission = (id: string, at: number, status: string) =>
  `insert into submissions (id, viewer, idempotency_key, input_sha256, status, name, assistant_id, number_count, submitted_at)
   values ('${id}', 'web', '${id}', 'x', '${status}', 'n', '1', 1, ${text(at)})`;

interface Retention {
  /** The first column of the table in docs/operating.md. */
  data: string;
  keptMs: number;
  table: string;
  /** The column that tells the rows apart. */
  id: string;
  insert: (id: string, ageMs: number) => string;
  /** Which rows of the table; by default they are all of this kind. */
  where?: string;
}

interface Days {
  /** EVENT_RETENTION_DAYS */
  events: number;
  /** RAW_DELIVERY_DAYS */
  raw: number;
  /** How long events are kept that do not end a call. */
  notEnded: number;
}

const settings: Days[] = [
  { events: 90, raw: 30, notEnded: 30 },
  // A week at least, and never longer than the events.
  { events: 90, raw: 0, notEnded: 7 },
  { events: 5, raw: 30, notEnded: 5 },
];

const delivery = (id: string, age: number, kind: string) =>
  `insert into quarantine (received_at, reason, body_sha256, body, kind) values (${text(age)}, 'r', '${id} ${kind}', '', '${kind}')`;

/** A position behind those of the events. */
const OLD_FRAME = 1_000_001;

/** Each kind of rows that expire, but for the events. */
const retentionsOf = ({ events: eventDays, raw, notEnded }: Days, EVENTS = eventDays * DAY_MS): Retention[] => [
  {
    data: "bodies of accepted webhooks",
    // Never longer than their entries.
    keptMs: Math.min(raw, eventDays) * DAY_MS,
    table: "raw_deliveries",
    id: `case first_seq when ${OLD_FRAME} then 'old' else 'young' end`,
    insert: (id, age) =>
      `insert into raw_deliveries (first_seq, received_at, bodies) values (${id === "old" ? OLD_FRAME : OLD_FRAME + 1}, ${text(age)}, '')`,
  },
  {
    data: "events that do not end a call",
    keptMs: notEnded * DAY_MS,
    table: "quarantine",
    where: "kind = 'NOT_ENDED'",
    id: "replace(body_sha256, ' NOT_ENDED', '')",
    insert: (id, age) => delivery(id, age, "NOT_ENDED"),
  },
  {
    data: "submissions, with their idempotency keys",
    keptMs: EVENTS,
    table: "submissions",
    id: "id",
    insert: (id, age) => submission(id, age, "ACCEPTED"),
  },
  {
    data: "recordings, with their files",
    keptMs: EVENTS,
    table: "recordings",
    id: "session_id",
    insert: (id, age) =>
      `insert into recordings (session_id, revision, received_at, status, attempts, due_at) values ('${id}', 1, ${text(age)}, 'LOST', 1, 0)`,
  },
  {
    data: "webhooks in quarantine",
    keptMs: EVENTS,
    table: "quarantine",
    where: "kind = 'UNREADABLE'",
    id: "replace(body_sha256, ' UNREADABLE', '')",
    insert: (id, age) => delivery(id, age, "UNREADABLE"),
  },
  {
    data: "tasks, assistants and lines that were met",
    keptMs: EVENTS,
    table: "known_tasks",
    id: "task_id",
    insert: (id, age) =>
      `insert into known_tasks (task_id, active_at, seen_at) values ('${id}', ${text(age)}, ${text(age)})`,
  },
  {
    data: "tasks, assistants and lines that were met",
    keptMs: EVENTS,
    table: "known_assistants",
    id: "assistant_id",
    insert: (id, age) =>
      `insert into known_assistants (assistant_id, version_id, seen_at, data) values ('${id}', '1', ${text(age)}, '{}')`,
  },
  {
    data: "tasks, assistants and lines that were met",
    keptMs: EVENTS,
    table: "known_lines",
    id: "line_id",
    insert: (id, age) =>
      `insert into known_lines (line_id, seen_at, from_task, from_submission) values ('${id}', ${text(age)}, 1, 0)`,
  },
  {
    data: "tasks that were compared with submissions",
    keptMs: EVENTS,
    table: "met_tasks",
    id: "task_id",
    insert: (id, age) => `insert into met_tasks (task_id, met_at, waits) values ('${id}', ${text(age)}, 0)`,
  },
  {
    data: "the audit log",
    keptMs: 400 * DAY_MS,
    table: "audit",
    id: "subject",
    insert: (id, age) =>
      `insert into audit (at, actor, action, subject, count) values (${text(age)}, 'web', 'TASK_SUBMITTED', '${id}', 0)`,
  },
  {
    data: "what a viewer used of its limits",
    keptMs: 7 * DAY_MS,
    table: "viewer_usage",
    id: "viewer",
    insert: (id, age) =>
      `insert into viewer_usage (viewer, hour_start, hour_tasks, hour_numbers, day_start, day_tasks, day_numbers)
       values ('${id}', ${text(age)}, 1, 1, ${text(age)}, 1, 1)`,
  },
  {
    data: "windows of shared rate limits",
    keptMs: HOUR_MS,
    table: "spent_points",
    id: "key",
    insert: (id, age) => `insert into spent_points (key, points, expire) values ('${id}', 1, ${Date.now() - age})`,
  },
];

/** The rows of the table in docs/operating.md. */
function describedData(): string[] {
  const [, table = ""] = textAt("docs/operating.md").split("\n| Data | Kept for | From |\n|---|---|---|\n");
  const rows = table.split("\n\n", 1)[0]?.split("\n") ?? [];
  return rows.map((row) => row.split(" | ", 1)[0]?.replace(/^\| /, "") ?? "");
}

const EVENT_ROWS = "events";
const LOOSE_FILES = "files in `RECORDINGS_DIR` that belong to no recording, as after a kill";

/** A file of a recording without a row. */
function saveFile(directory: string, letter: string, ageMs: number): string {
  const path = join(directory, letter.repeat(2), letter.repeat(64));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "sound");
  const savedAt = new Date(Date.now() - ageMs);
  utimesSync(path, savedAt, savedAt);
  return path;
}

type Rows = Pick<Retention, "table" | "id" | "where">;
const listOf = async (database: TestDatabase, { table, id, where = "true" }: Rows) =>
  (await database.ask(`select ${id} as id from ${table} where ${where} order by 1`)).map((row) => row["id"]);

it("docs/operating.md names each kind of data that the test of retentions knows, and no other", () => {
  const tested = [
    EVENT_ROWS,
    LOOSE_FILES,
    ...retentionsOf({ events: 90, raw: 7, notEnded: 7 }).map(({ data }) => data),
  ];
  expect(describedData().toSorted()).toEqual([...new Set(tested)].toSorted());
});

describe.each(databases)("A68: the retention on %s", (_, { create }) => {
  it.each(settings)(
    "deletes each kind of data when it is older than docs/operating.md says, and not before: $events days for events, $raw for bodies",
    async (days) => {
      const database = await create();
      const retentions = retentionsOf(days);
      const EVENTS = days.events * DAY_MS;
      const store = await open(database.url);
      const events = [EVENTS + HOUR_MS, EVENTS - HOUR_MS].map((age) =>
        eventRow({ sessionId: age > EVENTS ? "old" : "young", receivedAt: ago(age) }),
      );
      await appendRows(store.events, events);
      await store[Symbol.asyncDispose]();
      for (const { insert, keptMs } of retentions) {
        await database.ask(insert("old", keptMs + HOUR_MS / 2));
        await database.ask(insert("young", keptMs - HOUR_MS / 2));
      }
      await database.ask(submission("waiting", EVENTS + HOUR_MS, "PROPOSED"));
      // A purge goes on from the one before in small steps, and looks at the files once a day.
      await database.ask(`insert into settings (name, value) values ('purged_as_of', ${text(0)})`);
      const directory = tempFile("recordings");
      const oldFile = saveFile(directory, "a", EVENTS + HOUR_MS / 2);
      const youngFile = saveFile(directory, "b", EVENTS - HOUR_MS / 2);
      const purgeTimes = { firstAfterMs: 0, intervalMs: 20 };
      const env = {
        DATABASE_URL: database.url,
        RECORDINGS_DIR: directory,
        EVENT_RETENTION_DAYS: String(days.events),
        RAW_DELIVERY_DAYS: String(days.raw),
        // The newest entry is days old, so the clock would be in doubt.
        CLOCK_CONFIRMED_ON: new Date().toISOString().slice(0, 10),
      };
      const gateway = await startGateway(NO_SERVICE, env, { purgeTimes });
      // The audit log is purged last.
      const audit = async () =>
        JSON.stringify((await gateway.ask("{ auditEvents(first: 9) { nodes { count } } }")).data);
      await until(async () => (await audit()).match(/count/g)?.length === 1);
      await gateway[Symbol.asyncDispose]();

      const left = await Promise.all(retentions.map(async (each) => [each.table, await listOf(database, each)]));
      const expected = retentions.map(({ table }) => [
        table,
        table === "submissions" ? ["waiting", "young"] : ["young"],
      ]);
      expect(left).toEqual(expected);
      expect(await listOf(database, { table: "events", id: "session_id" })).toEqual(["young"]);
      expect([oldFile, youngFile].map(existsSync)).toEqual([false, true]);
    },
  );
});
