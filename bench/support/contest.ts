// Runs several contestants round by round. In each round every contestant starts as a new process, in the opposite order of
// the previous round. Results are stored by round, so that ratios compare figures of the same round.

/** By measure, such as "per second". */
export type Sample = Readonly<Record<string, number>>;

export interface Contestant {
  name: string;
  /** Starts it, measures it and ends it. */
  run(): Promise<Sample>;
}

export interface Result {
  name: string;
  /** In the order of the rounds. */
  rounds: Sample[];
}

/** In the order of the contestants, with as many rounds of each. */
export async function contest(contestants: readonly Contestant[], rounds: number): Promise<Result[]> {
  const results = contestants.map(({ name }): Result => ({ name, rounds: [] }));
  for (let round = 0; round < rounds; round += 1) {
    const order = [...contestants.keys()];
    if (round % 2 === 1) order.reverse();
    for (const at of order) results[at]?.rounds.push((await contestants[at]?.run()) ?? {});
  }
  return results;
}

/** A measure of one of them, by round. */
export function measured(results: readonly Result[], name: string, measure: string): number[] {
  const rounds = results.find((result) => result.name === name)?.rounds ?? [];
  return rounds.map((sample) => sample[measure] ?? Number.NaN);
}
