// How many long connections one caller may hold: sockets and streams of events, by viewer and by address.

export interface Places {
  /**
   * A place with each of these, who are one caller by several names; given back by what it returns, once or more often.
   * Null, and none taken, where one of them has none free.
   */
  take(...callers: readonly string[]): (() => void) | null;
}

/** Of a viewer, or of an address where nobody is known yet. */
export const MOST_PLACES = 1000;

export function createPlaces(most: number = MOST_PLACES): Places {
  const taken = new Map<string, number>();
  return {
    take(...callers) {
      if (callers.some((caller) => (taken.get(caller) ?? 0) >= most)) return null;
      for (const caller of callers) taken.set(caller, (taken.get(caller) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const caller of callers) {
          const left = (taken.get(caller) ?? 0) - 1;
          if (left > 0) taken.set(caller, left);
          else taken.delete(caller);
        }
      };
    },
  };
}
