// Notices a wrong UPSTREAM_TIME_ZONE. A webhook comes soon after its call has ended. If the ends of most of the last ten calls are
// about the same number of hours away from when their webhooks came, the service's wall clock is read in another zone than its own.
// Webhooks that a service repeats after an outage are late, too, but come faster than their calls ended.
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
/** Ends spread over more than twice the time of their webhooks, and over more than this, are a backlog. */
const MAX_SPREAD_MS = 10_000;

interface Observed {
  receivedAt: number;
  endAt: number;
  /** By how much the end is ahead, as a difference of zones. Null: no such difference explains it. */
  error: number | null;
}

/** `timeZone`: for the log line. */
export function createTimeZoneWatch({
  timeZone,
  log,
}: {
  timeZone: string;
  log: Pick<Logger, "error" | "info">;
}): TimeZoneWatch {
  const last: Observed[] = [];
  let ahead = 0;

  function judge(): number {
    const byError = Map.groupBy(last, ({ error }) => error);
    const [found, same] = [...byError].find(([, calls]) => calls.length >= MOST) ?? [null, []];
    // No call ends after its webhook, so that ends ahead are no backlog.
    if (found === null || (found < 0 && isBacklog(same))) return 0;
    return isLarge(found) ? found : 0;
  }
  return {
    observe(receivedAt, endAt) {
      if (endAt === null) return;
      const ended = epochMsOf(endAt);
      last.push({ receivedAt, endAt: ended, error: errorOf(ended - receivedAt) });
      if (last.length > CALLS) last.shift();
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

function isBacklog(calls: readonly Observed[]): boolean {
  const spread = (times: readonly number[]) => Math.max(...times) - Math.min(...times);
  const ends = spread(calls.map(({ endAt }) => endAt));
  return ends > MAX_SPREAD_MS + 2 * spread(calls.map(({ receivedAt }) => receivedAt));
}

const isLarge = (error: number) => error >= MIN_AHEAD_MS || error <= -MIN_BEHIND_MS;

/** The difference of zones that one call suggests. A late webhook suggests a negative one, too. 0: none. */
export function zoneErrorMs(ahead: number): number {
  const error = errorOf(ahead) ?? 0;
  return isLarge(error) ? error : 0;
}

function errorOf(ahead: number): number | null {
  // The webhook came up to three minutes after the end, so that the end is behind by that much at most.
  const step = Math.ceil((ahead - MAX_AHEAD_MS) / STEP_MS) * STEP_MS;
  return Math.abs(step) <= MAX_ERROR_MS && step - ahead <= MAX_DELAY_MS ? step : null;
}
