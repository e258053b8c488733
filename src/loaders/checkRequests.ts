// Sends the extra requests that check a list: whether it ends where its total says, whether the service applies a filter, and
// whether it takes several tasks at once. They are a part of QUERY_BUDGET. Those that prove a behaviour of the service were set
// aside before the operation ran (checkReserve.ts). Beyond these, checks use its spare requests.
import { CodedError } from "../errors.ts";
import type { CheckKind, Requester } from "../upstream/requester.ts";
import type { CallLogPage, CallLogQuery, Upstream } from "../upstream/upstream.ts";

export interface CheckRequests {
  /** Throws QUERY_TOO_COMPLEX where no request is left for such a check, and what Upstream.listCallLogs throws. */
  listCallLogs(query: CallLogQuery, kind: CheckKind): Promise<CallLogPage>;
  /** Aborted when the caller stops waiting for the list. */
  signal: AbortSignal;
}

export function createCheckRequests(upstream: Pick<Upstream, "listCallLogs">, requester: Requester): CheckRequests {
  return {
    async listCallLogs(query, kind) {
      if (!requester.takeCheckRequest(kind)) throw overBudget();
      return upstream.listCallLogs(query, requester);
    },
    signal: requester.signal,
  };
}

export function isOverBudget(error: unknown): boolean {
  return error instanceof CodedError && error.code === "QUERY_TOO_COMPLEX";
}

function overBudget(): CodedError {
  return new CodedError("QUERY_TOO_COMPLEX", "No request is left to check the service's list.");
}

/**
 * What a client gets where the requests run out while its operation runs. The estimate counted what a service needs that follows its
 * document, so the service is the reason.
 */
export function unexpectedNeed(cause: unknown): CodedError {
  return new CodedError(
    "UPSTREAM_CONTRACT",
    "The service fails, counts wrongly, or gives smaller pages than requested, so that the answer needs more requests than QUERY_BUDGET allows: ask for less.",
    { cause },
  );
}

/** Whether the error is of unexpectedNeed. */
export function isUnexpectedNeed(error: unknown): boolean {
  return error instanceof CodedError && error.code === "UPSTREAM_CONTRACT" && isOverBudget(error.cause);
}

/** For everything that a loader gives out: inside, QUERY_TOO_COMPLEX tells that another way may need fewer requests. */
export const blamingService = <Value>(loaded: Promise<Value>): Promise<Value> => loaded.catch(blame);

function blame(error: unknown): never {
  throw isOverBudget(error) ? unexpectedNeed(error) : error;
}
