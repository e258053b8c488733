// Ranks the deliveries of a call, so that the merged call is the same in whatever order they come (mergeCalls.ts).
import { hash } from "node:crypto";
import { canonicalJson } from "../util/canonicalJson.ts";
import { reportsField, showsEnd, type CallEndedData, type EventSource, type ReportedField } from "./callEndedEvent.ts";

export const fields = [
  "eventName",
  "direction",
  "caller",
  "callee",
  "startAt",
  "answerAt",
  "endAt",
  "duration",
  "billsec",
  "ringTime",
  "hangupSide",
  "hangupReason",
  "recordUrl",
  "taskId",
  "taskItemId",
  "assistants",
  "extra",
] as const satisfies readonly ReportedField[];

/** One delivery of a call. `isEnd` false: it does not end its call, also where it shows an end. */
export interface Delivered {
  call: CallEndedData;
  source: EventSource;
  isEnd: boolean;
}

export const endsCall = ({ call, source, isEnd }: Delivered): boolean =>
  isEnd && (source === "RECONCILED" || showsEnd(call));

/**
 * A text; of two ranks, the one that sorts later wins. An event that does not end its call ranks below every end: it fills gaps only, in
 * whatever order they come. A webhook outranks the call log. Then the later end of the call wins, then
 * the delivery that reports more fields, then the greater digest, so that no two different deliveries have the same rank. The
 * digest leaves out the link, because a service may sign it anew each time: `outranks` compares the links.
 */
export function rankOf(delivery: Delivered): string {
  const { call } = delivery;
  const reported = fields.filter((field) => reportsField(call, field)).length;
  const weight = [weightOf(delivery), call.endAt ?? "-", String(reported).padStart(2, "0")];
  return [...weight, deliveryDigest(call)].join(" ");
}

function weightOf(delivery: Delivered): string {
  if (endsCall(delivery)) return delivery.source === "WEBHOOK" ? "1" : "0";
  return showsEnd(delivery.call) ? UNNAMED : NO_END;
}

export const NO_END = "-";
/** The weight of an event that shows an end and has none of the names of EVENT_NAMES. It sorts before the others. */
export const UNNAMED = ",";

/** Whether the identity is of an event that did not end its call, although it shows an end. */
export const isUnnamed = (identity: string): boolean => identity.startsWith(UNNAMED);

/** The parts of a rank that tell one delivery from another. They are the same in each version of the gateway. */
export function identityOf(delivery: Delivered): string {
  return `${weightOf(delivery)} ${deliveryDigest(delivery.call)}`;
}

export function identityOfRank(rank: string): string {
  const [, source = "", ...rest] = rank.split(" ");
  return `${source} ${rest.at(-1)}`;
}

/** The weight in the rank of a field, whose first word tells whether it has a value. */
export const weightOfRank = (rank: string) => rank.split(" ", 2)[1];

function deliveryDigest(call: CallEndedData): string {
  return hash("sha256", canonicalJson({ ...call, sessionId: null, recordUrl: null }), "hex");
}
