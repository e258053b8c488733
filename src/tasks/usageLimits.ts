// The limits of a viewer that count: numbers in a task, and tasks and numbers in an hour and a day. Hours begin at full hours of UTC, days
// at midnight of the service's zone. What was sent in one counts until it ends.
import type { ViewerLimits } from "../auth/viewerPolicy.ts";
import { epochMsOf, instantOf, type Instant } from "../format/instant.ts";
import { startOfDay } from "../format/wallClock.ts";
import type { Usage, UsagePeriods } from "../store/tasks/usageStore.ts";
import { HOUR_MS } from "../util/durations.ts";

export const countLimits = [
  "numbersPerTask",
  "tasksPerHour",
  "tasksPerDay",
  "numbersPerHour",
  "numbersPerDay",
] as const;
export type CountLimit = (typeof countLimits)[number];

/** How much of a limit is used. */
export interface LimitState {
  limit: CountLimit;
  size: number;
  /** Always 0 for numbersPerTask. May exceed the size, if the limit became smaller. */
  used: number;
  left: number;
  /** When all of it is free again: the end of the hour or day. Null for numbersPerTask. */
  freeAt: Instant | null;
}

/** The largest Int of GraphQL: larger than any limit. */
const MAX_USED = 2 ** 31 - 1;

export function periodsAt(epochMs: number, timeZone: string): UsagePeriods {
  return {
    hourStart: instantOf(Math.floor(epochMs / HOUR_MS) * HOUR_MS),
    dayStart: startOfDay(instantOf(epochMs), timeZone),
  };
}

/** `usage`: what was counted last; null: nothing. `now`: the current periods. */
export function limitStates(
  limits: ViewerLimits | null,
  { usage, now, timeZone }: { usage: Usage | null; now: UsagePeriods; timeZone: string },
): LimitState[] {
  const current = currentUsage(usage, now);
  return countLimits.flatMap((limit) => {
    const size = limits?.[limit];
    if (size === undefined) return [];
    const used = Math.min(usedOf(limit, current), MAX_USED);
    return [{ limit, size, used, left: Math.max(0, size - used), freeAt: endOf(limit, current, timeZone) }];
  });
}

/** How much of a limit a task needs. */
export function neededOf(limit: CountLimit, numberCount: number): number {
  return limit === "tasksPerHour" || limit === "tasksPerDay" ? 1 : numberCount;
}

/** The first limit that is too small for the task; undefined: it fits. */
export function exceededLimit(states: readonly LimitState[], numberCount: number): LimitState | undefined {
  return states.find(({ limit, left }) => neededOf(limit, numberCount) > left);
}

/** What was used before a task that was counted and then taken back. */
export function withoutTask(usage: Usage, numberCount: number): Usage {
  return {
    ...usage,
    hourTasks: usage.hourTasks - 1,
    hourNumbers: usage.hourNumbers - numberCount,
    dayTasks: usage.dayTasks - 1,
    dayNumbers: usage.dayNumbers - numberCount,
  };
}

/** Another gateway may have begun the next period already. */
function currentUsage(usage: Usage | null, now: UsagePeriods): Usage {
  const isHour = usage !== null && usage.hourStart >= now.hourStart;
  const isDay = usage !== null && usage.dayStart >= now.dayStart;
  return {
    hourStart: isHour ? usage.hourStart : now.hourStart,
    hourTasks: isHour ? usage.hourTasks : 0,
    hourNumbers: isHour ? usage.hourNumbers : 0,
    dayStart: isDay ? usage.dayStart : now.dayStart,
    dayTasks: isDay ? usage.dayTasks : 0,
    dayNumbers: isDay ? usage.dayNumbers : 0,
  };
}

function usedOf(limit: CountLimit, usage: Usage): number {
  if (limit === "numbersPerTask") return 0;
  if (limit === "tasksPerHour") return usage.hourTasks;
  if (limit === "tasksPerDay") return usage.dayTasks;
  return limit === "numbersPerHour" ? usage.hourNumbers : usage.dayNumbers;
}

function endOf(limit: CountLimit, { hourStart, dayStart }: UsagePeriods, timeZone: string): Instant | null {
  if (limit === "numbersPerTask") return null;
  if (limit.endsWith("Hour")) return instantOf(epochMsOf(hourStart) + HOUR_MS);
  const nextDay = Temporal.Instant.from(dayStart).toZonedDateTimeISO(timeZone).add({ days: 1 }).startOfDay();
  return instantOf(nextDay.epochMilliseconds);
}
