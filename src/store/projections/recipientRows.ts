// The columns of recipients and of their calls, and how they are read and written.
import { sql, type Selectable } from "kysely";
import type { RecipientOutcome } from "../../config/hangUpOutcomes.ts";
import { jsonRows } from "../sqlHelpers.ts";
import type { RecipientCallsTable, RecipientsTable } from "../tables.ts";
import type { ProjectionTrx } from "./projectionTables.ts";
import type { PersonKey, RecipientCall, RecipientSummary } from "./recipientPeople.ts";

export interface Recipient extends RecipientSummary {
  taskId: string;
  /** Names it within its build: the session ID of one of its calls. */
  recipient: string;
}

export const PLACE = { task_id: "text", recipient: "text" } as const;

export const CALL_COLUMNS = {
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

export function callRow(call: RecipientCall, recipient: string): Omit<RecipientCallsTable, "build"> {
  return {
    session_id: call.sessionId,
    seq: call.seq,
    task_id: call.taskId,
    recipient,
    keys: JSON.stringify(call.keys),
    ended_at: call.endedAt,
    outcome: call.outcome,
    talk_time: call.talkTime,
    reason: call.reason,
  };
}

export function callOf(row: Selectable<RecipientCallsTable>): RecipientCall {
  return {
    sessionId: row.session_id,
    seq: row.seq,
    taskId: row.task_id,
    keys: JSON.parse(row.keys) as PersonKey[],
    endedAt: row.ended_at,
    outcome: row.outcome as RecipientOutcome,
    talkTime: row.talk_time,
    reason: row.reason,
  };
}

export const RECIPIENT_COLUMNS = {
  ...PLACE,
  outcome: "text",
  attempts: "bigint",
  talk_time: "double precision",
  first_at: "text",
  last_at: "text",
  last_session: "text",
  last_reason: "text",
} as const;

export function recipientRow(one: Recipient): Omit<RecipientsTable, "build"> {
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

export function recipientOf(row: Selectable<RecipientsTable>): Recipient {
  return {
    taskId: row.task_id,
    recipient: row.recipient,
    outcome: row.outcome as RecipientOutcome,
    attempts: row.attempts,
    talkTime: row.talk_time,
    firstAt: row.first_at,
    lastAt: row.last_at,
    lastSession: row.last_session,
    lastReason: row.last_reason,
  };
}

interface KnownPerson {
  taskId: string;
  recipient: string;
  keys: PersonKey[];
  summary: RecipientSummary;
}

export async function readRecipients(
  { trx, kind }: ProjectionTrx,
  build: number,
  people: readonly { task_id: string; recipient: string }[],
): Promise<KnownPerson[]> {
  if (people.length === 0) return [];
  const rowsOf = <Row>(table: string) => sql<Row>`
    select known.* from ${jsonRows(kind, "asked", PLACE, people)} cross join ${sql.table(table)} as known
    where known.build = ${build} and known.task_id = asked.task_id and known.recipient = asked.recipient`;
  const { rows } = await rowsOf<Selectable<RecipientsTable>>("recipients").execute(trx);
  const { rows: keys } = await rowsOf<{ recipient: string; key: string; code: string }>("recipient_keys").execute(trx);
  const byRecipient = Map.groupBy(keys, ({ recipient }) => recipient);
  return rows.map((row) => {
    const { taskId, recipient, ...summary } = recipientOf(row);
    const own = byRecipient.get(recipient) ?? [];
    return { taskId, recipient, summary, keys: own.map(({ key, code }) => ({ key, code: code === "" ? null : code })) };
  });
}
