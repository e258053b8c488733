// Counts over the log. Each part is asked when its field is selected, and once: a filter that is never counted costs
// nothing. Parts are queries of their own, so that while calls end one may know a call more than another.
import type { Context } from "../context.ts";
import { isTimeZone } from "../dialect/timeZone.ts";
import { CodedError } from "../errors.ts";
import type { Tally, Totals } from "../store/statsStore.ts";
import { eventFilter, type CallEndedFilter } from "./callEnded.ts";
import { badInput, checkFirst } from "./rules.ts";
import { bucketsOf, type StatsBucket, type TimeBucket } from "./timeline.ts";

export interface CallStats {
  totals(): Promise<Totals>;
  numbers(): Promise<{ called: number; reached: number }>;
  byHangupReason(first: number): Promise<(Tally & { reason: string | null })[]>;
  byHangupSide(): Promise<{ side: "caller" | "callee" | null; calls: number }[]>;
  byTask(first: number): Promise<(Tally & { taskId: string | null })[]>;
  byAssistant(first: number): Promise<(Tally & { assistantId: string })[]>;
  timeline(bucket: TimeBucket, timeZone: string | null): Promise<StatsBucket[]>;
}

/** More than 90 days have; and what an answer may hold. */
const MOST_MINUTES = 200_000;
const MOST_BUCKETS = 10_000;

export function callStats(
  given: CallEndedFilter | null | undefined,
  { stats, serviceTimeZone }: Pick<Context, "stats" | "serviceTimeZone">,
): CallStats {
  const filter = eventFilter(given);
  return {
    totals: once(() => stats.totals(filter)),
    numbers: once(() => stats.numbers(filter)),
    byHangupReason: async (first) => stats.byHangupReason(filter, checked(first)),
    byHangupSide: async () =>
      (await stats.byHangupSide(filter)).map(({ side, calls }) => ({ side: sideOf(side), calls })),
    byTask: async (first) => stats.byTask(filter, checked(first)),
    byAssistant: async (first) => stats.byAssistant(filter, checked(first)),
    async timeline(bucket, timeZone) {
      if (timeZone !== null && !isTimeZone(timeZone)) throw badInput("timeZone is not an IANA time zone.");
      const most = bucket === "minute" ? MOST_BUCKETS : MOST_MINUTES;
      const minutes = await stats.byMinute(filter, most + 1);
      if (minutes.length > most)
        throw new CodedError("QUERY_TOO_COMPLEX", "The timeline is too long: give a filter, or a longer bucket.");
      return bucketsOf(minutes, bucket, timeZone ?? serviceTimeZone);
    },
  };
}

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

function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => (answer ??= ask());
}
