// Medians and spreads of several rounds, and ratios within each round: a slow machine slows both sides of a ratio. A mean would
// hide interruptions by the machine.

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

/** The smallest value that is not below `percent` (0 to 100) of the values. `sorted` is ascending and not empty. */
export function percentile(sorted: readonly number[], percent: number): number {
  const at = Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1);
  return sorted[at] ?? Number.NaN;
}

/** The mean and twice its standard error, such as `1.02 ± 0.013`: in 19 of 20 cases the true mean is in this range. */
export function meanWithError(values: readonly number[]): string {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return `${digits.format(mean)} ± ${errorDigits.format(2 * Math.sqrt(variance / values.length))}`;
}

/** `1.23 (1.10–1.41)`: the median, the minimum and the maximum. */
export function written({ median, least, most }: Spread): string {
  const [middle, from, to] = [median, least, most].map((value) => digits.format(value));
  return from === to ? `${middle}` : `${middle} (${from}–${to})`;
}

/** The same of the values. */
export function figure(values: readonly number[]): string {
  return written(spreadOf(values));
}

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const errorDigits = new Intl.NumberFormat("en", { maximumSignificantDigits: 2 });
