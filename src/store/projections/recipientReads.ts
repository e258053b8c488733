// What a change of recipients reads: the calls that it replaces, and the people whom it meets.
import { sql, type Selectable } from "kysely";
import type { RecipientOutcome } from "../../config/hangUpOutcomes.ts";
import { chunksOf, jsonRows } from "../sqlHelpers.ts";
import type { RecipientCallsTable, RecipientsTable } from "../tables.ts";
import type { ProjectionTrx } from "./projectionTables.ts";
import { keysOfText, type PersonKey, type RecipientSummary } from "./recipientPeople.ts";
import { keyOf, PLACE, recipientOf } from "./recipientRows.ts";

/** A person who is known by a key that was asked for. */
export interface MetPerson {
  taskId: string;
  recipient: number;
  summary: RecipientSummary;
  /** Those that were asked for. */
  keys: readonly PersonKey[];
}

/** All calls of a recipient with the same keys. */
export interface LeftCalls extends MetPerson {
  /** The keys as the calls have them. */
  text: string;
  /** The least first position of these calls. */
  first: number;
}

export async function callsAt(
  { trx }: ProjectionTrx,
  build: number,
  positions: readonly number[],
): Promise<Selectable<RecipientCallsTable>[]> {
  const rows: Selectable<RecipientCallsTable>[] = [];
  for (const some of chunksOf(positions)) {
    const calls = trx.selectFrom("recipient_calls").selectAll().where("build", "=", build).where("seq", "in", some);
    rows.push(...(await calls.execute()));
  }
  return rows;
}

/** The calls of recipients that lost others, summed up by their keys: mostly one row for each recipient. */
export async function leftCallsOf(
  { trx, kind }: ProjectionTrx,
  build: number,
  recipients: readonly number[],
): Promise<LeftCalls[]> {
  if (recipients.length === 0) return [];
  const { rows } = await sql<LeftRow>`select * from (
      select known.*, count(*) over w as attempts, sum(known.talk_time) over w as talk_time_sum,
        min(known.ended_at) over w as first_at, min(known.first_seq) over w as least_first,
        max(case when known.outcome = 'REACHED' then 1 else 0 end) over w as reached,
        row_number() over (w order by known.ended_at desc, known.session_id desc) as place
      from ${askedFor(kind, recipients)} cross join recipient_calls as known
      where known.build = ${build} and known.recipient = asked.recipient
      window w as (partition by known.recipient, known.keys)
    ) as summed where place = 1`.execute(trx);
  return rows.map((row) => ({
    taskId: row.task_id,
    recipient: row.recipient,
    keys: keysOfText(row.keys),
    text: row.keys,
    first: row.least_first,
    summary: {
      outcome: row.reached === 1 ? "REACHED" : (row.outcome as RecipientOutcome),
      attempts: row.attempts,
      talkTime: row.talk_time_sum,
      firstAt: row.first_at,
      lastAt: row.ended_at,
      lastSession: row.session_id,
      lastReason: row.reason,
    },
  }));
}

type LeftRow = Selectable<RecipientCallsTable> & {
  attempts: number;
  talk_time_sum: number;
  first_at: string;
  least_first: number;
  reached: number;
};

const askedFor = (kind: ProjectionTrx["kind"], recipients: readonly number[]) =>
  jsonRows(
    kind,
    "asked",
    { recipient: "bigint" },
    recipients.map((recipient) => ({ recipient })),
  );

/** The people with a key of these calls. */
export async function findPeople(
  { trx, kind }: ProjectionTrx,
  build: number,
  calls: readonly { taskId: string; keys: readonly PersonKey[] }[],
): Promise<MetPerson[]> {
  const asked = new Map<string, { task_id: string; key: string }>();
  for (const { taskId: task_id, keys } of calls)
    for (const { key } of keys) asked.set(`${task_id} ${key}`, { task_id, key });
  if (asked.size === 0) return [];
  const columns = { task_id: "text", key: "text" } as const;
  const { rows } = await sql<KeyRow>`select known.* from ${jsonRows(kind, "asked", columns, [...asked.values()])}
    cross join recipient_keys as known
    where known.build = ${build} and known.task_id = asked.task_id and known.key = asked.key`.execute(trx);
  if (rows.length === 0) return [];
  const byRecipient = Map.groupBy(rows, ({ recipient }) => recipient);
  const places = Array.from(byRecipient, ([recipient, [row]]) => ({ task_id: (row as KeyRow).task_id, recipient }));
  const { rows: people } = await sql<Selectable<RecipientsTable>>`
    select known.* from ${jsonRows(kind, "asked", PLACE, places)} cross join recipients as known
    where known.build = ${build} and known.task_id = asked.task_id and known.recipient = asked.recipient`.execute(trx);
  return people.map((row) => {
    const { taskId, recipient, ...summary } = recipientOf(row);
    return { taskId, recipient, summary, keys: (byRecipient.get(recipient) ?? []).map(keyOf) };
  });
}

interface KeyRow {
  task_id: string;
  recipient: number;
  key: string;
  code: string;
}

/** Which of these names recipients of any task have. */
export async function namesTaken(
  { trx, kind }: ProjectionTrx,
  build: number,
  names: readonly number[],
): Promise<Set<number>> {
  if (names.length === 0) return new Set();
  const { rows } = await sql<{ recipient: number }>`select asked.recipient from ${askedFor(kind, names)} where exists (
    select 1 from recipient_calls as known where known.build = ${build} and known.recipient = asked.recipient
  )`.execute(trx);
  return new Set(rows.map(({ recipient }) => recipient));
}

/** All keys of these people, by recipient. */
export async function keysOfPeople(
  { trx, kind }: ProjectionTrx,
  build: number,
  recipients: readonly number[],
): Promise<Map<number, PersonKey[]>> {
  if (recipients.length === 0) return new Map();
  const { rows } = await sql<{ recipient: number; keys: string }>`
    select distinct known.recipient, known.keys from ${askedFor(kind, recipients)} cross join recipient_calls as known
    where known.build = ${build} and known.recipient = asked.recipient`.execute(trx);
  const byRecipient = Map.groupBy(rows, ({ recipient }) => recipient);
  return new Map(Array.from(byRecipient, ([one, own]) => [one, own.flatMap(({ keys }) => keysOfText(keys))]));
}
