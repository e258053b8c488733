// The median and spread of many samples. A mean would hide interruptions by the machine.

/** `sorted` ascending, not empty; `percent` from 0 to 100. The smallest value that so many percent are not above. */
export function percentile(sorted: readonly number[], percent: number): number {
  const at = Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1);
  return sorted[at] ?? Number.NaN;
}

/** Such as `1,230 (1,100–1,300)`: the median, the least and the most. */
export function figure(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]] as [number, number];
  const median = written((middle[0] + middle[1]) / 2);
  const [least, most] = [written(sorted[0] ?? Number.NaN), written(sorted.at(-1) ?? Number.NaN)];
  return least === most ? median : `${median} (${least}–${most})`;
}

const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const written = (value: number) => digits.format(value);
