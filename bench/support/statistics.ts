// Figures of several rounds, and ratios within each round: a slow machine slows both sides of a ratio.

export interface Spread {
  median: number;
  least: number;
  most: number;
}

/** `values` must not be empty. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const half = (sorted.length - 1) / 2;
  const at = (index: number) => sorted[index] ?? Number.NaN;
  return { median: (at(Math.floor(half)) + at(Math.ceil(half))) / 2, least: at(0), most: at(sorted.length - 1) };
}

/** Both sides must have the same number of rounds. */
export function ratioOf(ours: readonly number[], theirs: readonly number[]): Spread {
  if (ours.length !== theirs.length) throw new Error(`${ours.length} rounds stand against ${theirs.length}`);
  return spreadOf(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

/** `1.23 (1.10–1.41)`. */
export function written({ median, least, most }: Spread): string {
  const [middle, from, to] = [median, least, most].map((value) => digits.format(value));
  return from === to ? `${middle}` : `${middle} (${from}–${to})`;
}

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
