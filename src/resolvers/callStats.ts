// Statistics over the event log. Each part is queried when its field is selected, and once for equal arguments in an
// operation. The parts are separate queries, so that one may include a call that ends between two of them.
import { CodedError } from "../errors.ts";
import { isTimeZone } from "../format/wallClock.ts";
import type { Slot, CallCounts, Totals } from "../store/events/statsStore.ts";
import { eventFilter, type CallEndedFilter } from "./callEnded.ts";
import type { Context } from "./context.ts";
import { badInput, checkFirst } from "./inputRules.ts";
import { bucketsOf, slotOf, type StatsBucket, type TimeBucket } from "./timeline.ts";

export interface CallStats {
  totals(): Promise<Totals>;
  numbers(): Promise<{ called: number; reached: number }>;
  byHangupReason(first: number): Promise<(CallCounts & { reason: string | null })[]>;
  byHangupSide(): Promise<{ side: "caller" | "callee" | null; calls: number }[]>;
  byTask(first: number): Promise<(CallCounts & { taskId: string | null })[]>;
  byAssistant(first: number): Promise<(CallCounts & { assistantId: string })[]>;
  timeline(bucket: TimeBucket, timeZone: string | null): Promise<StatsBucket[]>;
}

/** Bounds the rows of a timeline, because all of them are in memory at once. */
const MAX_SLOTS: Record<Slot, number> = { minute: 10_000, quarter: 20_000, hour: 10_000 };

export function callStats(
  given: CallEndedFilter | null | undefined,
  { stats, queryOwner, serviceTimeZone, slices, viewer }: Context,
): CallStats {
  const filter = eventFilter(given);
  return {
    totals: () => stats.totals(queryOwner, filter),
    numbers: () => stats.numbers(queryOwner, filter),
    byHangupReason: async (first) => stats.byHangupReason(queryOwner, filter, checkedFirst(first)),
    byHangupSide: async () =>
      (await stats.byHangupSide(queryOwner, filter)).map(({ side, calls }) => ({ side: hangupSideOf(side), calls })),
    byTask: async (first) => stats.byTask(queryOwner, filter, checkedFirst(first)),
    byAssistant: async (first) => stats.byAssistant(queryOwner, filter, checkedFirst(first)),
    async timeline(bucket, timeZone) {
      const zone = timeZone ?? serviceTimeZone;
      // Once, because a document may ask for many timelines, and looking a time zone up takes long.
      const slot = await queryOwner.once(["slot", bucket, zone], async () => {
        if (timeZone !== null && !isTimeZone(timeZone)) throw badInput("timeZone must be an IANA time zone.");
        return slotOf(bucket, zone);
      });
      const maxSlots = MAX_SLOTS[slot];
      const slots = await stats.byTime(queryOwner, filter, slot, maxSlots + 1);
      if (slots.length > maxSlots) throw new CodedError("QUERY_TOO_COMPLEX", tooManySlots(slot));
      return queryOwner.once(["timeline", filter, bucket, zone], () =>
        slices.run(viewer.name, bucketsOf(slots, bucket, zone)),
      );
    },
  };
}

const tooManySlots = (slot: Slot) =>
  `A timeline may have ${MAX_SLOTS[slot]} ${slot === "quarter" ? "quarters of an hour" : `${slot}s`} with calls: give a filter, or a longer bucket.`;

function checkedFirst(first: number): number {
  checkFirst(first);
  return first;
}

function hangupSideOf(side: string | null): "caller" | "callee" | null {
  return side === "caller" || side === "callee" ? side : null;
}
