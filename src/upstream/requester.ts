// Whoever waits for an answer of the service: one request of a client, or one event of its subscription. The asker says
// when nobody waits any more, pays for what is sent for it, and is told what its questions cost.
import { CodedError } from "../errors.ts";

export interface Requester {
  /** Aborted when nobody waits for the answer any more: what only this asker waited for is ended at once. */
  signal: AbortSignal;
  /**
   * Called before each request that is sent for this asker, retries too; what it throws is this asker's answer, and
   * nothing is sent for it. An answer that is shared or kept costs nothing, so it is not called then. Throws
   * QUERY_TOO_COMPLEX beyond the asker's allowance.
   */
  beforeSend(): void | Promise<void>;
  /** Called instead of beforeSend before a request that the process allows beside the asker's allowance: it only pays. */
  pay(): void | Promise<void>;
  /**
   * To be asked before each request that was not counted before the operation ran, such as one that may save others. True:
   * there is room for it beside all that were counted, and it is taken.
   */
  takeSpareRequest(): boolean;
  /** Whether only an answer will do that was asked for after the question was: none that is kept, none under way. */
  fresh: boolean;
  /** Counted up as answers come in. */
  usage: UpstreamUsage;
  /** The questions it waits for now, and since when it waits for any (waitingTime.ts). */
  waiting: { count: number; since: number };
}

/** How many requests may be sent for one asker. */
export interface RequestAllowance {
  max: number;
  /** What was counted before it ran, and is at most `most`: so many are left to it by takeSpare. */
  counted: number;
}

export interface UpstreamUsage {
  /** Requests sent to the service, retries too. */
  requests: number;
  /** Questions answered by a request that another asker had begun. */
  shared: number;
  /** Questions answered from what is kept (UPSTREAM_CACHE_MS). */
  cached: number;
  /** How long the asker waited for the service; what it waited for at the same time counts once. */
  milliseconds: number;
}

type Own = Partial<Pick<Requester, "signal" | "beforeSend" | "fresh"> & { allowance: RequestAllowance }>;

/** Without an allowance it may ask as much as it likes: it is the gateway's own. */
export function createRequester({ signal, beforeSend = free, fresh = false, allowance }: Own = {}): Requester {
  const { max: most, counted } = allowance ?? { max: Infinity, counted: 0 };
  let sent = 0;
  let spare = most - counted;
  return {
    signal: signal ?? new AbortController().signal,
    beforeSend() {
      if (sent >= most) throw allowanceExceeded();
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
