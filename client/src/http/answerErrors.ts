// Makes a SwitchboardError of what went wrong: errors of an answer, an answer that is not the gateway's, a lost connection.
import { SwitchboardError, type GraphError } from "../switchboardError.ts";

export interface GraphResult<Data = unknown> {
  data?: Data | null;
  errors?: readonly GraphError[];
}

interface HttpAnswer {
  status?: number | undefined;
  retryAfter?: number | undefined;
}

export function errorOfResult({ data, errors = [] }: GraphResult, answer: HttpAnswer = {}): SwitchboardError {
  const [first] = errors;
  const { code = "BAD_RESPONSE", retryable, retryAfter, requestId, cursor } = first?.extensions ?? {};
  return new SwitchboardError(code, first?.message ?? "The answer is empty.", {
    ...answer,
    retryable: retryable === undefined ? code.endsWith("RATE_LIMITED") || isBusy(answer) : retryable === true,
    retryAfter: typeof retryAfter === "number" ? retryAfter : answer.retryAfter,
    requestId: requestId as string | undefined,
    cursor: cursor as string | undefined,
    data: data ?? undefined,
    errors,
  });
}

/** `text`: a body that is not a GraphQL result. */
export function errorOfBody(text: string, answer: HttpAnswer): SwitchboardError {
  const { status = 0 } = answer;
  const retryable = isBusy(answer) || status === 429 || status === 408;
  const code = status === 401 ? "UNAUTHENTICATED" : "BAD_RESPONSE";
  return new SwitchboardError(code, `HTTP ${status}: ${text.trim().slice(0, 200)}`, { ...answer, retryable });
}

/** Every status of 500 and more may come from a proxy whose gateway restarts. */
function isBusy({ status = 0 }: HttpAnswer): boolean {
  return status >= 500;
}

export function networkError(message: string, cause?: unknown, retryAfter?: number): SwitchboardError {
  return new SwitchboardError("NETWORK", message, { retryable: true, retryAfter, cause });
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function toSwitchboardError(error: unknown): SwitchboardError {
  if (error instanceof SwitchboardError) return error;
  return networkError(messageOf(error), error);
}

/** Seconds. The header has seconds or a date. */
export function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (!text) return undefined;
  const isDate = text.trim().endsWith(" GMT");
  const seconds = isDate
    ? (Date.parse(text) - Date.now()) / 1000
    : /^\d+$/.test(text.trim())
      ? Number(text)
      : Number.NaN;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
