// Remembers how webhooks fare in this process, for administrators: the last accepted one, the number of the last minute, and those that
// were refused since. Refusals are also logged: the first one at once, later ones as counts once a minute, because anybody can cause
// them. The record and the log keep no part of a request: a wrong Authorization header may be the right one, misspelt.
import { instantOf, type Instant } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import { createLogAggregator } from "../util/logAggregator.ts";
import { createSlidingWindow } from "../util/rates/slidingWindow.ts";

/**
 * - `MISSING_HEADER`, `WRONG_HEADER`: the Authorization header is missing, or is no accepted value. Anybody can send such a request.
 * - `WRONG_METHOD`, `WRONG_PATH`, `WRONG_HOST`: the Authorization header was right, so that it came from the service.
 * - `TOO_LARGE`: the body is over the limit.
 * - `NOT_STORED`: the database did not take it. The service sends it again.
 */
export const webhookRefusals = [
  "MISSING_HEADER",
  "WRONG_HEADER",
  "WRONG_METHOD",
  "WRONG_PATH",
  "WRONG_HOST",
  "TOO_LARGE",
  "NOT_STORED",
] as const;
export type WebhookRefusal = (typeof webhookRefusals)[number];

export interface WebhookArrivalsStatus {
  /** Null: none since the process started. */
  lastAcceptedAt: Instant | null;
  acceptedLastMinute: number;
  refusedLastMinute: number;
  /** Accepted ones in a row, up to now, that could not be read and are in quarantine. */
  unreadableInARow: number;
  /** Those after the last accepted one. Null: none. */
  refused: RefusedWebhooks | null;
}

export interface RefusedWebhooks {
  since: Instant;
  lastAt: Instant;
  count: number;
  /** In the order in which they came first. */
  reasons: { reason: WebhookRefusal; count: number }[];
}

/** Disposing it logs the counts that were not logged yet. */
export interface WebhookArrivals extends Disposable {
  /** A webhook was stored: in the log, or as one that could not be read in quarantine. */
  accepted(isReadable: boolean): void;
  /** `place`: the kind of the wrong path. */
  refused(reason: WebhookRefusal, place?: string): void;
  status(): WebhookArrivalsStatus;
}

export interface WebhookArrivalsDeps {
  webhookPath: string;
  /** Epoch milliseconds. */
  clock: () => number;
  log: Logger;
}

const MINUTE_S = 60;
const LOGGED = { intervalMs: 60_000, reportsFirstAtOnce: true };

export function createWebhookArrivals({ webhookPath, clock, log }: WebhookArrivalsDeps): WebhookArrivals {
  const lastMinute = createSlidingWindow<"accepted" | "refused">(() => performance.now(), MINUTE_S);
  let acceptedAt: number | null = null;
  let unreadableInARow = 0;
  let refusals: { since: number; lastAt: number; counts: Map<WebhookRefusal, number> } | null = null;

  const headers = createLogAggregator(
    (header) => log.warn({ header }, "webhooks are refused: their Authorization header is not WEBHOOK_AUTHORIZATION"),
    LOGGED,
  );
  const paths = createLogAggregator(
    (refused) =>
      log.warn(
        { refused, path: webhookPath },
        `webhooks come to a wrong path and are lost: the service, or the proxy in front, must send them to ${webhookPath} (WEBHOOK_PATH)`,
      ),
    LOGGED,
  );
  const others = createLogAggregator((refused) => log.warn({ refused }, "webhooks are refused"), LOGGED);

  function write(reason: WebhookRefusal, place: string): void {
    if (reason === "MISSING_HEADER") headers.add("missing");
    else if (reason === "WRONG_HEADER") headers.add("wrong");
    else if (reason === "WRONG_PATH") paths.add(place);
    // The route logs what could not be stored, with its cause.
    else if (reason !== "NOT_STORED") others.add(reason);
  }
  return {
    accepted(isReadable) {
      acceptedAt = clock();
      unreadableInARow = isReadable ? 0 : unreadableInARow + 1;
      refusals = null;
      lastMinute.add("accepted");
    },
    refused(reason, place = "other") {
      const at = clock();
      refusals ??= { since: at, lastAt: at, counts: new Map() };
      refusals.lastAt = at;
      refusals.counts.set(reason, (refusals.counts.get(reason) ?? 0) + 1);
      lastMinute.add("refused");
      write(reason, place);
    },
    status: () => ({
      lastAcceptedAt: acceptedAt === null ? null : instantOf(acceptedAt),
      acceptedLastMinute: lastMinute.count("accepted"),
      refusedLastMinute: lastMinute.count("refused"),
      unreadableInARow,
      refused: refusals && {
        since: instantOf(refusals.since),
        lastAt: instantOf(refusals.lastAt),
        count: refusals.counts.values().reduce((sum, count) => sum + count, 0),
        reasons: [...refusals.counts].map(([reason, count]) => ({ reason, count })),
      },
    }),
    [Symbol.dispose]() {
      for (const lines of [headers, paths, others]) lines[Symbol.dispose]();
    },
  };
}
