// Imports of calls that ended before the gateway was there.
import { startHistoryImports, type HistoryImports } from "../history/historyImports.ts";
import { createListChecks } from "../loaders/callLogLoader.ts";
import { DAY_MS } from "../util/durations.ts";
import type { Base } from "./base.ts";
import type { Events } from "./createEvents.ts";
import type { Service } from "./createService.ts";
import type { Storage } from "./createStorage.ts";

export interface HistoryDeps extends Base {
  storage: Storage;
  service: Service;
  events: Events;
}

/** An empty log tells at the start that it can be filled. */
export async function createHistory(deps: HistoryDeps): Promise<HistoryImports & AsyncDisposable> {
  const { config, storage, service, events, log } = deps;
  const { timeZone } = config.upstream;
  const { historyImports, openCalls, leases } = storage.store;
  await using parts = new AsyncDisposableStack();
  const history = parts.use(
    startHistoryImports({
      upstream: service.upstream,
      checks: createListChecks({ timeZone, ...config.lists, proofs: service.proofs }),
      events: events.events,
      imports: historyImports,
      openCalls,
      leases,
      purgedThrough: storage.store.events.purgedThrough,
      isRealService: !config.reportsRequests,
      requestsPerMinute: (config.rateLimit * config.importPercentOfRateLimit) / 100,
      retentionMs: config.retentionDays * DAY_MS,
      reconcile: config.reconcile,
      clock: storage.clock.cautiousNow,
      log,
    }),
  );
  if ((await storage.store.events.head()) === 0 && (await history.lacksHistory())) log.info({}, EMPTY_LOG);
  parts.move();
  return history;
}

const EMPTY_LOG =
  "the log is empty; calls that ended earlier can be imported from the service: switchboard import --since DAY";
