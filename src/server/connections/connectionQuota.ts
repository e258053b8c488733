// Limits the long-lived connections of each caller: WebSockets and streams of server-sent events, by viewer or by address.
import { CONNECTION_LIMITS } from "../../config/limits.ts";

export interface ConnectionQuota {
  /** Counts a connection until the returned function is called, once or more often. Null: the quota is used up. */
  acquire(caller: string): (() => void) | null;
}

/** Viewers are counted separately from addresses: an office behind one address may have many viewers. */
export const viewerKey = (name: string): string => `viewer ${name}`;
export const addressKey = (address: string): string => `address ${address}`;

export function createConnectionQuota(max: number = CONNECTION_LIMITS.perCaller): ConnectionQuota {
  const counts = new Map<string, number>();
  return {
    acquire(caller) {
      const before = counts.get(caller) ?? 0;
      if (before >= max) return null;
      counts.set(caller, before + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const count = counts.get(caller) ?? 0;
        if (count > 1) counts.set(caller, count - 1);
        else counts.delete(caller);
      };
    },
  };
}
