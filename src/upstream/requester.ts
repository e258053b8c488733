// A caller of the service: one request of a client, or one event of a subscription. It says when it stops waiting, pays for
// the requests that are sent for it, and counts what they cost.
import { CodedError } from "../errors.ts";

export interface Requester {
  /** Aborted when the caller stops waiting. A request to the service ends when all of its callers have stopped. */
  signal: AbortSignal;
  /**
   * Called before each request that is sent for this caller, retries included. Cached and shared responses cost nothing. If it
   * throws, the caller gets the error and nothing is sent for it. Throws QUERY_TOO_COMPLEX beyond the caller's allowance.
   */
  beforeSend(): void | Promise<void>;
  /** Called instead of beforeSend for a request outside the caller's allowance. It counts against RATE_LIMIT only. */
  pay(): void | Promise<void>;
  /**
   * Reserves one request of the allowance that the cost of the operation did not count, such as one that may save others.
   * False: none is left.
   */
  takeSpareRequest(): boolean;
  /** True: only a response to a request that starts now will do, neither a cached one nor one in flight. */
  fresh: boolean;
  /** Increases as responses arrive. */
  usage: UpstreamUsage;
  /** How many responses the caller waits for now, and since when it has waited without a break. */
  waiting: { count: number; since: number };
}

/** How many requests may be sent for one caller. */
export interface RequestAllowance {
  max: number;
  /** The cost that was counted before the operation ran, at most `max`. The rest is spare: see takeSpareRequest. */
  counted: number;
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

type RequesterOptions = Partial<Pick<Requester, "signal" | "beforeSend" | "fresh"> & { allowance: RequestAllowance }>;

/** Without an allowance, as for the gateway's own work, the number of requests is unlimited. */
export function createRequester({
  signal,
  beforeSend = free,
  fresh = false,
  allowance,
}: RequesterOptions = {}): Requester {
  const { max, counted } = allowance ?? { max: Infinity, counted: 0 };
  let sent = 0;
  let spare = max - counted;
  return {
    signal: signal ?? new AbortController().signal,
    beforeSend() {
      if (sent >= max) throw allowanceExceeded();
      sent += 1;
      return beforeSend();
    },
    pay: beforeSend,
    takeSpareRequest() {
      if (spare < 1) return false;
      spare -= 1;
      return true;
    },
    fresh,
    usage: { requests: 0, shared: 0, cached: 0, milliseconds: 0 },
    waiting: { count: 0, since: 0 },
  };
}

const free = () => undefined;

export function allowanceExceeded(): CodedError {
  return new CodedError(
    "QUERY_TOO_COMPLEX",
    "The operation needs more requests to the service than are allowed: select fewer fields, or fewer items.",
  );
}

/** Starts to measure the caller's wait. `now`: milliseconds of a monotonic clock. */
export function startWaiting({ waiting }: Requester, now: number): void {
  if (waiting.count === 0) waiting.since = now;
  waiting.count += 1;
}

export function stopWaiting({ waiting, usage }: Requester, now: number): void {
  waiting.count -= 1;
  if (waiting.count === 0) usage.milliseconds += now - waiting.since;
}
