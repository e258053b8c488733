// Runs the same work on several targets, round by round, and prints a table with each figure of the gateway beside its
// baseline. It does not judge times.
import { figure, meanWithError } from "./statistics.ts";

/** By measure, such as "requests/s". */
export type Sample = Readonly<Record<string, number>>;

export interface Target {
  name: string;
  /** Runs one round. */
  run(): Promise<Sample>;
}

/**
 * The first target is the gateway, the second its baseline, or what `ratios` says. A second ratio is the third target's to the
 * baseline. An extra first round warms up. Each round reverses the order of the previous one. Ratios are taken within a round,
 * so that a slow machine slows both sides.
 */
export async function compare(
  title: string,
  targets: readonly Target[],
  rounds: number,
  ratios: readonly string[] = ["gateway / floor"],
): Promise<void> {
  const samples = targets.map((): Sample[] => []);
  for (let round = 0; round <= rounds; round += 1) {
    const order = targets.map((target, at) => ({ target, at }));
    if (round % 2 === 1) order.reverse();
    for (const { target, at } of order) {
      const sample = await target.run();
      if (round > 0) samples[at]?.push(sample);
    }
  }
  printTable([
    [title, ...targets.map(({ name }) => name), ...ratios],
    ...Object.keys(samples[0]?.[0] ?? {}).map((measure) => rowOf(measure, samples, ratios.length)),
  ]);
}

function rowOf(measure: string, samples: readonly (readonly Sample[])[], ratioCount: number): string[] {
  const columns = samples.map((rounds) => rounds.map((sample) => sample[measure] ?? Number.NaN));
  const [gateway = [], baseline = [], control = []] = columns;
  const ratios = [gateway, control].slice(0, ratioCount).map((values) => {
    const quotients = values.map((value, round) => value / (baseline[round] ?? Number.NaN));
    if (!quotients.every((quotient) => Number.isFinite(quotient))) return "";
    return quotients.length < 2 ? figure(quotients) : `${figure(quotients)}, mean ${meanWithError(quotients)}`;
  });
  return [`  ${measure}`, ...columns.map(figure), ...ratios];
}

export function printTable(rows: readonly (readonly string[])[]): void {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("   "));
  console.log(`\n${lines.map((line) => line.trimEnd()).join("\n")}`);
}
