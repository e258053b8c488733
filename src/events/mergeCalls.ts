// Merges what several deliveries say of one call. The result depends on what was said and not on the order of arrival:
// each field is the word of the highest-ranked delivery that tells it.
import { hash } from "node:crypto";
import { canonicalJson } from "../util/canonicalJson.ts";
import type { UnreadField } from "../format/fieldReader.ts";
import {
  reportsField,
  type CallEndedData,
  type EventSource,
  type Origins,
  type StoredCall,
  type ReportedField,
} from "./callEndedEvent.ts";

const fields = [
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

/** What the highest-ranked delivery says of a field, with what was noted of it there. */
interface FieldValue {
  rank: string;
  value: unknown;
  notes: readonly UnreadField[];
}

type FieldValues = Map<ReportedField, FieldValue>;

export interface Merged {
  call: StoredCall;
  /** The delivery counts for some field, if only by raising the rank of a value that was known. */
  addsInformation: boolean;
  /** It tells another value than the one that counts. */
  hasConflict: boolean;
}

export function mergeCalls(
  known: { call: StoredCall; source: EventSource },
  told: { call: CallEndedData; source: EventSource },
): Merged {
  const words = fieldValuesOf(known.call, known.source);
  let [isNews, isContradicted] = [false, false];
  for (const [field, word] of fieldValuesOf(told.call, told.source)) {
    const before = words.get(field);
    const isCounted = before === undefined || outranks(word, before);
    if (isCounted) words.set(field, word);
    isNews ||= isCounted;
    isContradicted ||= isReported(word) && !isCounted && !isSame(word, before);
  }
  return {
    call: storedCall(told.call.sessionId, words, told.call.recordUrl),
    addsInformation: isNews,
    hasConflict: isContradicted,
  };
}

/** The link that this entry adds: it may be fresh where the one that is shown has expired. Null: none, or none but earlier ones. */
export function linkOf({ origins, recordUrl }: StoredCall): string | null {
  return origins ? origins.link : recordUrl;
}

/**
 * Compared by code unit, the greater counts: a webhook before the call log, then the later end, then the more fields told,
 * then a digest, which is arbitrary and always the same. The link is left out of the digest: a service may sign it anew each
 * time. Of two links alone the greater text counts.
 */
function rankOf(call: CallEndedData, source: EventSource): string {
  const told = fields.filter((field) => reportsField(call, field)).length;
  const digest = hash("sha256", canonicalJson({ ...call, sessionId: null, recordUrl: null }), "hex");
  const weight = [source === "WEBHOOK" ? 1 : 0, call.endAt ?? "-", String(told).padStart(2, "0")];
  return [...weight, digest].join(" ");
}

/** A field that is neither told nor noted has no word. */
function fieldValuesOf(call: StoredCall, source: EventSource): FieldValues {
  const { origins } = call;
  const own = origins ? "" : rankOf(call, source);
  // A value counts before a note of something that could not be read, whoever said it.
  const ownRank = (field: ReportedField) => `${reportsField(call, field) ? TOLD : NOTED} ${own}`;
  const notesOf = Map.groupBy(call.unread, ({ field }) => fieldOfNote(field));
  const words: FieldValues = new Map();
  for (const field of fields) {
    const rank = origins ? origins.ranks[origins.fields[field] ?? -1] : ownRank(field);
    const word = { rank: rank ?? "", value: call[field], notes: notesOf.get(field) ?? [] };
    if (isReported(word) || word.notes.length > 0) words.set(field, word);
  }
  return words;
}

const [TOLD, NOTED] = ["1", "0"];
const isReported = ({ rank }: FieldValue) => rank.startsWith(TOLD);

function outranks(word: FieldValue, before: FieldValue): boolean {
  if (word.rank !== before.rank) return word.rank > before.rank;
  return canonicalJson(word.value) > canonicalJson(before.value);
}

function isSame(one: FieldValue, other: FieldValue): boolean {
  return canonicalJson(one.value) === canonicalJson(other.value);
}

function storedCall(sessionId: string, words: FieldValues, link: string | null): StoredCall {
  const ranks: string[] = [];
  const origins: Origins = { ranks, fields: {}, link };
  const call: Record<string, unknown> = { sessionId };
  for (const field of fields) {
    const word = words.get(field);
    call[field] = word ? word.value : field === "assistants" ? [] : null;
    if (word) origins.fields[field] = ranks.includes(word.rank) ? ranks.indexOf(word.rank) : ranks.push(word.rank) - 1;
  }
  const unread = fields.flatMap((field) => words.get(field)?.notes ?? []);
  return { ...(call as unknown as Omit<CallEndedData, "unread">), unread, origins };
}

/** In the order in which a merged call has its notes. */
export function inFieldOrder(notes: readonly UnreadField[]): UnreadField[] {
  const placeOf = ({ field }: UnreadField) => fields.findIndex((name) => name === fieldOfNote(field));
  return notes.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** `assistants[3]` is of assistants. */
export function fieldOfNote(field: string): string {
  return field.replace(/[[.].*/s, "");
}
