// The rows of recipients: people of tasks, each with the calls that it follows from. A change of calls makes the rows of the people whom it
// touches anew, so that a call may move to another task, person or time, or go.
import { sql, type RawBuilder, type Selectable } from "kysely";
import type { RecipientOutcome } from "../../config/hangUpOutcomes.ts";
import { chunksOf, jsonRows, type ColumnType } from "../sqlHelpers.ts";
import type { RecipientCallsTable } from "../tables.ts";
import type { ProjectionTables, ProjectionTrx } from "./projectionTables.ts";
import { groupByPerson, summaryOf, type PersonKey, type RecipientCall } from "./recipientPeople.ts";

type Changes = ReadonlyMap<string, RecipientCall | null>;
type Place = { task_id: string; recipient: string };
/** A call as it is stored, with its person. */
type KnownCall = RecipientCall & { recipient: string | null };

export const recipientTables: ProjectionTables<RecipientCall> = {
  name: "recipients",
  async setCalls(db, build, changes) {
    for (const some of chunksOf([...changes])) await setSome(db, build, new Map(some));
  },
  async callsThrough({ trx }, seq) {
    const calls = trx.selectFrom("recipient_calls").select(["build", "session_id"]).where("seq", "<=", seq);
    return (await calls.execute()).map(({ build, session_id: sessionId }) => ({ build, sessionId }));
  },
  async deleteSome({ trx, kind }, build, limit) {
    let deleted = 0;
    for (const table of ["recipient_calls", "recipient_keys", "recipients"]) {
      const name = sql.table(table);
      const isSome =
        kind === "sqlite"
          ? sql`rowid in (select rowid from ${name} where build = ${build} limit ${limit})`
          : sql`ctid = any(array(select ctid from ${name} where build = ${build} limit ${limit}))`;
      const { rows } = await sql`delete from ${name} where ${isSome} returning 1`.execute(trx);
      deleted += rows.length;
    }
    return deleted;
  },
};

async function setSome(db: ProjectionTrx, build: number, changes: Changes): Promise<void> {
  const added = [...changes.values()].filter((call) => call !== null);
  const touched = await findPeople(db, build, [...changes.keys()], added);
  if (touched.length === 0 && added.length === 0) return;
  const known = await callsOf(db, build, touched);
  const stays = known.filter(({ sessionId }) => !changes.has(sessionId));
  const calls: KnownCall[] = [...stays, ...added.map((call) => ({ ...call, recipient: null }))];
  const tasks = Map.groupBy(calls, ({ taskId }) => taskId);
  const people = [...tasks.values()].flatMap((ofTask) => groupByPerson(ofTask));
  await deletePeople(db, build, touched);
  const gone = [...changes].flatMap(([sessionId, call]) => (call === null ? [sessionId] : []));
  if (gone.length > 0)
    await db.trx.deleteFrom("recipient_calls").where("build", "=", build).where("session_id", "in", gone).execute();
  await writePeople(db, build, people);
}

/** The people whom the changed calls were, or are to. A person's keys lead to all of its calls, so that no other row can change. */
async function findPeople(
  { trx, kind }: ProjectionTrx,
  build: number,
  sessionIds: readonly string[],
  added: readonly RecipientCall[],
): Promise<Place[]> {
  const before = trx.selectFrom("recipient_calls").select(["task_id", "recipient"]).where("build", "=", build);
  const rows: Place[] = await before.where("session_id", "in", sessionIds).execute();
  const keys = added.flatMap(({ taskId: task_id, keys: own }) => own.map(({ key }) => ({ task_id, key })));
  if (keys.length > 0) {
    const asked = jsonRows(kind, "asked", { task_id: "text", key: "text" }, keys);
    const found =
      await sql<Place>`select known.task_id, known.recipient from ${asked} cross join recipient_keys as known
      where known.build = ${build} and known.task_id = asked.task_id and known.key = asked.key`.execute(trx);
    rows.push(...found.rows);
  }
  return [...new Map(rows.map((row) => [JSON.stringify([row.task_id, row.recipient]), row])).values()];
}

const PLACE = { task_id: "text", recipient: "text" } as const;

async function callsOf({ trx, kind }: ProjectionTrx, build: number, people: readonly Place[]): Promise<KnownCall[]> {
  if (people.length === 0) return [];
  const { rows } = await sql<Selectable<RecipientCallsTable>>`
    select known.* from ${jsonRows(kind, "asked", PLACE, people)} cross join recipient_calls as known
    where known.build = ${build} and known.task_id = asked.task_id and known.recipient = asked.recipient`.execute(trx);
  return rows.map((row) => ({
    sessionId: row.session_id,
    seq: row.seq,
    taskId: row.task_id,
    keys: JSON.parse(row.keys) as PersonKey[],
    endedAt: row.ended_at,
    outcome: row.outcome as RecipientOutcome,
    talkTime: row.talk_time,
    reason: row.reason,
    recipient: row.recipient,
  }));
}

async function deletePeople({ trx, kind }: ProjectionTrx, build: number, people: readonly Place[]): Promise<void> {
  if (people.length === 0) return;
  for (const table of ["recipient_keys", "recipients"])
    await sql`delete from ${sql.table(table)} where build = ${build} and (task_id, recipient) in (
      select task_id, recipient from ${jsonRows(kind, "asked", PLACE, people)})`.execute(trx);
}

async function writePeople(db: ProjectionTrx, build: number, people: readonly (readonly KnownCall[])[]): Promise<void> {
  const summaries = people.map((calls) => ({ taskId: (calls[0] as KnownCall).taskId, ...summaryOf(calls) }));
  const changed = people.flatMap((calls, at) => {
    const { recipient } = summaries[at] as { recipient: string };
    return calls.flatMap((call) => (call.recipient === recipient ? [] : { ...call, recipient }));
  });
  const keys = people.flatMap((calls, at) => {
    const { taskId: task_id, recipient } = summaries[at] as { taskId: string; recipient: string };
    const own = new Set(calls.flatMap((call) => call.keys.map(({ key }) => key)));
    return Array.from(own, (key) => ({ task_id, key, recipient }));
  });
  await insert(
    db,
    build,
    "recipient_calls",
    CALL_COLUMNS,
    changed.map(callRow),
    sql`
    on conflict (build, session_id) do update set ${sql.raw(
      Object.keys(CALL_COLUMNS)
        .map((column) => `${column} = excluded.${column}`)
        .join(),
    )}`,
  );
  await insert(db, build, "recipient_keys", { ...PLACE, key: "text" }, keys);
  await insert(db, build, "recipients", RECIPIENT_COLUMNS, summaries.map(recipientRow));
}

const CALL_COLUMNS = {
  session_id: "text",
  seq: "bigint",
  task_id: "text",
  recipient: "text",
  keys: "text",
  ended_at: "text",
  outcome: "text",
  talk_time: "double precision",
  reason: "text",
} as const;

function callRow(call: KnownCall) {
  return {
    session_id: call.sessionId,
    seq: call.seq,
    task_id: call.taskId,
    recipient: call.recipient,
    keys: JSON.stringify(call.keys),
    ended_at: call.endedAt,
    outcome: call.outcome,
    talk_time: call.talkTime,
    reason: call.reason,
  };
}

const RECIPIENT_COLUMNS = {
  ...PLACE,
  outcome: "text",
  attempts: "bigint",
  talk_time: "double precision",
  first_at: "text",
  last_at: "text",
  last_session: "text",
  last_reason: "text",
} as const;

function recipientRow(one: ReturnType<typeof summaryOf> & { taskId: string }) {
  return {
    task_id: one.taskId,
    recipient: one.recipient,
    outcome: one.outcome,
    attempts: one.attempts,
    talk_time: one.talkTime,
    first_at: one.firstAt,
    last_at: one.lastAt,
    last_session: one.lastSession,
    last_reason: one.lastReason,
  };
}

async function insert<Column extends string>(
  { trx, kind }: ProjectionTrx,
  build: number,
  table: string,
  columns: Readonly<Record<Column, ColumnType>>,
  rows: readonly Partial<Record<Column, string | number | null>>[],
  onConflict: RawBuilder<unknown> = sql``,
): Promise<void> {
  const names = sql.raw(Object.keys(columns).join());
  for (const some of chunksOf(rows))
    await sql`insert into ${sql.table(table)} (build, ${names})
      select ${sql.lit(build)}, ${names} from ${jsonRows(kind, "added", columns, some)} where true ${onConflict}`.execute(
      trx,
    );
}
