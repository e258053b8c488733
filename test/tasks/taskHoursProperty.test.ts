// Random hours in zones whose clocks are set, against the minutes of a day as people would mark them.
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { hoursAround } from "../../src/tasks/taskHours.ts";
import { DAY_MS, MINUTE_MS } from "../../src/util/durations.ts";

const DAY_MINUTES = 24 * 60;
/** Zones, each with an instant near which its clock is set: at night, at midnight, by half an hour, and over a whole day. */
const zones = [
  ["America/New_York", "2026-03-08"],
  ["America/New_York", "2026-11-01"],
  ["America/Santiago", "2026-09-06"],
  ["America/Havana", "2026-03-08"],
  ["Australia/Lord_Howe", "2026-04-05"],
  ["Pacific/Apia", "2011-12-30"],
  ["Asia/Shanghai", "2026-11-20"],
] as const;
const quarter = fc.integer({ min: 0, max: 95 }).map((each) => each * 15);
const period = fc.tuple(quarter, quarter).filter(([from, to]) => from !== to);
const textOf = (minutes: number) =>
  [Math.floor(minutes / 60), minutes % 60].map((each) => String(each).padStart(2, "0")).join(":");

/** Whether each minute of the clock is one of the hours. */
function markedBy(periods: readonly (readonly [number, number])[]): boolean[] {
  const marked = Array.from({ length: DAY_MINUTES }, () => false);
  for (const [from, to] of periods)
    for (let minute = from; minute % DAY_MINUTES !== to; minute = (minute + 1) % DAY_MINUTES) marked[minute] = true;
  return marked;
}

/** How long the pause is that begins at each end of hours. */
function pausesOf(marked: readonly boolean[]): Map<number, number> {
  const at = (minute: number) => marked[(minute + DAY_MINUTES) % DAY_MINUTES] ?? false;
  const ends = marked.flatMap((isOn, minute) => (!isOn && at(minute - 1) ? [minute] : []));
  const lengthAt = (end: number) => {
    let length = 0;
    while (!at(end + length)) length += 1;
    return length;
  };
  return new Map(ends.map((end) => [end, lengthAt(end)]));
}

it("Hours are those of the clock's minutes, and a pause is a break or the end of a day as on any day, also where the clock is set", () => {
  const world = fc.record({
    zone: fc.constantFrom(...zones),
    periods: fc.array(period, { minLength: 1, maxLength: 3 }),
    minutes: fc.integer({ min: -3 * DAY_MINUTES, max: 3 * DAY_MINUTES }),
  });
  const checked = fc.property(world, ({ zone: [timeZone, day], periods, minutes }) => {
    const now = Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS;
    const option = { startDate: "2000-01-01", periods: periods.map((each) => each.map(textOf)) };
    const found = hoursAround(option, { days: "daily", timeZone, now });
    const marked = markedBy(periods);
    const clockOf = (instant: number) => Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone);
    const minuteOf = (instant: number) => clockOf(instant).hour * 60 + clockOf(instant).minute;
    const isPlain = [now, now - 2 * DAY_MS, now + 2 * DAY_MS].every(
      (each) => clockOf(each).offset === clockOf(now).offset,
    );
    const { current = null, last = null } = found ?? {};
    if (isPlain) expect(current !== null).toBe(marked[minuteOf(now)]);
    if (last) expect(last.end).toBeLessThanOrEqual(now);
    if (current && last) expect(current.begin).toBeGreaterThan(last.end);
    const pauses = pausesOf(marked);
    if (pauses.size === 0) expect(current).not.toBeNull();
    const pause = last && pauses.get(minuteOf(last.end));
    // The clock may skip that minute.
    if (!last || pause === undefined || pause === null) return;
    const longest = Math.max(...pauses.values());
    expect(last.next).toEqual({ isSure: true, isBreak: pause < longest - 120 });
  });
  fc.assert(checked, { numRuns: 1000 });
});
