import { describe, expect, it } from "vitest";
import { databases, type TestDatabase } from "../store/databases.ts";
import { eventRow, appendRows, open } from "../store/tempStore.ts";
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
  /** As docs/operating.md names it. */
  data: string;
  keptMs: number;
  table: string;
  /** The column that tells the rows apart. */
  id: string;
  insert: (id: string, ageMs: number) => string;
}

const EVENTS = 90 * DAY_MS;

/** Each table whose rows expire, with EVENT_RETENTION_DAYS=90 and RAW_DELIVERY_DAYS=7. */
const retentions: Retention[] = [
  {
    data: "submissions",
    keptMs: EVENTS,
    table: "submissions",
    id: "id",
    insert: (id, age) => submission(id, age, "ACCEPTED"),
  },
  {
    data: "recordings",
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
    id: "body_sha256",
    insert: (id, age) =>
      `insert into quarantine (received_at, reason, body_sha256, body) values (${text(age)}, 'r', '${id}', '')`,
  },
  {
    data: "tasks that were met",
    keptMs: EVENTS,
    table: "known_tasks",
    id: "task_id",
    insert: (id, age) =>
      `insert into known_tasks (task_id, active_at, seen_at) values ('${id}', ${text(age)}, ${text(age)})`,
  },
  {
    data: "assistants that were met",
    keptMs: EVENTS,
    table: "known_assistants",
    id: "assistant_id",
    insert: (id, age) =>
      `insert into known_assistants (assistant_id, version_id, seen_at, data) values ('${id}', '1', ${text(age)}, '{}')`,
  },
  {
    data: "lines that were met",
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

const listOf = async (database: TestDatabase, { table, id }: Pick<Retention, "table" | "id">) =>
  (await database.ask(`select ${id} as id from ${table} order by ${id}`)).map((row) => row["id"]);

describe.each(databases)("A68: the retention on %s", (_, { create }) => {
  it("deletes each kind of data when it is older than docs/operating.md says, and not before", async () => {
    const database = await create();
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
    const purgeTimes = { firstAfterMs: 0, intervalMs: 20 };
    // The newest entry is 90 days old, so the clock would be in doubt.
    const env = { DATABASE_URL: database.url, CLOCK_CONFIRMED_ON: new Date().toISOString().slice(0, 10) };
    const gateway = await startGateway(NO_SERVICE, env, { purgeTimes });
    // The audit log is purged last.
    const audit = async () => JSON.stringify((await gateway.ask("{ auditEvents(first: 9) { nodes { count } } }")).data);
    await until(async () => (await audit()).match(/count/g)?.length === 1);
    await gateway[Symbol.asyncDispose]();

    const left = await Promise.all(retentions.map(async (each) => [each.data, await listOf(database, each)]));
    const expected = retentions.map(({ data }) => [data, data === "submissions" ? ["waiting", "young"] : ["young"]]);
    expect(left).toEqual(expected);
    expect(await listOf(database, { table: "events", id: "session_id" })).toEqual(["young"]);
  });
});
