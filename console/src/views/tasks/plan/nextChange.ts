// When what a schedule says changes next.
import type { ScheduleFragment } from "../../../gql/graphql.ts";

/** The gateway's clock may be a little behind the browser's. */
const BEHIND_MS = 500;
/** How often it is asked while the browser's clock is ahead. */
const AHEAD_MS = 5000;

/** In epoch milliseconds; null: it does not change by time. `now`: by the browser's clock. */
export function nextChange(schedule: ScheduleFragment | null | undefined, now: number): number | null {
  if (!schedule) return null;
  const { begin, startsAt, periods } = schedule;
  // The gateway said that it starts later, and by this clock it has started.
  if (begin === "LATER" && startsAt !== null && Date.parse(startsAt) <= now) return now + AHEAD_MS;
  const instants = [startsAt, ...periods.flatMap((period) => [period.startsAt, period.endsAt])];
  const later = instants.flatMap((each) => (each === null ? [] : [Date.parse(each)])).filter((at) => at > now);
  return later.length === 0 ? null : Math.min(...later) + BEHIND_MS;
}
