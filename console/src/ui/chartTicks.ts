const MOST_STEPS = 4;

/** The marks of an axis from 0 to `highest`: whole numbers in steps of 1, 2 or 5 times a power of ten, five of them at most. */
export function chartTicks(highest: number): number[] {
  let step = 1;
  for (let at = 0; Math.floor(highest / step) > MOST_STEPS; at += 1) step *= at % 3 === 1 ? 2.5 : 2;
  return Array.from({ length: Math.floor(highest / step) + 1 }, (_, at) => at * step);
}
