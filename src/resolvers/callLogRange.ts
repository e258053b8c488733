// Both ends of a range, always: the service's own default is today, which is wrong for whoever gave only one end, and
// inverted for whoever gave an `until` of yesterday.
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
 * In whole seconds, as the service takes them. Without `until`: the end of today in the service's zone. Without `since`:
 * the start of until's day, or `wholeLife` where neither was given. Throws BAD_USER_INPUT for what would be no range.
 */
export function rangeOf(
  given: GivenRange,
  { clock, serviceTimeZone }: Pick<Context, "clock" | "serviceTimeZone">,
  wholeLife?: Instant,
): Range {
  const now = instantOf(clock());
  // Near midnight the service's clock may be in tomorrow already: what began there is not over before it began.
  const latest = wholeLife !== undefined && wholeLife > now ? wholeLife : now;
  const until = wholeSecond(given.until ?? endOfDay(latest, serviceTimeZone));
  const byDefault = given.until == null && wholeLife !== undefined ? wholeLife : until;
  const since = wholeSecond(given.since ?? startOfDay(byDefault, serviceTimeZone));
  if (since > until) throw badInput("since is after until.");
  // Clocks that are set back between the two may tell them in reverse, and that is a range of no calls at all.
  if (formatWallClock(since, serviceTimeZone) > formatWallClock(until, serviceTimeZone))
    throw badInput("since is after until on the service's clock, which is set back between them: give a wider range.");
  return { since, until };
}

function wholeSecond(instant: Instant): Instant {
  return instant.replace(/\.\d+Z$/, ".000Z");
}
