// The rows of recipients: people of tasks, each with the calls that it follows from. New calls are joined to what is known of a person, however
// many calls that has. Where a call changes or goes, its person is made anew from the calls that are left: the database sums them up by their keys.
import { sql } from "kysely";
import type { ProjectionTables, ProjectionTrx } from "./projectionTables.ts";
import { groupByPerson, joinSummaries, summaryOf, type PersonKey, type RecipientCall } from "./recipientPeople.ts";
import { callsAt, findPeople, keysOfPeople, leftCallsOf, type LeftCalls, type MetPerson } from "./recipientReads.ts";
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
  | (Pick<MetPerson, "taskId" | "keys" | "summary"> & { is: "new"; call: RecipientCall });

interface Person {
  all: readonly Known[];
  taskId: string;
  recipient: number;
}

export const recipientTables: ProjectionTables<RecipientCall> = {
  name: "recipients",
  async setCalls(db, build, gone, added) {
    const before = await callsAt(db, build, gone);
    const calls = new Map(added.map((call) => [call.sessionId, call]));
    const moved = before.flatMap((row) => {
      const call = calls.get(row.session_id);
      return call && isSame(callOf(row), call) ? { sessionId: row.session_id, old: row.seq, seq: call.seq } : [];
    });
    await movePositions(db, build, moved);
    const unchanged = new Set(moved.map(({ sessionId }) => sessionId));
    const lost = before.filter(({ session_id }) => !unchanged.has(session_id));
    await replace(
      db,
      build,
      lost,
      unchanged.size === 0 ? added : added.filter((call) => !unchanged.has(call.sessionId)),
    );
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
  const textOf = (call: RecipientCall) => JSON.stringify(callRow({ ...call, seq: 0 }, 0));
  return textOf(before) === textOf(now);
}

type CallRows = Awaited<ReturnType<typeof callsAt>>;

async function replace(
  db: ProjectionTrx,
  build: number,
  lost: CallRows,
  added: readonly RecipientCall[],
): Promise<void> {
  await deleteCalls(db, build, lost);
  const broken = new Map(lost.map(({ recipient, task_id }) => [recipient, task_id]));
  const left = await leftCallsOf(db, build, [...broken.keys()]);
  const met = (await findPeople(db, build, [...added, ...left])).filter(({ recipient }) => !broken.has(recipient));
  const known: Known[] = [
    ...met.map((person) => ({ ...person, is: "met" as const })),
    ...left.map((calls) => ({ ...calls, is: "left" as const })),
    ...added.map((call) => ({
      taskId: call.taskId,
      keys: call.keys,
      summary: summaryOf(call),
      is: "new" as const,
      call,
    })),
  ];
  const tasks = Map.groupBy(known, ({ taskId }) => taskId);
  const people = Array.from(tasks, ([taskId, ofTask]) =>
    groupByPerson(ofTask).map((all) => ({ all, taskId, recipient: nameOf(all) })),
  ).flat();
  const named = new Set(people.map(({ recipient }) => recipient));
  const merged = new Map(met.flatMap(({ taskId, recipient }) => (named.has(recipient) ? [] : [[recipient, taskId]])));
  const ofMerged = await keysOfPeople(db, build, [...merged.keys()]);
  await deleteKeys(db, build, [
    ...lost.flatMap((row) => keyRows(row.task_id, callOf(row).keys, row.recipient)),
    ...left.flatMap(({ taskId, keys, recipient }) => keyRows(taskId, keys, recipient)),
    ...Array.from(ofMerged, ([recipient, keys]) => keyRows(merged.get(recipient) as string, keys, recipient)).flat(),
  ]);
  const leaving = [...broken, ...merged].filter(([recipient]) => !named.has(recipient));
  await deletePeople(
    db,
    build,
    leaving.map(([recipient, task_id]) => ({ task_id, recipient })),
  );
  await nameCalls(db, build, people.flatMap(renamedIn));
  await write(db, build, people, (recipient) => ofMerged.get(recipient) ?? []);
}

/**
 * A recipient is named by the position of one of its calls. Of several that are one person now, that with the most calls keeps its name, so that
 * the fewest calls are renamed. Where the call that names it leaves, it gets another name: no name is of two people.
 */
function nameOf(person: readonly Known[]): number {
  let largest: MetPerson | null = null;
  for (const known of person) {
    if (known.is === "new" || (known.is === "left" && !known.hasNamingCall)) continue;
    if (largest === null || known.summary.attempts > largest.summary.attempts) largest = known;
  }
  if (largest) return largest.recipient;
  return Math.min(
    ...person.map((known) => (known.is === "new" ? known.call.seq : known.is === "left" ? known.firstSeq : Infinity)),
  );
}

/** The calls that are known under another name. */
const renamedIn = ({ all, recipient }: Person) =>
  all.flatMap((known) => {
    if (known.is === "new" || known.recipient === recipient) return [];
    return { old: known.recipient, keys: known.is === "left" ? known.text : null, recipient };
  });

/** What is written already under the name of a person stays. */
async function write(
  db: ProjectionTrx,
  build: number,
  people: readonly Person[],
  keysOf: (recipient: number) => readonly PersonKey[],
): Promise<void> {
  const calls = people.flatMap(({ all, recipient }) =>
    all.flatMap((known) => (known.is === "new" ? callRow(known.call, recipient) : [])),
  );
  await addRows(db, build, { table: "recipient_calls", columns: CALL_COLUMNS, key: KEYS.recipient_calls }, calls);
  const keys = people.flatMap(({ all, recipient, taskId }) => {
    const own = all.flatMap((known) => (known.is === "met" ? keysOf(known.recipient) : known.keys));
    const kept = all.find((known) => known.is === "met" && known.recipient === recipient);
    return keyRows(taskId, kept ? own.filter((key) => !kept.keys.some((one) => isSameKey(one, key))) : own, recipient);
  });
  await addRows(db, build, { table: "recipient_keys", columns: KEY_COLUMNS, key: KEYS.recipient_keys }, keys);
  const rows = people.map(({ all, recipient, taskId }) =>
    recipientRow({ taskId, recipient, ...all.map(({ summary }) => summary).reduce(joinSummaries) }),
  );
  await addRows(db, build, { table: "recipients", columns: RECIPIENT_COLUMNS, key: KEYS.recipients }, rows);
}

const isSameKey = (one: PersonKey, other: PersonKey) => one.key === other.key && one.code === other.code;
