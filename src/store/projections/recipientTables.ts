// The rows of recipients: people of tasks, each with the calls that it follows from. New calls are joined to what is known of a person, however
// many calls that has. Where a call changes or goes, its person is made anew from the calls that are left: the database sums them up by their keys.
import { sql } from "kysely";
import type { Added, ProjectionTables, ProjectionTrx } from "./projectionTables.ts";
import {
  groupByPerson,
  joinSummaries,
  keysOfText,
  summaryOf,
  type PersonKey,
  type RecipientCall,
} from "./recipientPeople.ts";
import {
  callsAt,
  findPeople,
  keysOfPeople,
  leftCallsOf,
  namesTaken,
  type LeftCalls,
  type MetPerson,
} from "./recipientReads.ts";
import {
  callOf,
  callRow,
  CALL_COLUMNS,
  keyRows,
  KEY_COLUMNS,
  recipientRow,
  RECIPIENT_COLUMNS,
} from "./recipientRows.ts";
import { addRows, deleteCalls, deleteKeys, deletePeople, movePositions, nameCalls } from "./recipientWrites.ts";

/** What is known of a person: a recipient, some calls of one that lost others, or a new call. */
type Known =
  | (MetPerson & { is: "met" })
  | (LeftCalls & { is: "left" })
  | (Pick<LeftCalls, "taskId" | "keys" | "summary" | "first"> & { is: "new"; call: RecipientCall });

interface Person {
  all: readonly Known[];
  taskId: string;
  recipient: number;
}

export const recipientTables: ProjectionTables<RecipientCall> = {
  name: "recipients",
  async setCalls(db, build, positions, added) {
    const before = await callsAt(db, build, positions);
    const calls = new Map(added.map(({ contribution }) => [contribution.sessionId, contribution]));
    const moved = before.flatMap((row) => {
      const call = calls.get(row.session_id);
      return call && isSame(callOf(row), call) ? { sessionId: row.session_id, old: row.seq, seq: call.seq } : [];
    });
    await movePositions(db, build, moved);
    const unchanged = new Set(moved.map(({ sessionId }) => sessionId));
    const lost = before.filter(({ session_id }) => !unchanged.has(session_id));
    const fresh = added.filter(({ contribution }) => !unchanged.has(contribution.sessionId));
    await replace(db, build, lost, await withFirsts(db, build, lost, fresh));
  },
  async callsThrough({ trx }, seq) {
    const builds = trx.selectFrom("projections").select("build").where("name", "=", this.name);
    const calls = trx.selectFrom("recipient_calls").select(["build", "seq"]).where("build", "in", builds);
    return calls.where("seq", "<=", seq).execute();
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
  recipient_calls: "seq",
  recipient_keys: "task_id, key, code, recipient",
  recipients: "task_id, recipient",
} as const;

/** Apart from the position. */
function isSame(before: RecipientCall, now: RecipientCall): boolean {
  const textOf = (call: RecipientCall) => JSON.stringify(callRow({ ...call, seq: 0 }, { recipient: 0, first: 0 }));
  return textOf(before) === textOf(now);
}

type CallRows = Awaited<ReturnType<typeof callsAt>>;

interface NewCall {
  call: RecipientCall;
  first: number;
}

/** A call keeps its first position. One that comes back after it contributed nothing may find it as the name of people whom it was with before. */
async function withFirsts(
  db: ProjectionTrx,
  build: number,
  lost: CallRows,
  added: readonly Added<RecipientCall>[],
): Promise<NewCall[]> {
  const known = new Map(lost.map((row) => [row.session_id, row.first_seq]));
  const all = added.map(({ contribution: call, first }) => ({ call, first: known.get(call.sessionId) ?? first }));
  const unsure = all.filter(({ call, first }) => first !== call.seq && !known.has(call.sessionId));
  const taken = await namesTaken(
    db,
    build,
    unsure.map(({ first }) => first),
  );
  return all.map(({ call, first }) => ({
    call,
    first: taken.has(first) && !known.has(call.sessionId) ? call.seq : first,
  }));
}

async function replace(db: ProjectionTrx, build: number, lost: CallRows, added: readonly NewCall[]): Promise<void> {
  await deleteCalls(db, build, lost);
  const broken = new Map(lost.map(({ recipient, task_id }) => [recipient, task_id]));
  const left = (await leftCallsOf(db, build, [...broken.keys()])).map((calls) => ({ ...calls, is: "left" as const }));
  const met = (await findPeople(db, build, [...added.map(({ call }) => call), ...left])).filter(
    ({ recipient }) => !broken.has(recipient),
  );
  const known: Known[] = [
    ...met.map((person) => ({ ...person, is: "met" as const })),
    ...left,
    ...added.map(({ call, first }) => {
      return { taskId: call.taskId, keys: call.keys, summary: summaryOf(call), is: "new" as const, call, first };
    }),
  ];
  const kept = namesKept(left, added);
  const nameIn = (one: Known) =>
    one.is === "met" ? one.recipient : one.is === "left" ? (kept.get(one) ?? one.first) : one.first;
  const tasks = Map.groupBy(known, ({ taskId }) => taskId);
  const people = Array.from(tasks, ([taskId, ofTask]) =>
    groupByPerson(ofTask).map((all) => ({ all, taskId, recipient: all.map(nameIn).reduce((a, b) => Math.min(a, b)) })),
  ).flat();
  // A call that moves to another task may take its person's name along.
  const named = new Map(people.map(({ taskId, recipient }) => [recipient, taskId]));
  const isNamed = (recipient: number, taskId: string) => named.get(recipient) === taskId;
  const merged = new Map(
    met.flatMap(({ taskId, recipient }) => (isNamed(recipient, taskId) ? [] : [[recipient, taskId]])),
  );
  const ofMerged = await keysOfPeople(db, build, [...merged.keys()]);
  const had = keyTable([
    ...differentKeys(lost).map((row) => ({
      taskId: row.task_id,
      recipient: row.recipient,
      keys: keysOfText(row.keys),
    })),
    ...left,
    ...met,
    ...Array.from(ofMerged, ([recipient, keys]) => ({ taskId: merged.get(recipient) as string, recipient, keys })),
  ]);
  const [alone, others] = [people.filter(isNew), people.filter((person) => !isNew(person))];
  const has = keyTable(
    others.flatMap(({ all, ...person }) =>
      all.map((one) => ({ ...person, keys: (one.is === "met" && ofMerged.get(one.recipient)) || one.keys })),
    ),
  );
  await deleteKeys(db, build, missingIn(has, had));
  const leaving = [...broken, ...merged].filter(([recipient, taskId]) => !isNamed(recipient, taskId));
  await deletePeople(
    db,
    build,
    leaving.map(([recipient, task_id]) => ({ task_id, recipient })),
  );
  await nameCalls(db, build, people.flatMap(renamedIn));
  const ofAlone = alone.flatMap(({ all, taskId, recipient }) => keyRows(taskId, all[0]?.keys ?? [], recipient));
  await write(db, build, people, [...missingIn(had, has), ...ofAlone]);
}

/** Most people of a batch: a new call is all that is known of them. */
const isNew = ({ all }: Person) => all.length === 1 && all[0]?.is === "new";

type KeyTable = ReadonlyMap<string, ReturnType<typeof keyRows>[number]>;

const keyTable = (people: readonly { taskId: string; recipient: number; keys: readonly PersonKey[] }[]): KeyTable =>
  new Map(
    people.flatMap(({ taskId, recipient, keys }) =>
      keyRows(taskId, keys, recipient).map((row) => [`${row.key}:${row.code} ${recipient} ${taskId}`, row]),
    ),
  );

const missingIn = (table: KeyTable, other: KeyTable) =>
  [...other].flatMap(([text, row]) => (table.has(text) ? [] : row));

/** One of the calls of each person with the same keys: an erasure may take a person with many thousands. */
const differentKeys = (calls: CallRows): CallRows => [
  ...new Map(calls.map((row) => [`${row.recipient} ${row.keys}`, row])).values(),
];

/**
 * A recipient is named by the least first position of its calls. So it keeps its place in lists where calls are revised or added, and two that are
 * one person stand where the first of them did. Where the call that names it is gone for good, the earliest calls that are left keep the name: a
 * person with many calls is not renamed each time that the oldest expire. No name is of two people, because no other call has its position.
 */
function namesKept(left: readonly LeftCalls[], added: readonly { first: number }[]): Map<LeftCalls, number> {
  const firsts = new Set([...left, ...added].map(({ first }) => first));
  const kept = new Map<LeftCalls, number>();
  for (const [recipient, all] of Map.groupBy(left, (calls) => calls.recipient)) {
    if (firsts.has(recipient)) continue;
    kept.set(
      all.reduce((a, b) => (a.first < b.first ? a : b)),
      recipient,
    );
  }
  return kept;
}

/** The calls that are known under another name. */
const renamedIn = ({ all, recipient }: Person) =>
  all.flatMap((known) => {
    if (known.is === "new" || known.recipient === recipient) return [];
    return { old: known.recipient, keys: known.is === "left" ? known.text : null, recipient };
  });

async function write(
  db: ProjectionTrx,
  build: number,
  people: readonly Person[],
  keys: ReturnType<typeof keyRows>,
): Promise<void> {
  const calls = people.flatMap(({ all, recipient }) =>
    all.flatMap((known) => (known.is === "new" ? callRow(known.call, { recipient, first: known.first }) : [])),
  );
  await addRows(db, build, { table: "recipient_calls", columns: CALL_COLUMNS, key: KEYS.recipient_calls }, calls);
  await addRows(db, build, { table: "recipient_keys", columns: KEY_COLUMNS, key: KEYS.recipient_keys }, keys);
  const rows = people.map(({ all, recipient, taskId }) =>
    recipientRow({ taskId, recipient, ...all.map(({ summary }) => summary).reduce(joinSummaries) }),
  );
  await addRows(db, build, { table: "recipients", columns: RECIPIENT_COLUMNS, key: KEYS.recipients }, rows);
}
