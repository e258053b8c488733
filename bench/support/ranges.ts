// Encodes which call logs to ask for. Each range has its own day, so that no concurrent requests are equal. The start of a
// range, in minutes after midnight, is the number of tasks in its answer. The load, the stub and the programs share this rule.

/** On this day the stub's answers violate the service's document. */
export const DAMAGED_DAY = "2025-12-31";

const FIRST_DAY = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

export interface Range {
  since: string;
  until: string;
}

/** `number` starts at 0. */
export function rangeOf(number: number, tasks = 1): Range {
  return rangeOn(new Date(FIRST_DAY + number * DAY_MS).toISOString().slice(0, 10), tasks);
}

export function rangeOn(day: string, tasks = 1): Range {
  const two = (value: number) => String(value).padStart(2, "0");
  return {
    since: `${day}T${two(Math.floor(tasks / 60))}:${two(tasks % 60)}:00+08:00`,
    until: `${day}T23:59:59+08:00`,
  };
}

/** The tasks of the calls in the range that begins then: `YYYY-MM-DD hh:mm:ss`, or with a T. */
export function taskIdsOf(from: string): number[] {
  const day = Math.round((Date.parse(from.slice(0, 10)) - FIRST_DAY) / DAY_MS);
  const count = Number(from.slice(11, 13)) * 60 + Number(from.slice(14, 16));
  const first = 10_000_000 + day * 1000;
  return Array.from({ length: Math.max(1, count) }, (_, at) => first + at);
}
