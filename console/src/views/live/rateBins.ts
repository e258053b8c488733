// Answer rates in bins that are wide enough to mean something: one call in a minute says nothing about a rate.

interface Minute {
  /** Its start, in epoch milliseconds. */
  at: number;
  calls: number;
  answered: number;
}

export interface RateBin {
  /** Epoch milliseconds: its first minute, and the end of its last one. */
  from: number;
  to: number;
  calls: number;
  answered: number;
  /** 0 to 1. Null for too few calls. */
  rate: number | null;
}

/** With fewer calls a rate moves by more than ten points from one call. */
export const LEAST_CALLS = 10;
/** Minutes. */
const WIDTHS = [1, 2, 5, 10, 15, 30] as const;
const MINUTE_MS = 60_000;

/**
 * One bin for each minute, the same one for all of its minutes. Bins have the least width with which nine of ten that have calls have
 * enough of them.
 */
export function rateBinsOf(minutes: readonly Minute[]): readonly RateBin[] {
  for (const width of WIDTHS) {
    const bins = binsOf(minutes, width);
    const withCalls = [...new Set(bins)].filter(({ calls }) => calls > 0);
    const enough = withCalls.filter(({ rate }) => rate !== null);
    if (enough.length >= withCalls.length * 0.9 || width === WIDTHS.at(-1)) return bins;
  }
  return [];
}

function binsOf(minutes: readonly Minute[], width: number): readonly RateBin[] {
  const byNumber = new Map<number, RateBin>();
  const bins = minutes.map(({ at, calls, answered }) => {
    const number = Math.floor(at / MINUTE_MS / width);
    const bin = byNumber.get(number) ?? { from: at, to: at, calls: 0, answered: 0, rate: null };
    byNumber.set(number, bin);
    bin.to = at + MINUTE_MS;
    bin.calls += calls;
    bin.answered += answered;
    return bin;
  });
  for (const bin of byNumber.values()) if (bin.calls >= LEAST_CALLS) bin.rate = bin.answered / bin.calls;
  return bins;
}
