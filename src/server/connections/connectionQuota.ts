// How many long connections one caller may hold: sockets and streams of events, by viewer and by address.

export interface ConnectionQuota {
  /** A place for this caller, given back by what it returns, once or more often; null where none is free. */
  acquire(caller: string): (() => void) | null;
}

/** Of a viewer, or of an address where nobody is known. */
export const MAX_CONNECTIONS = 1000;

/** Viewers are counted wherever they come from: an office behind one address has as many places as it has viewers' own. */
export const viewerKey = (name: string): string => `viewer ${name}`;
export const addressKey = (address: string): string => `address ${address}`;

export function createConnectionQuota(most: number = MAX_CONNECTIONS): ConnectionQuota {
  const taken = new Map<string, number>();
  return {
    acquire(caller) {
      const before = taken.get(caller) ?? 0;
      if (before >= most) return null;
      taken.set(caller, before + 1);
      let isHeld = true;
      return () => {
        const now = taken.get(caller) ?? 0;
        if (isHeld && now > 1) taken.set(caller, now - 1);
        else if (isHeld) taken.delete(caller);
        isHeld = false;
      };
    },
  };
}
