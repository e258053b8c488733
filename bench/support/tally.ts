// Compares expected events with the events found.
export interface Tally {
  /** To be found; where there are readers, by each of them. */
  acknowledged: number;
  found: number;
  missing: number;
  twice: number;
  /** In the wrong place, where there is an order. */
  misplaced: number;
}

export function tallyOf(expected: readonly string[], found: readonly string[]): Tally {
  const once = new Set(found);
  const missing = expected.filter((id) => !once.has(id)).length;
  return { acknowledged: expected.length, found: found.length, missing, twice: found.length - once.size, misplaced: 0 };
}

/** The same, and the order of both. */
export function orderedTallyOf(expected: readonly string[], found: readonly string[]): Tally {
  const misplaced = found.filter((id, at) => id !== expected[at]).length;
  return { ...tallyOf(expected, found), misplaced };
}

export function sumOf(tallies: readonly Tally[]): Tally {
  return tallies.reduce((sum, tally) => ({
    acknowledged: sum.acknowledged + tally.acknowledged,
    found: sum.found + tally.found,
    missing: sum.missing + tally.missing,
    twice: sum.twice + tally.twice,
    misplaced: sum.misplaced + tally.misplaced,
  }));
}

export function isWhole({ acknowledged, found, missing, twice, misplaced }: Tally): boolean {
  return found === acknowledged && missing === 0 && twice === 0 && misplaced === 0;
}
