// What a call contributes to the recipients of its task: whom it was to, and what became of it.
import { hash } from "node:crypto";
import { columnText, isEnd, wasAnswered, type CallEndedEvent } from "../events/callEndedEvent.ts";
import { outcomeOfReason, type HangUpOutcome } from "../config/hangUpOutcomes.ts";
import { readPhone } from "../format/readPhone.ts";
import { possiblePeople } from "../format/samePerson.ts";
import { recipientKey, type PersonKey, type RecipientCall } from "../store/projections/recipientPeople.ts";
import type { Signer } from "../util/hmac.ts";
import type { Projection } from "./startProjections.ts";

export const RECIPIENTS = "recipients";
/** The number of the rule below. A change of the rule needs another one: then all recipients are made anew. */
const RULE = 2;

export interface RecipientRuleDeps {
  signer: Signer;
  /** The reasons that the operator named. A change of them makes all recipients anew. */
  hangUpOutcomes: readonly HangUpOutcome[];
}

export function createRecipientProjection({ signer, hangUpOutcomes }: RecipientRuleDeps): Projection {
  const own =
    hangUpOutcomes.length === 0 ? "" : ` ${hash("sha256", JSON.stringify(hangUpOutcomes), "hex").slice(0, 8)}`;
  return {
    name: RECIPIENTS,
    version: `${RULE}${own}`,
    contributionOf: (event, seq) => contributionOf(event, seq, { signer, hangUpOutcomes }),
  };
}

/** Null: it is no call of a task to a person, or has not ended. */
function contributionOf(
  event: CallEndedEvent,
  seq: number,
  { signer, hangUpOutcomes }: RecipientRuleDeps,
): RecipientCall | null {
  const { sessionId, direction, billsec, hangupReason, endAt, receivedAt } = event;
  const taskId = columnText(event.taskId);
  if (taskId === null || direction === "inbound" || !isEnd(event)) return null;
  return {
    sessionId,
    seq,
    taskId,
    keys: keysOf(event, taskId, signer),
    endedAt: endAt ?? receivedAt,
    outcome: wasAnswered(event) ? "REACHED" : outcomeOfReason(hangupReason, hangUpOutcomes),
    talkTime: talkTimeOf(billsec),
    reason: columnText(hangupReason),
  };
}

/** By the service's ID of the number in the task, and by the number: an event that reconciliation found has no such ID. */
function keysOf({ taskItemId, callee }: CallEndedEvent, taskId: string, signer: Signer): PersonKey[] {
  const reading = callee === null ? null : readPhone(callee);
  const byNumber = reading === null || reading.kind === "none" ? [] : possiblePeople(reading);
  const keys = byNumber.map(({ key, code }): PersonKey => ({ key: recipientKey(signer, taskId, key), code }));
  if (taskItemId === null) return keys;
  const isShort = SHORT_ID.test(taskItemId);
  return [
    { key: isShort ? `#${taskItemId}` : recipientKey(signer, taskId, `item ${taskItemId}`), code: null },
    ...keys,
  ];
}

/** Such IDs are mostly given out in order, so that their entries come to lie side by side. A hash of them would not. */
const SHORT_ID = /^[\w-]{1,40}$/;

/** A larger number is none of a call, and the sum of several could exceed a double. */
const MAX_TALK_TIME = 1e15;
const talkTimeOf = (billsec: number | null): number =>
  billsec !== null && billsec > 0 && billsec <= MAX_TALK_TIME ? billsec : 0;
