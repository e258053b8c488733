// What the metrics learn of destinations.
import type { LossReason } from "./eventFinder.ts";

/**
 * - delivered: the receiver took it.
 * - failed: an attempt that did not succeed.
 * - skipped: nothing was left to send.
 */
export const deliveryOutcomes = ["delivered", "failed", "skipped"] as const;
export type DeliveryOutcome = (typeof deliveryOutcomes)[number];

/** What a destination gets. */
export interface DestinationContent {
  calls: boolean;
  alerts: boolean;
  /** False: the file has switched it off. */
  isOn: boolean;
}

export interface DestinationObserver {
  attempted(destination: string, outcome: DeliveryOutcome): void;
  /** Events that it cannot get any more. */
  lost(destination: string, reason: LossReason, events: number): void;
  /** A destination of the file, on this gateway or on another one that shares the database; again when its definition has changed. */
  started(destination: string, gets: DestinationContent): void;
  ended(destination: string): void;
}

export const noDestinationObserver: DestinationObserver = {
  attempted: () => undefined,
  lost: () => undefined,
  started: () => undefined,
  ended: () => undefined,
};
