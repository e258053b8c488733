// Compares expected events with the events found.
export interface EventCounts {
  /** Expected events; with several readers, the sum over all of them. */
  acknowledged: number;
  found: number;
  missing: number;
  twice: number;
  /** At the wrong position; 0 if the order is not checked. */
  misplaced: number;
}

export function countEvents(expected: readonly string[], found: readonly string[]): EventCounts {
  const once = new Set(found);
  const missing = expected.filter((id) => !once.has(id)).length;
  return { acknowledged: expected.length, found: found.length, missing, twice: found.length - once.size, misplaced: 0 };
}

/** Like countEvents; also counts events at the wrong position. */
export function countOrderedEvents(expected: readonly string[], found: readonly string[]): EventCounts {
  const misplaced = found.filter((id, at) => id !== expected[at]).length;
  return { ...countEvents(expected, found), misplaced };
}

export function sumCounts(counts: readonly EventCounts[]): EventCounts {
  return counts.reduce((sum, each) => ({
    acknowledged: sum.acknowledged + each.acknowledged,
    found: sum.found + each.found,
    missing: sum.missing + each.missing,
    twice: sum.twice + each.twice,
    misplaced: sum.misplaced + each.misplaced,
  }));
}

export function isComplete({ acknowledged, found, missing, twice, misplaced }: EventCounts): boolean {
  return found === acknowledged && missing === 0 && twice === 0 && misplaced === 0;
}
