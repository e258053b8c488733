// Remembers lists whose total was checked a short time ago, so that the same total of the same list is not checked again. Lists that
// are loaded at the same time share one check.
import { hash } from "node:crypto";
import { sortedUnique } from "../format/fieldParsers.ts";
import type { CallLogQuery } from "../upstream/upstream.ts";
import { createBoundedCache } from "../util/boundedCache.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { resultOrAbort } from "./proof.ts";

export interface VerifiedLists {
  /**
   * Whether the list is wrong: false if this total of it was verified, else the result of `check`. `check` calls `verified` where
   * it saw that the total is right. Rejects with the signal's reason as soon as the signal is aborted.
   */
  isWrong(list: CheckedList, signal: AbortSignal, check: (verified: () => void) => Promise<boolean>): Promise<boolean>;
}

export interface CheckedList {
  /** What is checked. */
  check: string;
  /** Its page does not matter. */
  query: CallLogQuery;
  total: number;
}

const VERIFIED_MS = 10 * MINUTE_MS;
const MAX_LISTS = 10_000;

/** For the life of the process. `now`: milliseconds of a monotonic clock. */
export function createVerifiedLists(now: () => number = () => performance.now()): VerifiedLists {
  const verifiedUntil = createBoundedCache<string, number>({ maxEntries: MAX_LISTS });
  const inFlight = new Map<string, Promise<boolean>>();

  return {
    async isWrong(list, signal, check) {
      const key = keyOf(list);
      const isVerified = () => (verifiedUntil.get(key) ?? -Infinity) > now();
      if (isVerified()) return false;
      const other = inFlight.get(key);
      const finding = other === undefined ? null : await resultOrAbort(other, signal);
      if (finding !== null) return finding;
      const own = check(() => verifiedUntil.set(key, now() + VERIFIED_MS));
      inFlight.set(key, own);
      try {
        return await own;
      } finally {
        if (inFlight.get(key) === own) inFlight.delete(key);
      }
    },
  };
}

/** A digest, because a query may hold a phone number. */
function keyOf({ check, query, total }: CheckedList): string {
  const { taskIds, since, until, direction, phone, assistantIds, kind } = query;
  const ids = [sortedUnique(taskIds), sortedUnique(assistantIds)];
  return hash("sha256", JSON.stringify([check, ids, since, until, direction, phone, kind, total]), "base64url");
}
