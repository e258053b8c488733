// Commits items together, so that one of them which is refused does not fail the others.

export interface CommitInHalves<T> {
  /** Commits all items or none. */
  commit: (items: readonly T[]) => Promise<void>;
  /** Whether the commit failed because of one of its items. Not so if the database is away: then each further try would fail, too. */
  isRefusal: (error: unknown) => boolean;
  /** Called for each item that fails alone, in order. */
  onRefused: (item: T, error: unknown) => void;
}

/**
 * Tries the halves of a group that is refused, in order, down to single items. One bad item of 500 costs 18 commits more. Throws any
 * other failure at once, without the items that follow.
 */
export async function commitInHalves<T>(items: readonly T[], options: CommitInHalves<T>): Promise<void> {
  const { commit, isRefusal, onRefused } = options;
  try {
    await commit(items);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (items.length <= 1) return items.forEach((item) => onRefused(item, error));
    const middle = Math.ceil(items.length / 2);
    await commitInHalves(items.slice(0, middle), options);
    await commitInHalves(items.slice(middle), options);
  }
}
