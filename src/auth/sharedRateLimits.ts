// Rate limits that all gateways of one database share. Each gateway takes points in batches, so that few requests wait for
// the database. If the database does not answer, each gateway counts in its own memory: requests stay limited, and none waits.
import type { Logger } from "../logger.ts";
import { afterReading } from "../util/deadline.ts";
import { createRateLimits, rateLimited, type RateLimits } from "./rateLimits.ts";

/** Takes `points` from the caller's window, or fewer if the window has no more. `endsInMs`: until the window ends. */
export type TakePoints = (caller: string, points: number) => Promise<{ granted: number; endsInMs: number }>;

export interface SharedRateLimitsDeps {
  perMinute: number;
  takePoints: TakePoints;
  log: Logger;
  /** Milliseconds that nobody can set back: else a window of a clock that was ahead would not end. */
  now?: () => number;
  /** How long a caller may wait for the database. */
  timeoutMs?: number;
}

/** Points of one caller's window that this gateway has taken and not spent yet. */
interface Balance {
  points: number;
  endsAt: number;
  /** The window in the database has no more points. */
  isLast: boolean;
  refill: Promise<void> | null;
}

/** The part of a limit that is taken at a time. Points that this gateway does not spend are missing to the others. */
const BATCH_SHARE = 0.01;
const TIMEOUT_MS = 500;
/** How long the database is not asked after it did not answer. */
const LOCAL_MS = 5000;
/**
 * The computed end of a window varies with the duration of the answer. Ends that differ by less than this belong to the same
 * window; the next window ends a minute later.
 */
const SAME_WINDOW_MS = 5000;
/** Balances are pruned from this number on. */
const PRUNE_MIN = 10_000;

export function createSharedRateLimits(deps: SharedRateLimitsDeps): RateLimits {
  const { perMinute, takePoints, log, now = () => performance.now(), timeoutMs = TIMEOUT_MS } = deps;
  const batch = Math.max(1, Math.floor(perMinute * BATCH_SHARE));
  const localLimits = createRateLimits(perMinute);
  const balances = new Map<string, Balance>();
  let pruneAt = PRUNE_MIN;
  /** Null: the database answers. */
  let localUntil: number | null = null;

  function balanceOf(caller: string): Balance {
    const known = balances.get(caller);
    if (known) return known;
    if (balances.size >= pruneAt) {
      for (const [name, { endsAt, refill }] of balances) if (endsAt <= now() && !refill) balances.delete(name);
      pruneAt = Math.max(PRUNE_MIN, balances.size * 2);
    }
    const created: Balance = { points: 0, endsAt: 0, isLast: false, refill: null };
    balances.set(caller, created);
    return created;
  }

  /** Afterwards the balance has points, or its window has none left, or `localUntil` is set. */
  async function takeBatch(caller: string, balance: Balance, points: number): Promise<void> {
    try {
      const { granted, endsInMs } = await withTimeout(timeoutMs, takePoints(caller, points));
      const endsAt = now() + endsInMs;
      // Points of the last window cannot be spent in this one.
      balance.points = granted + (endsAt - balance.endsAt < SAME_WINDOW_MS ? balance.points : 0);
      balance.endsAt = endsAt;
      balance.isLast = granted < points;
      if (localUntil !== null) log.info({}, "rate limits are shared with the other gateways again");
      localUntil = null;
    } catch (err) {
      if (localUntil === null)
        log.warn({ err }, "rate limits cannot be shared: the database does not answer, and this gateway counts alone");
      localUntil = now() + LOCAL_MS;
    }
  }
  function refill(caller: string, balance: Balance, missing: number): Promise<void> {
    balance.refill ??= takeBatch(caller, balance, Math.max(batch, missing)).finally(() => {
      balance.refill = null;
    });
    return balance.refill;
  }

  /** False: too few points are in the balance now. */
  function trySpend(caller: string, balance: Balance, points: number): boolean {
    if (balance.endsAt <= now() || balance.points < points) return false;
    balance.points -= points;
    // The next batch is taken before this one is spent.
    const isLow = balance.points > 0 && balance.points < batch / 4;
    if (isLow && !balance.isLast && localUntil === null) void refill(caller, balance, 0);
    return true;
  }
  async function refillAndSpend(caller: string, balance: Balance, points: number): Promise<void> {
    while (!trySpend(caller, balance, points)) {
      if (balance.isLast && balance.endsAt > now()) throw rateLimited(balance.endsAt - now());
      if (localUntil !== null && now() < localUntil) return localLimits.consume(caller, points);
      await refill(caller, balance, points - balance.points);
    }
  }

  return {
    consume(caller, points = 1) {
      const balance = balanceOf(caller);
      return trySpend(caller, balance, points) ? undefined : refillAndSpend(caller, balance, points);
    },
  };
}

async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const end = () => timeout.reject(new Error(`the database did not answer within ${ms} ms`));
  const timer = setTimeout(afterReading, ms, end);
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
