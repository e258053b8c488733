// Decides what a call becomes when its kept deliveries are read again. The new readings take the place of the former ones, also where
// those have a higher rank; values of other deliveries stay. A second time changes nothing.
import type { NewEventRow, Revise } from "../store/events/eventStore.ts";
import { canonicalJson } from "../util/canonicalJson.ts";
import type { EventSource } from "./callEndedEvent.ts";
import { identityOf, isUnnamed } from "./deliveryRank.ts";
import { contributionsTo, mergeReadings } from "./mergeCalls.ts";
import { newestReadableRevision, reviseCall, rowOf, type Delivery, type Reading, type Row } from "./reviseCall.ts";

/** What a delivery, or a new reading of deliveries, adds to its call. */
export const addToCall: Revise<Delivery> = (earlier, delivery) =>
  delivery.readings ? rereadCall(earlier, delivery, delivery.readings) : reviseCall(earlier, delivery);

/** Null: nothing changes, or the call is no longer in the log. The revision has the arrival time of the one before it. */
function rereadCall(
  earlier: readonly Row[],
  { sha256 }: Pick<Delivery, "sha256">,
  readings: readonly Reading[],
): NewEventRow | null {
  const newest = earlier.at(-1);
  const base = newestReadableRevision(earlier);
  if (!newest || !base) return null;
  const known = { call: base.call, source: base.row.source as EventSource };
  const rereads = base.call.origins?.rereads;
  const deliveries = readings.map((reading) => ({
    ...reading,
    isEnd: !formerReading(earlier, reading.revision, rereads).some(isUnnamed),
  }));
  const identities = deliveries.map((delivery) => [delivery.revision, identityOf(delivery)] as const);
  const former = (revisions: readonly number[]) =>
    new Set(revisions.flatMap((revision) => formerReading(earlier, revision, rereads)));
  const own = readings.map(({ revision }) => revision);
  const others = deliveredRevisions(earlier).filter((revision) => !own.includes(revision));
  const call = mergeReadings(known, {
    deliveries,
    // Another delivery may say the same; its values stay.
    outdated: former(own).difference(former(others)),
    rereads: { ...rereads, ...Object.fromEntries(identities) },
  });
  if (!call) return null;
  const from = { source: known.source, receivedAt: newest.receivedAt, sha256 };
  return rowOf(from, { call, text: JSON.stringify(call) }, newest.revision + 1);
}

/** The revisions that a delivery made, and not a new reading, which changes the list of rereads. */
function deliveredRevisions(earlier: readonly Row[]): number[] {
  const rereadsAt = (wanted: number) => {
    const found = newestReadableRevision(earlier.filter(({ revision }) => revision === wanted));
    return canonicalJson(found?.call.origins?.rereads ?? {});
  };
  const isDelivered = (revision: number) => revision === 1 || rereadsAt(revision) === rereadsAt(revision - 1);
  return earlier.map(({ revision }) => revision).filter(isDelivered);
}

/** The identity of a delivery's newest reading. None: it added no value to the call, or nobody knows which. */
function formerReading(earlier: readonly Row[], revision: number, rereads: Record<number, string> = {}): string[] {
  const reread = rereads[revision];
  if (reread !== undefined) return [reread];
  const contributionsAt = (wanted: number) => {
    const found = newestReadableRevision(earlier.filter((row) => row.revision === wanted));
    return found && contributionsTo(found.call, found.row.source as EventSource);
  };
  const before = revision === 1 ? new Map<string, string>() : contributionsAt(revision - 1);
  const own = contributionsAt(revision);
  return before && own ? [...own].flatMap(([text, identity]) => (before.has(text) ? [] : identity)) : [];
}
