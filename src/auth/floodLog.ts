// Names the viewers that are refused by their limits in the log: a line for the first refusal, then at most one a minute with their
// number. So a flood has a name, and the log is not flooded.
import type { Logger } from "../logger.ts";
import { MINUTE_MS } from "../util/durations.ts";
import type { FailureLimit } from "./failureLimit.ts";
import { viewerOfKey, type RateLimits } from "./rateLimits.ts";

/** What ran out, or was exceeded by one operation (QUERY_TOO_COMPLEX). */
export type ViewerLimit =
  | "requests"
  | "tasks"
  | "rows"
  | "listRows"
  | "plays"
  | "operationsAtOnce"
  | "refusedOperations"
  | "operationSize";

/** Disposing it logs the refusals that no line has named yet. */
export interface FloodLog extends Disposable {
  /** To be called for each refusal. */
  refused(viewer: string, limit: ViewerLimit): void;
}

/** For a gateway without authentication, where viewers cannot be told apart. */
export const noFloodLog: FloodLog = { refused: () => undefined, [Symbol.dispose]: () => undefined };

/** The refusals of a viewer since its last line. */
interface Refusals {
  counts: Map<ViewerLimit, number>;
  /** When its next line may be written, in milliseconds of performance.now(). */
  nextLineAt: number;
}

/** Viewers that are counted at a time. Those beyond them share one line. */
const MAX_VIEWERS = 1000;
const OTHERS = Symbol("other viewers");

export function createFloodLog(log: Pick<Logger, "warn">): FloodLog {
  /** All wait equally long, so the first one is always the next to get its line. */
  const waiting = new Map<string | typeof OTHERS, Refusals>();
  let timer: NodeJS.Timeout | undefined;

  function write(viewer: string | typeof OTHERS, { counts }: Refusals): void {
    const refused = counts.values().reduce((sum, count) => sum + count, 0);
    const fields = { refused, limits: Object.fromEntries(counts) };
    if (viewer === OTHERS) log.warn(fields, "further viewers are refused by their limits");
    else log.warn({ viewer, ...fields }, "a viewer is refused by its limits");
  }
  function waitForNext(): void {
    const [next] = waiting.values();
    if (next) timer ??= setTimeout(writeDue, Math.max(0, next.nextLineAt - performance.now())).unref();
  }
  /** A viewer without a refusal since its last line is forgotten. */
  function writeDue(): void {
    timer = undefined;
    const now = performance.now();
    for (const [viewer, refusals] of waiting) {
      if (refusals.nextLineAt > now) break;
      waiting.delete(viewer);
      if (refusals.counts.size === 0) continue;
      write(viewer, refusals);
      waiting.set(viewer, { counts: new Map(), nextLineAt: now + MINUTE_MS });
    }
    waitForNext();
  }

  return {
    refused(name, limit) {
      const viewer = waiting.has(name) || waiting.size < MAX_VIEWERS ? name : OTHERS;
      const known = waiting.get(viewer);
      if (known) {
        known.counts.set(limit, (known.counts.get(limit) ?? 0) + 1);
        return;
      }
      const nextLineAt = performance.now() + MINUTE_MS;
      write(viewer, { counts: new Map([[limit, 1]]), nextLineAt });
      waiting.set(viewer, { counts: new Map(), nextLineAt });
      waitForNext();
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      for (const [viewer, refusals] of waiting) if (refusals.counts.size > 0) write(viewer, refusals);
      waiting.clear();
    },
  };
}

/** The limits, which report the viewers that they refuse. */
export function reportRefusals(limits: RateLimits, floodLog: Pick<FloodLog, "refused">): RateLimits {
  return {
    consume(caller, points) {
      const outcome = limits.consume(caller, points);
      return outcome?.catch((error: unknown) => {
        const refused = viewerOfKey(caller);
        if (refused) floodLog.refused(refused.viewer, refused.limit);
        throw error;
      });
    },
  };
}

/** The same for refused operations. */
export function reportFailures(limit: FailureLimit, floodLog: Pick<FloodLog, "refused">): FailureLimit {
  const report = <Refusal>(viewer: string, refusal: Refusal): Refusal => {
    if (refusal) floodLog.refused(viewer, "refusedOperations");
    return refusal;
  };
  return {
    check: (viewer) => report(viewer, limit.check(viewer)),
    record: (viewer) => report(viewer, limit.record(viewer)),
  };
}
