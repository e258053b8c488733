// Turns at what only one may have at a time, in the order in which they were asked for. Where all who wait would race for
// each turn, a thousand of them would cost a million tries.

export interface Turns {
  /** Resolves when it is one's turn, until `give`. */
  take(): Promise<void>;
  give(): void;
}

interface Waiting {
  begin: () => void;
  next: Waiting | null;
}

export function createTurns(): Turns {
  let isTaken = false;
  let first: Waiting | null = null;
  let last: Waiting | null = null;
  return {
    take() {
      if (!isTaken) {
        isTaken = true;
        return Promise.resolve();
      }
      return new Promise((begin) => {
        const waiting: Waiting = { begin, next: null };
        if (last) last.next = waiting;
        else first = waiting;
        last = waiting;
      });
    },
    give() {
      const next = first;
      if (!next) {
        isTaken = false;
        return;
      }
      first = next.next;
      if (!first) last = null;
      next.begin();
    },
  };
}
