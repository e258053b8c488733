// Reads a time in any form that the service may write; service.md names only the wall clock's form. A value that does not
// clearly have one of the forms below stays unread: a time is never guessed.
import { instantOf, parseDateTime, type Instant } from "./instant.ts";
import { instantOfWallClock } from "./wallClock.ts";
import { MINUTE_MS } from "../util/durations.ts";

/** What may follow date and time: a fraction, of which three digits count, and an offset. */
const TAIL = /^(?:\.(\d{1,3})\d*)?(?:([Zz])|([+-])(\d\d):?(\d\d))?$/;
const EPOCH_SECONDS = /^\d{10}(\.\d+)?$/;
const EPOCH_MILLISECONDS = /^\d{13}(\.\d+)?$/;

/** Go's zero time is 0001-01-01 in UTC. In a local zone it is up to a day earlier or later. */
const FIRST_REAL_TIME = Date.parse("0002-01-01T00:00:00Z");
const END_OF_YEAR_9999 = Date.UTC(10_000, 0, 1);

/**
 * The forms, and how to tell them apart:
 * - RFC 3339 with any offset and an optional fraction, also with a space for the `T` or without the offset's colon.
 * - `YYYY-MM-DD hh:mm:ss`, the wall clock of `zone`, also with a `T` or a fraction. A time that the clocks skip moves past the
 *   gap; of a time that they repeat, the earlier one counts (Temporal's "compatible"). Both cases call `onAmbiguousTime`.
 * - Epoch seconds with 10 digits and epoch milliseconds with 13 digits, as number or text. Both mean the years 2001 to 2286,
 *   so a date in digits, such as 20261120, is not read as an epoch.
 * - `""`, null, undefined, 0 and Go's zero time mean "never" or "not given": null.
 *
 * Undefined: the value has none of these forms.
 */
export function parseServiceTime(
  value: unknown,
  zone: string,
  onAmbiguousTime: () => void = ignore,
): Instant | null | undefined {
  if (value === null || value === undefined || value === "" || value === 0 || value === "0") return null;
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value);
  const epochMs = parseClockTime(text, zone, onAmbiguousTime) ?? parseEpoch(text);
  if (epochMs === undefined || epochMs >= END_OF_YEAR_9999) return undefined;
  return epochMs < FIRST_REAL_TIME ? null : instantOf(epochMs);
}

function ignore(): void {}

function parseEpoch(text: string): number | undefined {
  if (EPOCH_SECONDS.test(text)) return Math.round(Number(text) * 1000);
  return EPOCH_MILLISECONDS.test(text) ? Math.floor(Number(text)) : undefined;
}

/** Reads date and time, with an offset or on the wall clock of `zone`, as epoch milliseconds. Undefined for other text. */
export function parseClockTime(text: string, zone: string, onAmbiguousTime: () => void = ignore): number | undefined {
  const wallMs = parseDateTime(text);
  if (wallMs === undefined) return undefined;
  return text.length === 19
    ? instantOfWallClock(wallMs, zone, onAmbiguousTime)
    : parseTail(text.slice(19), wallMs, zone, onAmbiguousTime);
}

function parseTail(tail: string, wallMs: number, zone: string, onAmbiguousTime: () => void): number | undefined {
  const parts = TAIL.exec(tail);
  if (parts === null) return undefined;
  const [, fraction = "", utc, sign, hours, minutes] = parts;
  const milliseconds = fraction === "" ? 0 : Number(fraction.padEnd(3, "0"));
  if (utc !== undefined) return wallMs + milliseconds;
  if (sign === undefined) return instantOfWallClock(wallMs, zone, onAmbiguousTime) + milliseconds;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
  return wallMs + milliseconds - (sign === "-" ? -offsetMs : offsetMs);
}
