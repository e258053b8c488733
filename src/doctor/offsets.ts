// Which offsets from UTC are left when ranges were asked for and rows with known instants came back. Only offsets that
// some zone keeps at that time are candidates.
import type { Range } from "./gentleClient.ts";

/** A call, from its start to its end. */
export interface Span {
  key: string;
  /** Epoch ms. */
  from: number;
  to: number;
}

export interface Window {
  /** On the wall clock. */
  range: Range;
  /** Whether `rows` is all there is in it. */
  isWhole: boolean;
  rows: readonly Span[];
}

export const MINUTE = 60_000;
/** The filtered field is not known here: it may be off the call by so much. */
const SLACK = 2 * MINUTE;

/** Every offset, in ms, that a zone keeps at the instant; ascending. */
export function offsetsAt(instant: number): number[] {
  return [...new Set(allZones().map((zone) => offsetOf(zone, instant)))].toSorted((a, b) => a - b);
}

/** An offset that was seen to hold at an instant, both in ms. */
export interface Held {
  at: number;
  offset: number;
}

/** The IANA zones that keep each offset at its instant. */
export function zonesOf(held: readonly Held[]): string[] {
  return allZones().filter((zone) => held.every(({ at, offset }) => offsetOf(zone, at) === offset));
}

/** `+08:00`. */
export function offsetText(ms: number): string {
  const minutes = Math.abs(ms) / MINUTE;
  const two = (value: number) => String(Math.floor(value)).padStart(2, "0");
  return `${ms < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/**
 * The candidates that contradict nothing: each row that came touches its range, and no call that is known was left out
 * of a whole one that it lies in.
 */
export function survivors(candidates: readonly number[], windows: readonly Window[], known: readonly Span[]): number[] {
  return candidates.filter((offset) => windows.every((window) => agrees(offset, window, known)));
}

function agrees(offset: number, { range, isWhole, rows }: Window, known: readonly Span[]): boolean {
  const touches = ({ from, to }: Span) => to + offset + SLACK >= range.from && from + offset - SLACK <= range.to;
  if (!rows.every(touches)) return false;
  if (!isWhole) return true;
  const came = new Set(rows.map(({ key }) => key));
  const isDeepInside = ({ from, to }: Span) => from + offset - SLACK > range.from && to + offset + SLACK < range.to;
  return !known.some((span) => !came.has(span.key) && isDeepInside(span));
}

const allZones = () => ["UTC", ...Intl.supportedValuesOf("timeZone")];

function offsetOf(zone: string, instant: number): number {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;
}
