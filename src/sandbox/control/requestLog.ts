// What the /openapi endpoints were asked, for tests that count requests. Bounded by number and by size.
import type { Ring } from "../world/ringBuffer.ts";
import { createRing } from "../world/ringBuffer.ts";

export interface SeenRequest {
  /** Real epoch ms. */
  at: number;
  method: string;
  path: string;
  /** The query string as it came, without the question mark. */
  query: string;
  /** The same, decoded; empty when it could not be. */
  params: Record<string, string[]>;
  /** The parsed body of a POST; null: none, or not JSON. Integers beyond 2^53 are bigints, and exact. */
  body: unknown;
  /** Null: not answered (yet). */
  status: number | null;
}

const MOST_BYTES = 128 * 1024 * 1024;

export function createRequestLog(): Ring<SeenRequest> {
  return createRing<SeenRequest>({ entries: 10_000, weight: MOST_BYTES });
}
