// The columns of recipients and of their calls, and how they are read and written.
import type { Selectable } from "kysely";
import type { RecipientOutcome } from "../../config/hangUpOutcomes.ts";
import type { RecipientCallsTable, RecipientsTable } from "../tables.ts";
import {
  keysOfText,
  textOfKeys,
  type PersonKey,
  type RecipientCall,
  type RecipientSummary,
} from "./recipientPeople.ts";

export interface Recipient extends RecipientSummary {
  taskId: string;
  /** Names it within its build: the first position of a call that it has or had. Of no other one. */
  recipient: number;
}

export const PLACE = { task_id: "text", recipient: "bigint" } as const;

export const CALL_COLUMNS = {
  seq: "bigint",
  session_id: "text",
  task_id: "text",
  recipient: "bigint",
  first_seq: "bigint",
  keys: "text",
  ended_at: "text",
  outcome: "text",
  talk_time: "double precision",
  reason: "text",
} as const;

export function callRow(
  call: RecipientCall,
  { recipient, first }: { recipient: number; first: number },
): Omit<RecipientCallsTable, "build"> {
  return {
    session_id: call.sessionId,
    seq: call.seq,
    task_id: call.taskId,
    recipient,
    first_seq: first,
    keys: textOfKeys(call.keys),
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
    keys: keysOfText(row.keys),
    endedAt: row.ended_at,
    outcome: row.outcome as RecipientOutcome,
    talkTime: row.talk_time,
    reason: row.reason,
  };
}

export const KEY_COLUMNS = { ...PLACE, key: "text", code: "text" } as const;

export const keyRows = (task_id: string, keys: readonly PersonKey[], recipient: number) =>
  keys.map(({ key, code }) => ({ task_id, recipient, key, code: code ?? "" }));

export const keyOf = ({ key, code }: { key: string; code: string }): PersonKey => ({
  key,
  code: code === "" ? null : code,
});

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
