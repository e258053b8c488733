// Sends the requests that check a list: whether it ends where its total says, whether a filter is looked at, whether several
// tasks are taken at once. They are not counted before an operation runs, so they come out of the operation's spare room.
// Where it has none, they come out of an allowance of the process: otherwise an operation that needs all of QUERY_BUDGET
// could never prove what is proven once a process, and would be refused each time.
import { CodedError } from "../errors.ts";
import type { Requester } from "../upstream/requester.ts";
import type { CallLogPage, CallLogQuery, Upstream } from "../upstream/upstream.ts";

/** What a check sends its requests with. */
export interface CheckRequests {
  /**
   * `recurs`: the service is known to answer wrongly, so the check is due each time. Then it comes out of the operation's
   * spare room only. Throws QUERY_TOO_COMPLEX where there is no room, and what listCallLogs throws.
   */
  listCallLogs(query: CallLogQuery, recurs: boolean): Promise<CallLogPage>;
  /** Aborted when nobody waits for the list any more. */
  signal: AbortSignal;
}

/** Check requests of a process beside QUERY_BUDGET, retries included. */
export interface CheckAllowance {
  /** False: there is none left in this minute. */
  tryTake(): boolean;
}

export const CHECKS_PER_MINUTE = 100;
const MINUTE = 60_000;

/** For the life of a process. `now` gives milliseconds. */
export function createCheckAllowance(most = CHECKS_PER_MINUTE, now: () => number = Date.now): CheckAllowance {
  let minute = 0;
  let taken = 0;
  return {
    tryTake() {
      const current = Math.floor(now() / MINUTE);
      if (current !== minute) taken = 0;
      minute = current;
      if (taken >= most) return false;
      taken += 1;
      return true;
    },
  };
}

/** `asker` pays for each request (RATE_LIMIT), whichever room it comes out of. */
export function createCheckRequests(
  upstream: Pick<Upstream, "listCallLogs">,
  allowance: CheckAllowance,
  asker: Requester,
): CheckRequests {
  const besideBudget: Requester = {
    ...asker,
    beforeSend() {
      if (!allowance.tryTake()) throw checkBudgetExceeded();
      return asker.pay();
    },
  };
  return {
    async listCallLogs(query, recurs) {
      if (asker.takeSpareRequest()) return upstream.listCallLogs(query, asker);
      if (recurs) throw checkBudgetExceeded();
      return upstream.listCallLogs(query, besideBudget);
    },
    signal: asker.signal,
  };
}

export function checkBudgetExceeded(): CodedError {
  return new CodedError(
    "QUERY_TOO_COMPLEX",
    "The service's list must be checked, which needs more requests than QUERY_BUDGET leaves: ask for less, or try again in a minute.",
  );
}
