// Tells an event that cannot be stored, however often it comes, from a database that cannot store anything now.
import { refusalCodeOf } from "./storeError.ts";

/** Faults of the gateway's own code, for which the event is the cause. */
const FAULTS = [TypeError, RangeError, SyntaxError, ReferenceError];

/**
 * Why `EventLog.append` will not store an event, without any part of it. Null: the error is another one, and the same event may be
 * stored later.
 */
export function unstorableReasonOf(error: unknown): string | null {
  const code = refusalCodeOf(error);
  if (code !== null) return `The database refuses it (${code}).`;
  const fault = faultOf(error);
  return fault === null ? null : `The gateway failed to store it (${fault}).`;
}

function faultOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if (FAULTS.some((kind) => error instanceof kind)) return error.constructor.name;
  return faultOf(error.cause);
}
