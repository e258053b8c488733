// Bounds the heartbeats that one viewer lets the gateway send to one receiver: a thousand idle subscriptions with the shortest
// interval would be two thousand requests a second.
import { CALLBACK_LIMITS } from "../../config/limits.ts";
import type { CallbackTarget } from "./callbackRequest.ts";

export interface HeartbeatBudget {
  /** Counts the heartbeats of a subscription until the returned function is called. Null: there would be too many. */
  acquire(caller: string, target: Pick<CallbackTarget, "url" | "heartbeatMs">): (() => void) | null;
}

/** Milliseconds between two messages: one that fails can be repeated in time. */
export const checkIntervalOf = ({ heartbeatMs }: Pick<CallbackTarget, "heartbeatMs">): number => heartbeatMs / 2;

export function createHeartbeatBudget(perSecond: number = CALLBACK_LIMITS.heartbeatsPerSecond): HeartbeatBudget {
  const rates = new Map<string, number>();
  return {
    acquire(caller, target) {
      if (target.heartbeatMs === 0) return () => undefined;
      const key = JSON.stringify([caller, new URL(target.url).origin]);
      const own = 1000 / checkIntervalOf(target);
      const before = rates.get(key) ?? 0;
      if (before + own > perSecond) return null;
      rates.set(key, before + own);
      return () => {
        const left = (rates.get(key) ?? 0) - own;
        // Sums of fractions may miss 0 by a little.
        if (left > own / 2) rates.set(key, left);
        else rates.delete(key);
      };
    },
  };
}
