// Counts over the log. Each part is asked when its field is selected, and once for all that ask the same in an operation: a
// filter that is never counted costs nothing. Parts are queries of their own, so that while calls end one may know a call more than another.
import type { Context } from "./context.ts";
import { isTimeZone } from "../format/wallClock.ts";
import { CodedError } from "../errors.ts";
import type { Slot, CallCounts, Totals } from "../store/log/statsStore.ts";
import { eventFilter, type CallEndedFilter } from "./callEnded.ts";
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

/** What an answer may hold, and the longest of all slots: they come at once. */
const MOST_SLOTS: Record<Slot, number> = { minute: 10_000, quarter: 20_000, hour: 10_000 };

export function callStats(
  given: CallEndedFilter | null | undefined,
  { stats, reader, serviceTimeZone }: Pick<Context, "stats" | "reader" | "serviceTimeZone">,
): CallStats {
  const filter = eventFilter(given);
  return {
    totals: () => stats.totals(reader, filter),
    numbers: () => stats.numbers(reader, filter),
    byHangupReason: async (first) => stats.byHangupReason(reader, filter, checked(first)),
    byHangupSide: async () =>
      (await stats.byHangupSide(reader, filter)).map(({ side, calls }) => ({ side: sideOf(side), calls })),
    byTask: async (first) => stats.byTask(reader, filter, checked(first)),
    byAssistant: async (first) => stats.byAssistant(reader, filter, checked(first)),
    async timeline(bucket, timeZone) {
      if (timeZone !== null && !isTimeZone(timeZone)) throw badInput("timeZone is not an IANA time zone.");
      const zone = timeZone ?? serviceTimeZone;
      const slot = slotOf(bucket, zone);
      const most = MOST_SLOTS[slot];
      const slots = await stats.byTime(reader, filter, slot, most + 1);
      if (slots.length > most) throw new CodedError("QUERY_TOO_COMPLEX", tooLong(slot));
      return reader.once(["timeline", filter, bucket, zone], () => bucketsOf(slots, bucket, zone));
    },
  };
}

const tooLong = (slot: Slot) =>
  `A timeline may have ${MOST_SLOTS[slot]} ${slot === "quarter" ? "quarters of an hour" : `${slot}s`} with calls: give a filter, or a longer bucket.`;

/** What the received events say of one task. */
export function taskCallStats({ taskId }: { taskId: string }, context: Context): CallStats {
  return callStats({ taskIds: [taskId] }, context);
}

function checked(first: number): number {
  checkFirst(first);
  return first;
}

function sideOf(side: string | null): "caller" | "callee" | null {
  return side === "caller" || side === "callee" ? side : null;
}
