// The time range of a list of calls. Both ends are always sent to the service. Its own default is today, which is wrong with
// only `since` and inverted with an `until` in the past.
import { instantOf, type Instant } from "../format/instant.ts";
import { endOfDay, formatWallClock, startOfDay } from "../format/wallClock.ts";
import type { Context } from "./context.ts";
import { badInput } from "./inputRules.ts";

export interface Range {
  since: Instant;
  until: Instant;
}

export interface GivenRange {
  since?: Instant | null | undefined;
  until?: Instant | null | undefined;
}

/**
 * In whole seconds, as the service takes them. `until` defaults to the end of today in the service's zone. `since` defaults
 * to the start of until's day, or to the day of `createdAt` where neither is given. Throws BAD_USER_INPUT for an inverted
 * range.
 */
export function rangeOf(
  given: GivenRange,
  context: Pick<Context, "clock" | "serviceTimeZone">,
  createdAt?: Instant,
): Range {
  const { serviceTimeZone } = context;
  const until = wholeSecond(given.until ?? endOfToday(context, createdAt));
  const firstDay = given.until == null && createdAt !== undefined ? createdAt : until;
  const since = wholeSecond(given.since ?? startOfDay(firstDay, serviceTimeZone));
  if (since > until) throw badInput("since must not be after until.");
  // If clocks are set back between the two, the service would see an inverted range and list no calls.
  if (formatWallClock(since, serviceTimeZone) > formatWallClock(until, serviceTimeZone))
    throw badInput("since is after until on the service's clock, which is set back between them: give a wider range.");
  return { since, until };
}

/** Reads the clock, so that the answer depends on today's date. */
function endOfToday(
  { clock, serviceTimeZone }: Pick<Context, "clock" | "serviceTimeZone">,
  createdAt?: Instant,
): Instant {
  const now = instantOf(clock());
  // Near midnight the service's clock may already show tomorrow, and `createdAt` is on that clock.
  return endOfDay(createdAt !== undefined && createdAt > now ? createdAt : now, serviceTimeZone);
}

function wholeSecond(instant: Instant): Instant {
  return instant.replace(/\.\d+Z$/, ".000Z");
}
