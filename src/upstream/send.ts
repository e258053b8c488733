// What travels with a request on its way down to the service: until when, for whom, and at whose cost. Each layer of the
// client (breaker, retry, slots, transport) is a Send around another.
import type { ServiceResponse } from "./judgeResponse.ts";
import type { Cancellation } from "./cancellation.ts";

export interface OutgoingRequest {
  /** Over when nobody waits any more, or the deadline has passed. */
  cancellation: Cancellation;
  /** Of the monotonic clock (performance.now): one deadline for queue, requests, pauses and the last byte. */
  deadlineAt: number;
  /** How often it was sent so far. */
  attempts: number;
  /** Charges one of those who wait. Throws where nobody is left who may ask. */
  beforeSend(): void | Promise<void>;
}

/**
 * `path` starts with a slash and follows the base address. Any status is an answer. Throws UPSTREAM_UNAVAILABLE,
 * UPSTREAM_TIMEOUT or UPSTREAM_CONTRACT, and the ending's reason once it is over.
 */
export type Send = (path: string, sending: OutgoingRequest) => Promise<ServiceResponse>;
