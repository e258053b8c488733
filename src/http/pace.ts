// How fast a peer may send: a burst at first, such as all subscriptions of a page, and then so many a second.

export interface Pace {
  /** False where the peer is too fast. */
  allows(): boolean;
}

export interface PaceOptions {
  burst: number;
  perSecond: number;
  /** Milliseconds, from anywhere. */
  now?: () => number;
}

/** Messages and pings of one socket. */
export const SOCKET_PACE: PaceOptions = { burst: 300, perSecond: 20 };

const monotonic = (): number => performance.now();

export function createPace(options: PaceOptions): Pace {
  const { burst, perSecond, now = monotonic } = options;
  let left = burst;
  let last = now();
  return {
    allows() {
      const at = now();
      left = Math.min(burst, left + ((at - last) / 1000) * perSecond);
      last = at;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}
