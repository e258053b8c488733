// What a delivery adds to what is known of its call: the first event, a further revision, or nothing.
import { hash } from "node:crypto";
import { canonicalJson, isInOrder } from "../canonicalJson.ts";
import type { Instant } from "../dialect/instant.ts";
import type { NewEventRow, Revise } from "../store/eventStore.ts";
import { columnText, wasAnswered, type CallEndedData, type EventSource } from "./callEnded.ts";

/** One telling of an ended call, by whomever. */
export interface Delivery {
  sessionId: string;
  call: CallEndedData;
  /** Its JSON; as long as it is, it weighs while it waits. */
  text: string;
  source: EventSource;
  receivedAt: Instant;
  /** Of the call as it was told, in whatever order its variables came: the same telling again is known by it. */
  sha256: string;
}

export function deliveryOf(call: CallEndedData, source: EventSource, receivedAt: Instant): Delivery {
  const text = JSON.stringify(call);
  return { sessionId: call.sessionId, call, text, source, receivedAt, sha256: digestOf(call, text) };
}

function digestOf(call: CallEndedData, text: string): string {
  if (isInOrder(call.extra)) return hash("sha256", text, "hex");
  const extra = JSON.parse(canonicalJson(call.extra)) as CallEndedData["extra"];
  return hash("sha256", JSON.stringify({ ...call, extra }), "hex");
}

/**
 * The same telling again adds nothing, and neither does one that knows no more than what is there. The call log's word
 * (RECONCILED) counts only where nothing else was told, for the event tells all that the list does.
 */
export const revise: Revise<Delivery> = (earlier, delivery) => {
  const newest = earlier.at(-1);
  if (!newest) return rowOf(delivery, delivery, 1);
  const before = newest.isWhole ? readable(newest.data) : null;
  // What cannot be read any more must not keep out what is told of the same call now.
  if (before && delivery.source === "RECONCILED") return null;
  const isTold = (sha256: string) => earlier.some(({ deliverySha256 }) => deliverySha256 === sha256);
  // Older versions took the digest of the text, as its variables came.
  if (before && (isTold(delivery.sha256) || isTold(hash("sha256", delivery.text, "hex")))) return null;
  const merged = before ? mergeCalls(before, delivery.call) : delivery.call;
  const text = JSON.stringify(merged);
  const isKnown = newest.source === delivery.source && tellsSame(text, newest.data);
  return isKnown ? null : rowOf(delivery, { call: merged, text }, newest.revision + 1);
};

/** But for the order of keys; the same in another order is as long. */
function tellsSame(text: string, known: string): boolean {
  if (text === known || text.length !== known.length) return text === known;
  return canonicalJson(JSON.parse(text)) === canonicalJson(JSON.parse(known));
}

function readable(data: string): CallEndedData | null {
  try {
    return JSON.parse(data) as CallEndedData;
  } catch {
    return null;
  }
}

/** What the later telling leaves open, the earlier one fills. */
function mergeCalls(earlier: CallEndedData, later: CallEndedData): CallEndedData {
  const told = Object.fromEntries(Object.entries(later).filter(([, value]) => value !== null));
  const merged: CallEndedData = { ...earlier, ...told };
  if (later.assistants.length === 0) merged.assistants = earlier.assistants;
  const fields = new Set(later.unread.map(({ field }) => field));
  const stillUnread = earlier.unread.filter(({ field }) => !fields.has(field) && !(field in told));
  return { ...merged, unread: [...later.unread, ...stillUnread] };
}

function rowOf(
  { source, receivedAt, sha256 }: Delivery,
  { call, text }: Pick<Delivery, "call" | "text">,
  revision: number,
): NewEventRow {
  return {
    sessionId: call.sessionId,
    revision,
    source,
    deliverySha256: sha256,
    receivedAt,
    endedAt: call.endAt ?? receivedAt,
    direction: call.direction,
    hangupSide: call.hangupSide,
    hangupReason: columnText(call.hangupReason),
    answered: wasAnswered(call),
    duration: call.duration,
    billsec: call.billsec,
    taskId: columnText(call.taskId),
    caller: columnText(call.caller),
    callee: columnText(call.callee),
    assistantIds: call.assistants.map(({ assistantId }) => columnText(assistantId)),
    data: text,
  };
}
