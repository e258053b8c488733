// What the metrics learn of subscriptions.
import type { Instant } from "../../format/instant.ts";

/**
 * Why a subscription ended.
 * - `client`: its client completed it or left, its connection was cut, or its router answered 404 (server/callbacks/).
 * - `slow`: its WebSocket took nothing for a minute.
 * - `shutdown`: the gateway is stopping. Event streams count as `client` then, because their connection is closed.
 * - `rejected`: its WebSocket was closed with another code.
 * - `revoked`: its viewer may not read it any more.
 * - `completed`: it has no more results.
 * - `failed`: it could not begin or go on, or its router did not take a result.
 */
export const subscriptionEnds = ["client", "slow", "shutdown", "rejected", "revoked", "completed", "failed"] as const;
export type SubscriptionEnd = (typeof subscriptionEnds)[number];

export interface SubscriptionObserver {
  ended(reason: SubscriptionEnd): void;
  /** An event was handed to all members of one shared group. */
  delivered(receivedAt: Instant): void;
}

export const noSubscriptionObserver: SubscriptionObserver = { ended: () => undefined, delivered: () => undefined };
