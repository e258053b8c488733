// A range of time as the address holds it: a name such as `7d`, or two instants. In each zone a link to instants shows the
// same calls.
export const rangeNames = ["1h", "24h", "today", "yesterday", "7d", "30d"] as const;
export type RangeName = (typeof rangeNames)[number];

/** The part of an address that holds a range. Instants are RFC 3339; without `until` the range goes on. */
export interface RangeSearch {
  range?: RangeName;
  since?: string;
  until?: string;
}

/** Instants of whole seconds, RFC 3339 in UTC. `until` null: now, and what comes. */
export interface TimeSpan {
  since: string;
  until: string | null;
}

const HOUR = 3_600_000;
const LENGTHS = { "1h": HOUR, "24h": 24 * HOUR, "7d": 7 * 24 * HOUR, "30d": 30 * 24 * HOUR } as const;

/** What the address holds of a range; a value that is none is left out. */
export function readRange(search: Record<string, unknown>): RangeSearch {
  const range = rangeNames.find((each) => each === search["range"]);
  if (range) return { range };
  const [since, until] = [instantOf(search["since"]), instantOf(search["until"])];
  if (since === null) return {};
  return until !== null && until > since ? { since, until } : { since };
}

/** `fallback`: the range where the address holds none. Days are those of the viewer's zone. */
export function spanOf(search: RangeSearch, fallback: RangeName, now: number): TimeSpan {
  if (search.since !== undefined) return { since: search.since, until: search.until ?? null };
  const name = search.range ?? fallback;
  if (name === "today") return { since: dayStart(now, 0), until: null };
  if (name === "yesterday") return { since: dayStart(now, -1), until: dayStart(now, 0) };
  return { since: secondOf(now - LENGTHS[name]), until: null };
}

/** The same of a view that shows all times where the address holds no range. Null: all times. */
export const spanOrAll = (search: RangeSearch, now: number): TimeSpan | null =>
  search.since === undefined && search.range === undefined ? null : spanOf(search, "today", now);

function dayStart(now: number, days: number): string {
  const at = new Date(now);
  return secondOf(new Date(at.getFullYear(), at.getMonth(), at.getDate() + days).getTime());
}

/** RFC 3339 in UTC, of a whole second; null where the value is no time. */
export function instantOf(value: unknown): string | null {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : secondOf(at);
}

export const secondOf = (ms: number): string =>
  new Date(Math.floor(ms / 1000) * 1000).toISOString().replace(".000Z", "Z");
