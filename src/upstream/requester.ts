// A caller of the service: one request of a client, or one event of a subscription. It says when it stops waiting, pays for
// the requests that are sent for it, and counts what they cost.
import { CodedError } from "../errors.ts";
import type { Freshness } from "../util/freshness.ts";
import type { MaybePromise } from "../util/maybePromise.ts";

export interface Requester {
  /** Aborted when the caller stops waiting. A request to the service ends when all of its callers have stopped. */
  signal: AbortSignal;
  /**
   * Called before each request that is sent for this caller, retries included. It counts against the caller's allowance and
   * RATE_LIMIT. Cached and shared responses cost nothing. If it fails, the caller gets the error and nothing is sent for it:
   * QUERY_TOO_COMPLEX beyond the allowance, RATE_LIMITED beyond the rate.
   */
  payForRequest(): MaybePromise<void>;
  /** Waits for the caller's slice of the event loop (util/timeSlices.ts), because many callers may wait for one answer. */
  waitForSlice(): Promise<void> | undefined;
  /**
   * Called before the caller processes the rows of an answer, which take time even if the answer was shared or cached. They count
   * for LIST_RATE_LIMIT: RATE_LIMITED beyond it. After many rows it waits for the next slice.
   */
  takeRows(rows: number): MaybePromise<void>;
  /**
   * Reserves one request of the allowance that the cost of the operation did not count, such as a retry, or one that may save
   * others. False: none is left.
   */
  takeSpareRequest(): boolean;
  /** The same for a request that checks how the service treats lists. Those that were set aside for it are used first. */
  takeCheckRequest(kind: CheckKind): boolean;
  /** True: only a response to a request that starts now will do, neither a cached one nor one in flight. */
  fresh: boolean;
  /** Increases as responses arrive. */
  usage: UpstreamUsage;
  /** Gets the freshness of each response that the caller receives. Null: the caller does not need it. */
  responses: Readonly<Freshness>[] | null;
  waiting: Waiting;
}

/** The responses that a caller waits for now. */
export interface Waiting {
  /** Each ends one wait with a reason, when the caller's signal aborts. */
  leaves: Set<(reason: unknown) => void>;
  /** Since when the caller has waited without a break, in milliseconds of a monotonic clock. */
  since: number;
  /** The one listener of the signal for all waits, because adding a listener costs more than the rest of a wait. */
  onAbort: () => void;
}

/** How many requests may be sent for one caller. */
export interface RequestAllowance {
  /** QUERY_BUDGET, for a client's operation. */
  max: number;
  /** The cost that was counted before the operation ran, at most `max`. */
  counted: number;
  /** Set aside for takeCheckRequest. The rest of `max` is spare. */
  checks: CheckCounts;
}

/**
 * Whether a filter is applied, where a list ends, how many calls there are at all, and whether several tasks or assistants are taken
 * at once.
 */
export type CheckKind = "filter" | "end" | "count" | "tasks" | "assistants";
export type CheckCounts = Readonly<Record<CheckKind, number>>;

export const NO_CHECKS: CheckCounts = { filter: 0, end: 0, count: 0, tasks: 0, assistants: 0 };

export function sumOfChecks({ filter, end, count, tasks, assistants }: CheckCounts): number {
  return filter + end + count + tasks + assistants;
}

export interface UpstreamUsage {
  /** Requests sent to the service, retries included. */
  requests: number;
  /** Queries answered by a request that another caller had started. */
  shared: number;
  /** Queries answered from the cache (UPSTREAM_CACHE_MS). */
  cached: number;
  /** How long the caller waited for the service; simultaneous requests count once. */
  milliseconds: number;
}

interface RequesterOptions extends Partial<Pick<Requester, "signal" | "waitForSlice" | "fresh" | "responses">> {
  /** Charges RATE_LIMIT for one request. */
  payRateLimit?: Requester["payForRequest"];
  payForRows?: (rows: number) => MaybePromise<void>;
  allowance?: RequestAllowance;
}

/** Rows that a caller processes in one slice of the event loop: about two milliseconds of work. */
const ROWS_PER_SLICE = 200;

/** Without an allowance, as for the gateway's own work, the number of requests is unlimited. */
export function createRequester({
  signal = new AbortController().signal,
  payRateLimit = free,
  payForRows = free,
  waitForSlice = free,
  fresh = false,
  responses = null,
  allowance,
}: RequesterOptions = {}): Requester {
  const { max, counted, checks } = allowance ?? { max: Infinity, counted: 0, checks: NO_CHECKS };
  const leaves = new Set<(reason: unknown) => void>();
  let sent = 0;
  let rowsInSlice = 0;
  let spare = max - counted - sumOfChecks(checks);
  const checksLeft = { ...checks };
  function takeSpareRequest(): boolean {
    if (spare < 1) return false;
    spare -= 1;
    return true;
  }
  return {
    signal,
    payForRequest() {
      if (sent >= max) throw allowanceExceeded();
      sent += 1;
      return payRateLimit();
    },
    waitForSlice() {
      rowsInSlice = 0;
      return waitForSlice();
    },
    takeRows(rows) {
      const payment = payForRows(rows);
      if (payment) return payment;
      rowsInSlice += rows;
      if (rowsInSlice <= ROWS_PER_SLICE) return undefined;
      rowsInSlice = rows;
      return waitForSlice();
    },
    takeSpareRequest,
    takeCheckRequest(kind) {
      if (checksLeft[kind] < 1) return takeSpareRequest();
      checksLeft[kind] -= 1;
      return true;
    },
    fresh,
    usage: { requests: 0, shared: 0, cached: 0, milliseconds: 0 },
    responses,
    waiting: {
      leaves,
      since: 0,
      onAbort() {
        for (const leave of leaves) leave(signal.reason);
      },
    },
  };
}

const free = () => undefined;

export function allowanceExceeded(): CodedError {
  return new CodedError(
    "QUERY_TOO_COMPLEX",
    "The operation needs more requests to the service than are allowed: select fewer fields, or fewer items.",
  );
}

/** Starts one wait of the caller. `leave` is called if its signal aborts. `now`: milliseconds of a monotonic clock. */
export function startWaiting({ signal, waiting }: Requester, leave: (reason: unknown) => void, now: number): void {
  if (waiting.leaves.size === 0) {
    waiting.since = now;
    signal.addEventListener("abort", waiting.onAbort);
  }
  waiting.leaves.add(leave);
}

/** Ends the wait that was started with this `leave`. */
export function stopWaiting(
  { signal, waiting, usage }: Requester,
  leave: (reason: unknown) => void,
  now: number,
): void {
  waiting.leaves.delete(leave);
  if (waiting.leaves.size > 0) return;
  usage.milliseconds += now - waiting.since;
  signal.removeEventListener("abort", waiting.onAbort);
}
