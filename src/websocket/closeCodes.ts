// Why a socket is closed, as the code and the reason that its client is told.

export const UNSUPPORTED_DATA = 1003;
/** Clients of the protocol take it for final, and do not come back by themselves. */
export const POLICY_VIOLATION = 1008;
export const MESSAGE_TOO_BIG = 1009;
export const SERVICE_RESTART = 1012;
export const TRY_AGAIN_LATER = 1013;

/** A close frame has room for 123 bytes of a reason. */
export function limited(reason: string): string {
  return Buffer.byteLength(reason) <= 123 ? reason : "Closed.";
}
