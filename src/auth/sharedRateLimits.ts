// Rates that all gateways of one database share: each takes a few points at a time of what is left, so that hardly a
// request waits for the database. Where it cannot be had, each gateway counts for itself: nothing is unlimited then, and
// nothing is held up.
import type { Log } from "../log.ts";
import { createRateLimits, rateLimited, type RateLimits } from "./rateLimits.ts";

/** Takes so many points of a caller's, or what its window still has, which ends in so many milliseconds. */
export type TakePoints = (caller: string, points: number) => Promise<{ granted: number; endsInMs: number }>;

export interface SharedRateLimitsDeps {
  perMinute: number;
  takePoints: TakePoints;
  log: Log;
  /** Milliseconds. */
  now?: () => number;
  /** How long a caller may wait for the database. */
  timeoutMs?: number;
}

/** What this gateway has taken and not spent yet, of one caller's window. */
interface Purse {
  left: number;
  endsAt: number;
  /** Whether the window has no more. */
  isLast: boolean;
  filling: Promise<void> | null;
}

/** Of a limit, taken at a time: so much of it another gateway may miss, where this one does not spend what it took. */
const SHARE = 0.01;
const PATIENCE_MS = 500;
/** How long the database is left alone when it did not answer. */
const ALONE_MS = 5000;
/** One window's end is told a little later each time, by as long as the answer took; the next one's is a minute away. */
const SAME_WINDOW_MS = 5000;
const FEW_PURSES = 10_000;

export function createSharedRateLimits(deps: SharedRateLimitsDeps): RateLimits {
  const { perMinute, takePoints: take, log, now = Date.now, timeoutMs: patienceMs = PATIENCE_MS } = deps;
  const batch = Math.max(1, Math.floor(perMinute * SHARE));
  const alone = createRateLimits(perMinute);
  const purses = new Map<string, Purse>();
  let pruneAt = FEW_PURSES;
  let aloneUntil: number | null = null;

  function purseOf(caller: string): Purse {
    const known = purses.get(caller);
    if (known) return known;
    if (purses.size >= pruneAt) {
      for (const [name, { endsAt, filling }] of purses) if (endsAt <= now() && !filling) purses.delete(name);
      pruneAt = Math.max(FEW_PURSES, purses.size * 2);
    }
    const fresh: Purse = { left: 0, endsAt: 0, isLast: false, filling: null };
    purses.set(caller, fresh);
    return fresh;
  }

  /** Afterwards the purse holds some, or its window has no more, or it is known that there is no asking. */
  async function fill(caller: string, purse: Purse, asked: number): Promise<void> {
    try {
      const { granted, endsInMs } = await within(patienceMs, take(caller, asked));
      const endsAt = now() + endsInMs;
      // What was taken of the window before is not spent in this one.
      purse.left = granted + (endsAt - purse.endsAt < SAME_WINDOW_MS ? purse.left : 0);
      purse.endsAt = endsAt;
      purse.isLast = granted < asked;
      if (aloneUntil !== null) log.info({}, "rates are shared with the other gateways again");
      aloneUntil = null;
    } catch (err) {
      if (aloneUntil === null) log.warn({ err }, "rates cannot be shared for now: this gateway counts for itself");
      aloneUntil = now() + ALONE_MS;
    }
  }
  function filled(caller: string, purse: Purse, missing: number): Promise<void> {
    purse.filling ??= fill(caller, purse, Math.max(batch, missing)).finally(() => {
      purse.filling = null;
    });
    return purse.filling;
  }

  return {
    async consume(caller, points = 1) {
      const purse = purseOf(caller);
      for (;;) {
        const isOpen = purse.endsAt > now();
        if (isOpen && purse.left >= points) break;
        if (isOpen && purse.isLast) throw rateLimited(purse.endsAt - now());
        if (aloneUntil !== null && now() < aloneUntil) return alone.consume(caller, points);
        await filled(caller, purse, points - purse.left);
      }
      purse.left -= points;
      const isLow = purse.left > 0 && purse.left < batch / 4;
      if (isLow && !purse.isLast && aloneUntil === null) void filled(caller, purse, 0);
    },
  };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`the database did not count within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
