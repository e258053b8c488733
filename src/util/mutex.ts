// Turns at what only one may have at a time, in the order in which they were asked for. Where all who wait would race for
// each turn, a thousand of them would cost a million tries.

export interface Mutex {
  /** Resolves when it is one's turn, until `give`. */
  acquire(): Promise<void>;
  release(): void;
}

interface Waiting {
  begin: () => void;
  next: Waiting | null;
}

export function createMutex(): Mutex {
  let isTaken = false;
  let first: Waiting | null = null;
  let last: Waiting | null = null;
  return {
    acquire() {
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
    release() {
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
