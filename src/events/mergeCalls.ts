// Merges several deliveries about one call, also contradicting ones. Each field has the value of the highest-ranked delivery that
// reports it (`rankOf` in deliveryRank.ts), so the order of arrival does not matter. A merged call has `origins`: the rank of each
// field's delivery, and the recording link that the newest delivery brought (callEndedEvent.ts).
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
import {
  endsCall,
  fields,
  identityOfRank,
  NO_END,
  rankOf,
  UNNAMED,
  weightOfRank,
  type Delivered,
} from "./deliveryRank.ts";

/** The value of a field in one delivery, the delivery's rank, and notes about parts that could not be read. */
interface FieldValue {
  rank: string;
  value: unknown;
  notes: readonly UnreadField[];
}

type FieldValues = Map<ReportedField, FieldValue>;

export interface Merged {
  call: StoredCall;
  /** The delivery outranks the known value of some field, even if the value is the same. */
  addsInformation: boolean;
  /** It reports a value that differs from the higher-ranked known one. */
  hasConflict: boolean;
}

export function mergeCalls(known: { call: StoredCall; source: EventSource }, delivery: Delivered): Merged {
  const [values = new Map(), added = new Map()] = besideEnd([
    fieldValuesOf({ ...known, isEnd: true }),
    fieldValuesOf(delivery),
  ]);
  let [addsInformation, hasConflict] = [false, false];
  let link = endsCall(delivery) ? delivery.call.recordUrl : null;
  for (const [field, value] of added) {
    const before = values.get(field);
    const wins = before === undefined || outranks(value, before);
    if (wins) values.set(field, value);
    if (wins && field === "recordUrl") link = delivery.call.recordUrl;
    addsInformation ||= wins;
    hasConflict ||= isReported(value) && !wins && !isSame(value, before);
  }
  return {
    call: storedCall(delivery.call.sessionId, values, { ...rereadsOf(known.call), link }),
    addsInformation,
    hasConflict,
  };
}

/** The deliveries of a call that are read again. */
export interface Readings {
  /** Their new readings, in order. */
  deliveries: readonly Delivered[];
  /** The identities of their former readings, whose values no longer count. */
  outdated: ReadonlySet<string>;
  /** See Origins. */
  rereads: Record<number, string>;
}

/**
 * Replaces the values of former readings. Null: no value of the call changes. If other deliveries of the call are known, a value that now
 * comes from another one counts as a change: it is stored, because that delivery may not be kept at the next reading.
 */
export function mergeReadings(
  known: { call: StoredCall; source: EventSource },
  { deliveries, outdated, rereads }: Readings,
): StoredCall | null {
  const { sessionId, recordUrl } = known.call;
  const former = fieldValuesOf({ ...known, isEnd: true });
  const ranksBefore = known.call.origins ? ranksText(former) : null;
  for (const [field, { rank }] of former) if (outdated.has(identityOfRank(rank))) former.delete(field);
  const [values = former, ...added] = besideEnd([former, ...deliveries.map(fieldValuesOf)]);
  for (const delivered of added) {
    for (const [field, value] of delivered) {
      const before = values.get(field);
      if (before === undefined || outranks(value, before)) values.set(field, value);
    }
  }
  const merged = storedCall(sessionId, values, { link: null, rereads });
  const hasSameRanks = ranksBefore === null || ranksBefore === ranksText(values);
  if (hasSameRanks && shownText(merged) === shownText(known.call)) return null;
  const origins = { ...(merged.origins as Origins), link: merged.recordUrl === recordUrl ? null : merged.recordUrl };
  return { ...merged, origins };
}

function ranksText(values: FieldValues): string {
  return canonicalJson(fields.map((field) => values.get(field)?.rank ?? null));
}

/** Everything that a client sees of a call. Null and a field that an older version did not know are the same. */
function shownText(call: StoredCall): string {
  return canonicalJson([fields.map((field) => call[field] ?? null), inFieldOrder(call.unread)]);
}

/**
 * What deliveries gave the call: the identities, by texts that also tell recording links apart. A service may repeat a delivery
 * with another link, which has the same identity.
 */
export function contributionsTo(call: StoredCall, source: EventSource): Map<string, string> {
  const values = [...fieldValuesOf({ call, source, isEnd: true })].map(([field, { rank, value }]): [string, string] => {
    const identity = identityOfRank(rank);
    return [field === "recordUrl" ? canonicalJson([identity, value]) : identity, identity];
  });
  return new Map(values);
}

const rereadsOf = ({ origins }: StoredCall) => (origins?.rereads ? { rereads: origins.rereads } : {});

/** The recording link that this entry adds, which may be newer than the shown one. Null: the entry adds no link. */
export function linkOf({ origins, recordUrl }: StoredCall): string | null {
  return origins ? origins.link : recordUrl;
}

/**
 * Takes off what is no part of a call that has ended: the names of events that are not its end, and what was not known before it. An event of a
 * call that goes on has a duration of 0.
 */
function besideEnd(all: readonly FieldValues[]): FieldValues[] {
  const weights = new Set(all.flatMap((values) => Array.from(values.values(), ({ rank }) => weightOfRank(rank))));
  const hasEnd = weights.has("0") || weights.has("1");
  if (!hasEnd || !(weights.has(NO_END) || weights.has(UNNAMED))) return [...all];
  const isLeft = ([field, value]: [ReportedField, FieldValue]) => {
    const weight = weightOfRank(value.rank);
    if (weight === UNNAMED) return field !== "eventName";
    if (weight !== NO_END) return true;
    return !KNOWN_IN_THE_END.has(field) && !(field === "answerAt" && value.value === null);
  };
  return all.map((values) => new Map([...values].filter(isLeft)));
}

const KNOWN_IN_THE_END: ReadonlySet<ReportedField> = new Set(["eventName", "duration", "billsec", "ringTime"]);

/** Fields that are neither reported nor noted have no entry. */
function fieldValuesOf(delivery: Delivered & { call: StoredCall }): FieldValues {
  const { call } = delivery;
  const { origins } = call;
  const ownRank = origins ? "" : rankOf(delivery);
  const rankOfField = (field: ReportedField) =>
    origins ? storedRank(origins, field) : `${reportsField(call, field) ? REPORTED : NOTED} ${ownRank}`;
  const notesOf = Map.groupBy(call.unread, ({ field }) => fieldOfNote(field));
  const values: FieldValues = new Map();
  for (const field of fields) {
    const value = { rank: rankOfField(field), value: call[field], notes: notesOf.get(field) ?? [] };
    if (isReported(value) || value.notes.length > 0) values.set(field, value);
  }
  return values;
}

/** The rank of a field of a merged call. Empty for a field without a value and without a note. */
function storedRank({ ranks, fields: indexes }: Origins, field: ReportedField): string {
  const index = indexes[field];
  return index === undefined ? "" : (ranks[index] ?? "");
}

/** The first character of a field's rank. REPORTED: it has a value. NOTED: it has only a note about an unreadable value. */
const [REPORTED, NOTED] = ["1", "0"];
const isReported = ({ rank }: FieldValue) => rank.startsWith(REPORTED);

function outranks(value: FieldValue, before: FieldValue): boolean {
  if (value.rank !== before.rank) return value.rank > before.rank;
  return canonicalJson(value.value) > canonicalJson(before.value);
}

function isSame(one: FieldValue, other: FieldValue): boolean {
  return canonicalJson(one.value) === canonicalJson(other.value);
}

function storedCall(sessionId: string, values: FieldValues, own: Pick<Origins, "link" | "rereads">): StoredCall {
  const ranks: string[] = [];
  const origins: Origins = { ranks, fields: {}, ...own };
  const call: Record<string, unknown> = { sessionId };
  for (const field of fields) {
    const value = values.get(field);
    call[field] = value ? value.value : field === "assistants" ? [] : null;
    if (value)
      origins.fields[field] = ranks.includes(value.rank) ? ranks.indexOf(value.rank) : ranks.push(value.rank) - 1;
  }
  const unread = fields.flatMap((field) => values.get(field)?.notes ?? []);
  return { ...(call as unknown as Omit<CallEndedData, "unread">), unread, origins };
}

/** Sorts notes as a merged call has them. */
export function inFieldOrder(notes: readonly UnreadField[]): UnreadField[] {
  const placeOf = ({ field }: UnreadField) => fields.findIndex((name) => name === fieldOfNote(field));
  return notes.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The field of a note: `assistants[3]` belongs to `assistants`. */
export function fieldOfNote(field: string): string {
  return field.replace(/[[.].*/s, "");
}
