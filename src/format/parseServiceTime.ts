// Reads a time in any form that the service may write; service.md names only the wall clock's form. A value that does not
// clearly have one of the forms below stays unread: a time is never guessed.
import { instantOf, parseDateTime, type Instant } from "./instant.ts";
import { END_OF_CALLS_MS, FIRST_CALL_MS, meansNever } from "./noTime.ts";
import { instantOfWallClock } from "./wallClock.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { plainText } from "../util/text/plainText.ts";

/** Beside the offset Go writes a name of the zone, or the offset again, and what a clock of the process showed: `+0800 CST m=+0.5`. */
const GO_ZONE = String.raw`(?: (?:[A-Z]{3,5}|[+-]\d{2,4}))?(?: m=[+-][\d.]+)?`;
/** Java writes the zone's name behind the offset: `+08:00[Asia/Shanghai]`. Without an offset, nobody knows which zone was meant. */
const JAVA_ZONE = String.raw`(?:\[[\w/+-]+\])?`;
/** What may follow date and time: a fraction, of which three digits count, and an offset, also after a blank or without minutes. */
const TAIL = new RegExp(
  String.raw`^(?:[.,](\d{1,3})\d*)?(?:(?: ?([Zz]|UTC|GMT)| ?([+-])(\d\d)(?::?(\d\d))?${GO_ZONE})${JAVA_ZONE})?$`,
);
const EPOCH_SECONDS = /^\d{10}(\.\d+)?$/;
const EPOCH_MILLISECONDS = /^\d{13}(\.\d+)?$/;

/**
 * The forms, and how to tell them apart:
 * - RFC 3339 with any offset and an optional fraction, also with a space for the `T`, without the offset's colon or minutes, with a name of
 *   the zone. So do Go, Ruby, Java and PostgreSQL write it: `2026-11-20 09:30:00 +0800 CST`, `… UTC`, `…+08`.
 * - `YYYY-MM-DD hh:mm:ss`, the wall clock of `zone`, also with a `T` or a fraction. A time that the clocks skip moves past the
 *   gap; of a time that they repeat, the earlier one counts (Temporal's "compatible"). Both cases call `onAmbiguousTime`.
 * - Epoch seconds with 10 digits and epoch milliseconds with 13 digits, as number or text. Both mean the years 2001 to 2286,
 *   so a date in digits, such as 20261120, is not read as an epoch.
 * - null, undefined, `""`, 0 and the other spellings of noTime.ts mean "never" or "not given": null.
 *
 * Undefined: the value has none of these forms, or is older than every call.
 */
export function parseServiceTime(
  value: unknown,
  zone: string,
  onAmbiguousTime: () => void = ignore,
): Instant | null | undefined {
  if (value === null || value === undefined || value === "") return null;
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value);
  const epochMs = parseText(text, zone, onAmbiguousTime) ?? parseText(visibleText(text), zone, onAmbiguousTime);
  if (epochMs !== undefined && epochMs >= FIRST_CALL_MS && epochMs < END_OF_CALLS_MS) return instantOf(epochMs);
  return meansNever(value) ? null : undefined;
}

function ignore(): void {}

const parseText = (text: string, zone: string, onAmbiguousTime: () => void): number | undefined =>
  parseClockTime(text, zone, onAmbiguousTime) ?? parseEpoch(text);

/** Without blanks and invisible characters around it, in ASCII digits and signs. */
const visibleText = (text: string): string => plainText(text).replaceAll("\u2212", "-");

function parseEpoch(text: string): number | undefined {
  if (EPOCH_SECONDS.test(text)) return Math.round(Number(text) * 1000);
  return EPOCH_MILLISECONDS.test(text) ? Math.floor(Number(text)) : undefined;
}

export type WrittenForm = "wall" | "rfc3339" | "epochSeconds" | "epochMilliseconds";

/** How a time is written. `offsetMs`: of an RFC 3339 time; null for `Z`, which some services add to any zone, and for other forms. */
export interface WrittenTime {
  form: WrittenForm;
  offsetMs: number | null;
}

/** How a text or number is written that parseServiceTime reads as a time. */
export function writtenTimeOf(value: string | number): WrittenTime {
  const text = visibleText(String(value));
  if (EPOCH_SECONDS.test(text)) return { form: "epochSeconds", offsetMs: null };
  if (EPOCH_MILLISECONDS.test(text)) return { form: "epochMilliseconds", offsetMs: null };
  const [, , utc, sign, hours, minutes] = TAIL.exec(text.slice(19)) ?? [];
  if (utc !== undefined) return { form: "rfc3339", offsetMs: null };
  return sign === undefined
    ? { form: "wall", offsetMs: null }
    : { form: "rfc3339", offsetMs: offsetOf(sign, hours, minutes) };
}

const offsetOf = (sign: string, hours = "", minutes = "") =>
  (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;

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
  const [, fraction = "", utc, sign, hours, minutes = "00"] = parts;
  const milliseconds = fraction === "" ? 0 : Number(fraction.padEnd(3, "0"));
  if (utc !== undefined) return wallMs + milliseconds;
  if (sign === undefined) return instantOfWallClock(wallMs, zone, onAmbiguousTime) + milliseconds;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return wallMs + milliseconds - offsetOf(sign, hours, minutes);
}
