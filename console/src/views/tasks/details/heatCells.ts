export interface HeatCell {
  calls: number;
  answered: number;
}

/** Seven days from Monday on, each with the 24 hours of its clock. */
export type Heat = readonly (readonly HeatCell[])[];

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Sums the hours of a timeline by weekday and hour of the zone. */
export function heatCells(
  timeline: readonly { start: string; calls: number; answered: number }[],
  timeZone: string,
): Heat {
  const heat = DAYS.map(() => Array.from({ length: 24 }, () => ({ calls: 0, answered: 0 })));
  const parts = new Intl.DateTimeFormat("en", { weekday: "short", hour: "2-digit", hourCycle: "h23", timeZone });
  for (const { start, calls, answered } of timeline) {
    const at = Object.fromEntries(parts.formatToParts(new Date(start)).map(({ type, value }) => [type, value]));
    const cell = heat[DAYS.indexOf(at["weekday"] ?? "")]?.[Number(at["hour"])];
    if (!cell) continue;
    cell.calls += calls;
    cell.answered += answered;
  }
  return heat;
}
