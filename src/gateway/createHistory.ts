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

export function createHistory({
  config,
  storage,
  service,
  events,
  log,
}: HistoryDeps): HistoryImports & AsyncDisposable {
  const { timeZone } = config.upstream;
  const { historyImports, openCalls, leases } = storage.store;
  return startHistoryImports({
    upstream: service.upstream,
    checks: createListChecks({ timeZone, ...config.lists, proofs: service.proofs }),
    events: events.events,
    imports: historyImports,
    openCalls,
    leases,
    requestsPerMinute: (config.rateLimit * config.importPercentOfRateLimit) / 100,
    retentionMs: config.retentionDays * DAY_MS,
    reconcile: config.reconcile,
    clock: storage.clock.cautiousNow,
    log,
  });
}
