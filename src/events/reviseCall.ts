// Decides what a delivery adds to its call: the first event, a further revision, or nothing.
import { hash } from "node:crypto";
import { canonicalJson, hasSortedKeys } from "../util/canonicalJson.ts";
import type { Instant } from "../format/instant.ts";
import type { NewEventRow, Revise } from "../store/events/eventStore.ts";
import { endsCall, type Delivered } from "./deliveryRank.ts";
import { mergeCalls } from "./mergeCalls.ts";
import {
  columnText,
  phoneColumn,
  showsEnd,
  wasAnswered,
  type CallEndedData,
  type EventSource,
  type StoredCall,
} from "./callEndedEvent.ts";

/** A report of an ended call by a webhook, by reconciliation or by an import. */
export interface Delivery {
  sessionId: string;
  call: CallEndedData;
  /** The call as JSON. Its length counts towards the limit of the append queue. */
  text: string;
  source: EventSource;
  receivedAt: Instant;
  /** Digest of the call with its variables in canonical order. It identifies a repeated delivery. */
  sha256: string;
  /** The numbers of an imported call: an erased person's earlier calls do not come back. None for news. */
  keptFrom: readonly string[];
  /** False: it only adds to a call of which the log has an end. */
  isEnd: boolean;
  /** The body as it came. Null: it is not to be kept, or there was none. */
  body: Uint8Array | null;
  /** New readings of kept deliveries of the call (rereadCall.ts). Null: a delivery that has come. */
  readings: readonly Reading[] | null;
}

export type DeliveryOptions = Partial<Pick<Delivery, "body" | "isEnd">>;

/** A delivery, read again. */
export interface Reading {
  /** The revision that it made. */
  revision: number;
  call: CallEndedData;
  source: EventSource;
}

export function deliveryOf(
  call: CallEndedData,
  source: EventSource,
  receivedAt: Instant,
  { body = null, isEnd = true }: DeliveryOptions = {},
): Delivery {
  const text = JSON.stringify(call);
  const sha256 = digestOf(call, text);
  const keptFrom = source === "IMPORTED" ? [call.caller, call.callee].filter((number) => number !== null) : [];
  return { sessionId: call.sessionId, keptFrom, call, text, source, receivedAt, sha256, isEnd, body, readings: null };
}

function digestOf(call: CallEndedData, text: string): string {
  if (hasSortedKeys(call.extra)) return hash("sha256", text, "hex");
  const extra = JSON.parse(canonicalJson(call.extra)) as CallEndedData["extra"];
  return hash("sha256", JSON.stringify({ ...call, extra }), "hex");
}

/**
 * A repeated delivery adds nothing, and neither does one without new information. A webhook with another value is a revision
 * even if the known value outranks it. A row of the call log is a revision only if one of its fields outranks the known one. An
 * import adds nothing to a call of which the log has an end: it tells what happened before, and changes nothing.
 */
export const reviseCall: Revise<Delivery> = (earlier, delivery) => {
  const newest = earlier.at(-1);
  if (!newest) return delivery.isEnd ? rowOf(delivery, delivery, 1) : null;
  const base = newestReadableRevision(earlier);
  const isKnown = base !== null && isEndOf(base);
  if (delivery.source === "IMPORTED" ? isKnown : !delivery.isEnd && !isKnown) return null;
  const revision = newest.revision + 1;
  if (!base) return rowOf(delivery, delivery, revision);
  const isDamaged = base.row !== newest;
  // An import was no news: what tells the same call later is, also where it says nothing else.
  const told = earlier.filter(({ source }) => source !== "IMPORTED");
  if (!isDamaged && isDelivered(told, delivery)) return null;
  const known = { call: base.call, source: base.row.source as EventSource };
  const { call, addsInformation, hasConflict } = mergeCalls(known, delivery);
  const source = sourceOf(base, delivery);
  const isOther = hasConflict && endsCall(delivery) && delivery.source === "WEBHOOK";
  const isRevision = addsInformation || isOther || isDamaged || source !== known.source;
  return isRevision ? rowOf({ ...delivery, source }, { call, text: JSON.stringify(call) }, revision) : null;
};

/** A webhook of the call's end outranks the call log. What is no end changes nothing. */
function sourceOf(base: { row: Row; call: StoredCall }, delivery: Delivered): EventSource {
  const known = base.row.source as EventSource;
  if (!endsCall(delivery)) return known;
  return isEndOf(base) && known === "WEBHOOK" ? known : delivery.source;
}

function isEndOf({ row, call }: { row: Row; call: StoredCall }): boolean {
  return row.source === "RECONCILED" || showsEnd(call);
}

export type Row = Parameters<Revise<Delivery>>[0][number];

/** Older versions stored the digest of the text with the variables in their original order. */
function isDelivered(earlier: readonly Row[], { sha256, text }: Delivery): boolean {
  const isKnown = (digest: string) => earlier.some(({ deliverySha256 }) => deliverySha256 === digest);
  return isKnown(sha256) || isKnown(hash("sha256", text, "hex"));
}

/** The newest revision that can be read: a damaged one must not block new deliveries of its call. */
export function newestReadableRevision(earlier: readonly Row[]): { row: Row; call: StoredCall } | null {
  for (const row of earlier.toReversed()) {
    const call = row.isIntact ? parseCall(row.data) : null;
    if (call) return { row, call };
  }
  return null;
}

function parseCall(data: string): StoredCall | null {
  try {
    return JSON.parse(data) as StoredCall;
  } catch {
    return null;
  }
}

export function rowOf(
  { source, receivedAt, sha256 }: Pick<Delivery, "source" | "receivedAt" | "sha256">,
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
    caller: phoneColumn(call.caller),
    callee: phoneColumn(call.callee),
    assistantIds: call.assistants.map(({ assistantId }) => columnText(assistantId)),
    data: text,
  };
}
