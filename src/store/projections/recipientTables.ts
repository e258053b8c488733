// The rows of recipients: people of tasks, each with the calls that it follows from. New calls are joined to what is known of a person, however
// many calls that has. Where a call changes or goes, its person is made anew from the calls that are left.
import { sql } from "kysely";
import { chunksOf, jsonRows, type ColumnType } from "../sqlHelpers.ts";
import type { ProjectionTables, ProjectionTrx } from "./projectionTables.ts";
import {
  groupByPerson,
  joinSummaries,
  summaryOf,
  type PersonKey,
  type RecipientCall,
  type RecipientSummary,
} from "./recipientPeople.ts";
import {
  CALL_COLUMNS,
  callOf,
  callRow,
  PLACE,
  readRecipients,
  RECIPIENT_COLUMNS,
  recipientRow,
} from "./recipientRows.ts";

type Changes = ReadonlyMap<string, RecipientCall | null>;
type Place = { task_id: string; recipient: string };

/** What is known of a person: the rows of a recipient, or a call that is not in them. */
interface Known {
  taskId: string;
  keys: readonly PersonKey[];
  summary: RecipientSummary;
  /** Null: a call. */
  recipient: string | null;
  call: RecipientCall | null;
  /** The recipient that the call's row has. Null: another row is written. */
  before: string | null;
}

export const recipientTables: ProjectionTables<RecipientCall> = {
  name: "recipients",
  async setCalls(db, build, changes) {
    for (const some of chunksOf([...changes])) await setSome(db, build, new Map(some));
  },
  async callsThrough({ trx }, seq) {
    const calls = trx.selectFrom("recipient_calls").select(["build", "session_id"]).where("seq", "<=", seq);
    return (await calls.execute()).map(({ build, session_id: sessionId }) => ({ build, sessionId }));
  },
  async deleteSome({ trx }, build, limit) {
    let deleted = 0;
    for (const [table, key] of Object.entries(KEYS)) {
      const [name, columns] = [sql.table(table), sql.raw(key)];
      const { rows } = await sql`delete from ${name} where build = ${build} and (${columns}) in (
        select ${columns} from ${name} where build = ${build} limit ${limit}) returning 1`.execute(trx);
      deleted += rows.length;
    }
    return deleted;
  },
};

/** The columns by which a row is known within its build. */
const KEYS = {
  recipient_calls: "session_id",
  recipient_keys: "task_id, key, code, recipient",
  recipients: "task_id, recipient",
} as const;

async function setSome(db: ProjectionTrx, build: number, changes: Changes): Promise<void> {
  const calls = db.trx.selectFrom("recipient_calls").selectAll().where("build", "=", build);
  const before = await calls.where("session_id", "in", [...changes.keys()]).execute();
  const moved = before.flatMap((row) => {
    const { session_id } = row;
    const call = changes.get(session_id);
    return call && isSame(callOf(row), call) ? { session_id, seq: call.seq } : [];
  });
  await movePositions(db, build, moved);
  const unchanged = new Set(moved.map(({ session_id }) => session_id));
  const added = [...changes.values()].flatMap((call) => (call && !unchanged.has(call.sessionId) ? call : []));
  const broken = placesOf(before.filter(({ session_id }) => !unchanged.has(session_id)));
  const left = (await callsOf(db, build, broken)).filter(({ call }) => !isChanged(call.sessionId));
  const isBroken = new Set(broken.map(placeText));
  const met = (await findPeople(db, build, [...added, ...left.map(({ call }) => call)])).filter(
    (place) => !isBroken.has(placeText(place)),
  );
  const people = await readRecipients(db, build, met);
  const known: Known[] = [
    ...people.map((each) => ({ ...each, call: null, before: null })),
    ...[...left, ...added.map((call) => ({ call, before: null }))].map(({ call, before }) => {
      return { ...call, summary: summaryOf(call), recipient: null, call, before };
    }),
  ];
  const tasks = Map.groupBy(known, ({ taskId }) => taskId);
  const groups = [...tasks.values()].flatMap((ofTask) => groupByPerson(ofTask));
  const named = groups.map((all) => ({ all, recipient: nameOf(all), taskId: (all[0] as Known).taskId }));
  const stays = new Set(named.map(({ taskId: task_id, recipient }) => placeText({ task_id, recipient })));
  await deletePeople(db, build, [...broken, ...met.filter((place) => !stays.has(placeText(place)))]);
  const gone = [...changes].flatMap(([sessionId, call]) => (call === null ? [sessionId] : []));
  await deleteCalls(db, build, gone);
  await writePeople(db, build, named);

  function isChanged(sessionId: string): boolean {
    return changes.has(sessionId) && !unchanged.has(sessionId);
  }
}

const placeText = ({ task_id, recipient }: Place) => JSON.stringify([task_id, recipient]);
const placesOf = (rows: readonly Place[]): Place[] => [
  ...new Map(
    rows.map(({ task_id, recipient }) => [placeText({ task_id, recipient }), { task_id, recipient }]),
  ).values(),
];

/** Apart from the position. */
function isSame(before: RecipientCall, now: RecipientCall): boolean {
  const textOf = (call: RecipientCall) => JSON.stringify(callRow({ ...call, seq: 0 }, ""));
  return textOf(before) === textOf(now);
}

/** Where an entry of the log says nothing new of a call. */
async function movePositions(
  { trx, kind }: ProjectionTrx,
  build: number,
  moved: readonly { session_id: string; seq: number }[],
): Promise<void> {
  if (moved.length === 0) return;
  await sql`update recipient_calls set seq = moved.seq
    from ${jsonRows(kind, "moved", { session_id: "text", seq: "bigint" }, moved)}
    where recipient_calls.build = ${build} and recipient_calls.session_id = moved.session_id`.execute(trx);
}

/** The people with a key of these calls. */
async function findPeople(
  { trx, kind }: ProjectionTrx,
  build: number,
  calls: readonly RecipientCall[],
): Promise<Place[]> {
  const keys = calls.flatMap(({ taskId: task_id, keys: own }) => own.map(({ key }) => ({ task_id, key })));
  if (keys.length === 0) return [];
  const asked = jsonRows(kind, "asked", { task_id: "text", key: "text" }, keys);
  const { rows } =
    await sql<Place>`select known.task_id, known.recipient from ${asked} cross join recipient_keys as known
    where known.build = ${build} and known.task_id = asked.task_id and known.key = asked.key`.execute(trx);
  return placesOf(rows);
}

async function callsOf(
  { trx, kind }: ProjectionTrx,
  build: number,
  people: readonly Place[],
): Promise<{ call: RecipientCall; before: string }[]> {
  if (people.length === 0) return [];
  const { rows } = await sql<Parameters<typeof callOf>[0]>`
    select known.* from ${jsonRows(kind, "asked", PLACE, people)} cross join recipient_calls as known
    where known.build = ${build} and known.task_id = asked.task_id and known.recipient = asked.recipient`.execute(trx);
  return rows.map((row) => ({ call: callOf(row), before: row.recipient }));
}

async function deleteCalls({ trx }: ProjectionTrx, build: number, sessionIds: readonly string[]): Promise<void> {
  if (sessionIds.length === 0) return;
  await trx.deleteFrom("recipient_calls").where("build", "=", build).where("session_id", "in", sessionIds).execute();
}

/** Their calls stay. */
async function deletePeople({ trx, kind }: ProjectionTrx, build: number, people: readonly Place[]): Promise<void> {
  if (people.length === 0) return;
  for (const table of ["recipient_keys", "recipients"])
    await sql`delete from ${sql.table(table)} where build = ${build} and (task_id, recipient) in (
      select task_id, recipient from ${jsonRows(kind, "asked", PLACE, people)})`.execute(trx);
}

/**
 * A recipient is named by the session ID of one of its calls. Of several that are one person now, that with the most calls keeps its name, so
 * that the fewest calls are renamed. One that lost calls keeps it while it has the call that it is named by.
 */
function nameOf(person: readonly Known[]): string {
  const recipients = person.filter(({ recipient }) => recipient !== null);
  const [largest] = recipients.toSorted((a, b) => b.summary.attempts - a.summary.attempts);
  if (largest?.recipient != null) return largest.recipient;
  const naming = person.find(({ call, before }) => call !== null && call.sessionId === before);
  return (naming ?? person[0])?.call?.sessionId as string;
}

interface Named {
  all: readonly Known[];
  taskId: string;
  recipient: string;
}

/** What is written already under the name of a person stays. */
async function writePeople(db: ProjectionTrx, build: number, people: readonly Named[]): Promise<void> {
  const renamed = people.flatMap(({ all, recipient, taskId: task_id }) =>
    all.flatMap(({ recipient: old }) => (old === null || old === recipient ? [] : { task_id, old, recipient })),
  );
  await rename(db, build, renamed);
  const calls = people.flatMap(({ all, recipient }) =>
    all.flatMap(({ call, before }) => (call && before !== recipient ? callRow(call, recipient) : [])),
  );
  await write(db, build, "recipient_calls", CALL_COLUMNS, calls);
  const keys = people.flatMap(({ all, recipient, taskId: task_id }) => {
    const added = all.filter((known) => known.recipient !== recipient).flatMap((known) => known.keys);
    const rows = added.map(({ key, code }) => ({ task_id, key, code: code ?? "", recipient }));
    return [...new Map(rows.map((row) => [`${row.key} ${row.code}`, row])).values()];
  });
  await write(db, build, "recipient_keys", { ...PLACE, key: "text", code: "text" }, keys);
  const summaries = people.map(({ all, recipient, taskId }) =>
    recipientRow({ taskId, recipient, ...all.map(({ summary }) => summary).reduce(joinSummaries) }),
  );
  await write(db, build, "recipients", RECIPIENT_COLUMNS, summaries);
}

type Renamed = { task_id: string; old: string; recipient: string };

async function rename({ trx, kind }: ProjectionTrx, build: number, renamed: readonly Renamed[]): Promise<void> {
  if (renamed.length === 0) return;
  const columns = { ...PLACE, old: "text" } as const;
  await sql`update recipient_calls set recipient = renamed.recipient from ${jsonRows(kind, "renamed", columns, renamed)}
    where recipient_calls.build = ${build} and recipient_calls.task_id = renamed.task_id
      and recipient_calls.recipient = renamed.old`.execute(trx);
}

/** Adds rows, or replaces those with the same key. */
async function write<Column extends string>(
  { trx, kind }: ProjectionTrx,
  build: number,
  table: keyof typeof KEYS,
  columns: Readonly<Record<Column, ColumnType>>,
  rows: readonly Partial<Record<Column, string | number | null>>[],
): Promise<void> {
  const names = Object.keys(columns);
  const all = sql.raw(names.join());
  const set = names.map((name) => `${name} = excluded.${name}`).join();
  for (const some of chunksOf(rows))
    await sql`insert into ${sql.table(table)} (build, ${all})
      select ${sql.lit(build)}, ${all} from ${jsonRows(kind, "added", columns, some)} where true
      on conflict (build, ${sql.raw(KEYS[table])}) do update set ${sql.raw(set)}`.execute(trx);
}
