// What administrators see of webhook/webhookArrivals.ts and get of webhook/webhookTest.ts.
import type { Instant } from "../format/instant.ts";

export interface WebhookStatus {
  lastAcceptedAt: Instant | null;
  acceptedLastMinute: number;
  refusedLastMinute: number;
  unreadableInARow: number;
  refused: RefusedWebhooks | null;
}

export interface RefusedWebhooks {
  since: Instant;
  lastAt: Instant;
  count: number;
  reasons: readonly RefusalCount[];
}

export interface RefusalCount {
  reason: WebhookRefusal;
  count: number;
}

export type WebhookRefusal =
  | "MISSING_HEADER"
  | "WRONG_HEADER"
  | "WRONG_METHOD"
  | "WRONG_PATH"
  | "WRONG_HOST"
  | "TOO_LARGE"
  | "NOT_STORED";

export interface WebhookTest {
  authorization: string;
  path: string;
  bytes: number;
  expiresAt: Instant;
}
