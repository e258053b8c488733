// The median and spread of many samples. A mean would hide interruptions by the machine.

/** The smallest value that is not below `percent` (0 to 100) of the values. `sorted` is ascending and not empty. */
export function percentile(sorted: readonly number[], percent: number): number {
  const at = Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1);
  return sorted[at] ?? Number.NaN;
}

/** The median, the minimum and the maximum, such as `1,230 (1,100–1,300)`. */
export function figure(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]] as [number, number];
  const median = written((middle[0] + middle[1]) / 2);
  const [least, most] = [written(sorted[0] ?? Number.NaN), written(sorted.at(-1) ?? Number.NaN)];
  return least === most ? median : `${median} (${least}–${most})`;
}

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const written = (value: number) => digits.format(value);
