// Notices a wrong UPSTREAM_TIME_ZONE. A webhook comes soon after its call has ended. If the ends of most of the last ten calls are
// about the same number of hours away from when their webhooks came, the service's wall clock is read in another zone than its own.
import type { EventLog } from "../events/eventLog.ts";
import { epochMsOf, type Instant } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import { HOUR_MS, MINUTE_MS } from "../util/durations.ts";

export interface TimeZoneWatch {
  /** Takes a call that was not known before. `endAt`: null where it shows none. */
  observe(receivedAt: number, endAt: Instant | null): void;
  /** By how many milliseconds ends of calls are ahead of their webhooks; 0: nothing is wrong, as far as is known. */
  aheadMs(): number;
}

/** Zones differ by multiples of it. */
const STEP_MS = 15 * MINUTE_MS;
/** From the end of a call to its webhook. A clock may be a little ahead. */
const MAX_DELAY_MS = 3 * MINUTE_MS;
const MAX_AHEAD_MS = MINUTE_MS;
const CALLS = 10;
const MOST = 8;
/** No two zones are further apart. */
const MAX_ERROR_MS = 26 * HOUR_MS;
/** Webhooks that were repeated late look like a zone behind. */
const MIN_BEHIND_MS = HOUR_MS;
const MIN_AHEAD_MS = STEP_MS * 2;

/** `timeZone`: for the log line. */
export function createTimeZoneWatch({
  timeZone,
  log,
}: {
  timeZone: string;
  log: Pick<Logger, "error" | "info">;
}): TimeZoneWatch {
  /** By how much the ends of the last calls are ahead, as a difference of zones. Null: no such difference explains it. */
  const errors: (number | null)[] = [];
  let ahead = 0;

  function judge(): number {
    const counts = Map.groupBy(errors, (error) => error);
    const found = [...counts].find(([, same]) => same.length >= MOST)?.[0] ?? 0;
    return found >= MIN_AHEAD_MS || found <= -MIN_BEHIND_MS ? found : 0;
  }
  return {
    observe(receivedAt, endAt) {
      if (endAt === null) return;
      errors.push(errorOf(epochMsOf(endAt) - receivedAt));
      if (errors.length > CALLS) errors.shift();
      const before = ahead;
      ahead = judge();
      if (ahead === before) return;
      if (ahead === 0) log.info({ timeZone }, "the ends of calls fit the times of their webhooks again");
      else
        log.error(
          { timeZone, hours: ahead / HOUR_MS },
          "UPSTREAM_TIME_ZONE seems to be wrong: calls end this many hours after their webhooks come. All times of calls are off by it",
        );
    },
    aheadMs: () => ahead,
  };
}

/** The log of events for the receiver of webhooks, which shows the watch each new call. */
export function watchTimes(
  { append }: Pick<EventLog, "append">,
  watch: Pick<TimeZoneWatch, "observe">,
  clock: () => number,
): Pick<EventLog, "append"> {
  return {
    async append(call, source, body) {
      const outcome = await append(call, source, body);
      if (outcome === "appended") watch.observe(clock(), call.endAt);
      return outcome;
    },
  };
}

function errorOf(ahead: number): number | null {
  // The webhook came up to three minutes after the end, so that the end is behind by that much at most.
  const step = Math.ceil((ahead - MAX_AHEAD_MS) / STEP_MS) * STEP_MS;
  return Math.abs(step) <= MAX_ERROR_MS && step - ahead <= MAX_DELAY_MS ? step : null;
}
