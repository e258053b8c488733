// Limits per caller and minute, counted in the memory of this process. sharedRateLimits.ts counts over all gateways.
import { CodedError } from "../errors.ts";
import { MINUTE_MS } from "../util/durations.ts";
import type { MaybePromise } from "../util/maybePromise.ts";

export interface RateLimits {
  /**
   * Takes points (1 by default) from the caller's minute. Rejects with RATE_LIMITED and `retryAfter` if too few are left. It
   * returns a promise only if it rejects or waits for a database.
   */
  consume(caller: string, points?: number): MaybePromise<void>;
}

/** For a gateway without authentication, where callers cannot be told apart. */
export const noRateLimits: RateLimits = { consume: () => undefined };

/** A caller's minute, which begins with its first request. */
interface Minute {
  points: number;
  endsAt: number;
}

/** Ended minutes are pruned when so many callers are known, and then when their number has doubled. */
const PRUNE_MIN = 10_000;

export function createRateLimits(perMinute: number, now = () => performance.now()): RateLimits {
  const minutes = new Map<string, Minute>();
  let pruneAt = PRUNE_MIN;

  function begin(caller: string): Minute {
    if (minutes.size >= pruneAt) {
      for (const [name, { endsAt }] of minutes) if (endsAt <= now()) minutes.delete(name);
      pruneAt = Math.max(PRUNE_MIN, minutes.size * 2);
    }
    const minute = { points: 0, endsAt: now() + MINUTE_MS };
    minutes.set(caller, minute);
    return minute;
  }

  return {
    consume(caller, points = 1) {
      const known = minutes.get(caller);
      const minute = known && known.endsAt > now() ? known : begin(caller);
      minute.points += points;
      return minute.points > perMinute ? Promise.reject(rateLimited(minute.endsAt - now())) : undefined;
    },
  };
}

/** `ms`: milliseconds until the caller has points again. */
export function rateLimited(ms: number): CodedError {
  const retryAfter = Math.max(1, Math.ceil(ms / 1000));
  return new CodedError("RATE_LIMITED", "The limit of requests per minute is reached.", { retryAfter });
}

/** Counts a viewer's requests to the service. */
export const requestLimitKey = (viewer: { name: string }): string => `viewer ${viewer.name}`;
/** Counts the rows of the database that a viewer's operations read. */
export const rowLimitKey = (viewer: { name: string }): string => `rows ${viewer.name}`;

/** Counts the rows of the service's lists that a viewer's operations process. */
export const listRowLimitKey = (viewer: { name: string }): string => `listed ${viewer.name}`;

/** Counts the recordings that a viewer plays. */
export const playLimitKey = (viewer: { name: string }): string => `player ${viewer.name}`;

/** The viewer that a key belongs to, and what it counts. Null: the key is not a viewer's. */
export function viewerOfKey(
  key: string,
): { viewer: string; limit: "requests" | "rows" | "listRows" | "tasks" | "plays" } | null {
  const [kind = ""] = key.split(" ", 1);
  const limit = ({ viewer: "requests", rows: "rows", listed: "listRows", creator: "tasks", player: "plays" } as const)[
    kind
  ];
  return limit === undefined ? null : { viewer: key.slice(kind.length + 1), limit };
}

/** Limits the tasks that a viewer creates, with points of their own: reads do not use up the limit of creations. */
export function limitTaskCreation<Creator extends { name: string }, Rest extends unknown[], Result>(
  rateLimits: RateLimits,
  create: (viewer: Creator, ...rest: Rest) => Promise<Result>,
) {
  return async (viewer: Creator, ...rest: Rest): Promise<Result> => {
    await rateLimits.consume(`creator ${viewer.name}`);
    return create(viewer, ...rest);
  };
}
