// Merges what several deliveries say of one call. The result depends on what was said and not on the order of arrival:
// each field is the word of the highest-ranked delivery that tells it.
import { hash } from "node:crypto";
import { canonicalJson } from "../canonicalJson.ts";
import type { UnreadField } from "../dialect/unread.ts";
import {
  tellsField,
  type CallEndedData,
  type EventSource,
  type Origins,
  type StoredCall,
  type ToldField,
} from "./callEnded.ts";

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
] as const satisfies readonly ToldField[];
interface Word<T> {
  rank: string;
  said: T;
}

interface Words {
  values: Map<ToldField, Word<unknown>>;
  notes: Map<ToldField, Word<readonly UnreadField[]>>;
}

export interface Merged {
  call: StoredCall;
  /** The delivery counts for some field, if only by raising the rank of a value that was known. */
  isNews: boolean;
  /** It tells another value than the one that counts. */
  isContradicted: boolean;
}

export function mergeCalls(
  known: { call: StoredCall; source: EventSource },
  told: { call: CallEndedData; source: EventSource },
): Merged {
  const { values, notes } = wordsOf(known.call, known.source);
  const words = wordsOf(told.call, told.source);
  const isTold = raise(values, words.values);
  for (const [field, { rank }] of words.notes) if (isAnswered(rank, values.get(field))) words.notes.delete(field);
  const isNoted = raise(notes, words.notes);
  const isContradicted = [...words.values].some(
    ([field, { said }]) => canonicalJson(said) !== canonicalJson(values.get(field)?.said),
  );
  const call = storedCall(told.call.sessionId, { values, notes }, told.call.recordUrl);
  return { call, isNews: isTold || isNoted, isContradicted };
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
  const told = fields.filter((field) => tellsField(call, field)).length;
  const digest = hash("sha256", canonicalJson({ ...call, sessionId: null, recordUrl: null }), "hex");
  const weight = [source === "WEBHOOK" ? 1 : 0, call.endAt ?? "-", String(told).padStart(2, "0")];
  return [...weight, digest].join(" ");
}

function wordsOf(call: StoredCall, source: EventSource): Words {
  const { origins } = call;
  const own = origins ? "" : rankOf(call, source);
  const rankAt = (places: Origins["values"], field: ToldField) => (origins ? origins.ranks[places[field] ?? -1] : own);
  const notes = Map.groupBy(call.unread, ({ field }) => fields.find((name) => name === fieldOfNote(field)));
  const words: Words = { values: new Map(), notes: new Map() };
  for (const field of fields) {
    const valueRank = rankAt(origins?.values ?? {}, field);
    const isTold = origins ? valueRank !== undefined : tellsField(call, field);
    if (isTold && valueRank !== undefined) words.values.set(field, { rank: valueRank, said: call[field] });
    const said = notes.get(field);
    const noteRank = rankAt(origins?.notes ?? {}, field);
    if (said && noteRank !== undefined) words.notes.set(field, { rank: noteRank, said });
  }
  return words;
}

/** Whether any of `told` outranks what is there. */
function raise<T>(known: Map<ToldField, Word<T>>, told: ReadonlyMap<ToldField, Word<T>>): boolean {
  let isRaised = false;
  for (const [field, word] of told) {
    const before = known.get(field);
    if (before && !outranks(word, before)) continue;
    known.set(field, word);
    isRaised = true;
  }
  return isRaised;
}

function outranks(word: Word<unknown>, before: Word<unknown>): boolean {
  if (word.rank !== before.rank) return word.rank > before.rank;
  const [text, known] = [canonicalJson(word.said), canonicalJson(before.said)];
  return text > known;
}

function storedCall(sessionId: string, { values, notes }: Words, link: string | null): StoredCall {
  const ranks: string[] = [];
  const placeOf = (rank: string) => (ranks.includes(rank) ? ranks.indexOf(rank) : ranks.push(rank) - 1);
  const origins: Origins = { ranks, values: {}, notes: {}, link };
  const call: Record<string, unknown> = { sessionId };
  const unread: UnreadField[] = [];
  for (const field of fields) {
    const value = values.get(field);
    call[field] = value ? value.said : field === "assistants" ? [] : null;
    if (value) origins.values[field] = placeOf(value.rank);
    const note = notes.get(field);
    if (!note || isAnswered(note.rank, value)) continue;
    origins.notes[field] = placeOf(note.rank);
    unread.push(...note.said);
  }
  return { ...(call as unknown as Omit<CallEndedData, "unread">), unread, origins };
}

/** What could not be read is told by a delivery of higher rank, for good. */
function isAnswered(noteRank: string, value: Word<unknown> | undefined): boolean {
  return value !== undefined && value.rank > noteRank;
}

/** `assistants[3]` is of assistants. */
export function fieldOfNote(field: string): string {
  return field.replace(/[[.].*/s, "");
}
