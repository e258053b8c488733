// Imports of calls that ended before the gateway was there. One runs at a time, on one of the gateways.
import { CodedError } from "../errors.ts";
import { epochMsOf, instantOf, type Instant } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import type { HistoryImport } from "../store/events/historyImportStore.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import type { OpenCallStore } from "../store/shared/openCallStore.ts";
import { MINUTE_MS, SECOND_MS } from "../util/durations.ts";
import { createPacer } from "../util/rates/pacer.ts";
import { createSignal } from "../util/signal.ts";
import { runImport, type ImportRunDeps } from "./importRun.ts";

export interface HistoryImportsDeps extends Omit<ImportRunDeps, "pace" | "openCalls"> {
  openCalls: ImportRunDeps["openCalls"] & Pick<OpenCallStore, "searchState">;
  leases: LeaseStore;
  /** The position up to which the log was purged. */
  purgedThrough: () => Promise<number>;
  /** False: the sandbox, whose calls nobody misses. */
  isRealService: boolean;
  /** Requests to the service in a minute. */
  requestsPerMinute: number;
  retentionMs: number;
  /** `intervalMs` 0: there is no reconciliation. */
  reconcile: { intervalMs: number; lookbackMs: number };
  clock: () => number;
  log: Logger;
  times?: { pollMs: number; retryMs: number };
}

export interface StartRequest {
  since: Instant;
  /** Null: to the end of what may be imported. */
  until: Instant | null;
  /** The viewer's name. */
  actor: string;
}

/** All throw STORE_UNAVAILABLE if the database fails. */
export interface HistoryImports {
  /**
   * Starts an import, unless one runs: `isNew` false, with that one. Its end is at most the time from which on reconciliation finds
   * calls. "empty": nothing between `since` and that end.
   */
  start(request: StartRequest): Promise<{ import: HistoryImport; isNew: boolean } | "empty">;
  /** Ends the running import within a request, and keeps what it has added. The newest import; null: there never was one. */
  cancel(actor: string): Promise<HistoryImport | null>;
  latest(): Promise<HistoryImport | null>;
  /** Whether the log probably lacks calls: it is younger than its retention, no import runs, was complete or added calls, and the
   * service is real. */
  lacksHistory(): Promise<boolean>;
}

const LEASE = "history import";
/** An import that another gateway started, or left when it was killed, is noticed after so long. */
const TIMES = { pollMs: 5 * SECOND_MS, retryMs: 15 * SECOND_MS };
const UNKNOWN_FAULT = "The gateway failed. Its log has the cause.";

/** Disposing it interrupts a running import, which goes on at the next start or on another gateway. */
export function startHistoryImports(deps: HistoryImportsDeps): HistoryImports & AsyncDisposable {
  const { imports, openCalls, leases, requestsPerMinute, retentionMs, reconcile, clock, log, times = TIMES } = deps;
  const perSecond = requestsPerMinute / (MINUTE_MS / SECOND_MS);
  // Without reconciliation nothing else brings the ends of open calls.
  const findOpen = reconcile.intervalMs === 0 ? async () => [] : openCalls.findOpen;
  const run = {
    ...deps,
    openCalls: { ...openCalls, findOpen },
    pace: createPacer({ burst: Math.max(1, perSecond), perSecond }),
  };
  const started = createSignal();
  const listener = started.listen();
  const stopped = new AbortController();

  /** What ended later is reconciliation's: it tells calls as news whose webhooks were lost. */
  async function lastUntil(): Promise<number> {
    if (reconcile.intervalMs === 0) return clock();
    const { searchedThrough } = await openCalls.searchState();
    return Math.min(searchedThrough === null ? clock() : epochMsOf(searchedThrough), clock()) - reconcile.lookbackMs;
  }
  async function goOn(signal: AbortSignal): Promise<void> {
    const running = await imports.running();
    if (running === null) return;
    const { id } = running;
    try {
      if ((await runImport(running, run, signal)) === "left") return;
      await imports.end(id, { state: "DONE", problem: null, at: instantOf(clock()) });
      log.info({}, "the import of earlier calls is complete");
    } catch (err) {
      if (signal.aborted) return;
      const isKnown = err instanceof CodedError;
      const problem = isKnown ? err.message : UNKNOWN_FAULT;
      if (isKnown && err.retryable === true) {
        log.warn({ err }, "the import of earlier calls waits");
        await imports.saveProblem(id, problem);
        return;
      }
      log.error({ err }, "the import of earlier calls has failed");
      await imports.end(id, { state: "FAILED", problem, at: instantOf(clock()) });
    }
  }
  async function work(): Promise<void> {
    while (!stopped.signal.aborted) {
      listener.reset();
      const isRunning = await leases
        .withLease(LEASE, stopped.signal, async (signal) => {
          await goOn(signal);
          return (await imports.running()) !== null;
        })
        .catch((err: unknown) => {
          if (!stopped.signal.aborted) log.warn({ err }, "the import of earlier calls could not go on");
          return null;
        });
      await listener.wait(isRunning?.done ? times.retryMs : times.pollMs);
    }
  }

  const working = work();
  return {
    async start({ since, until, actor }) {
      const last = await lastUntil();
      const end = until === null ? last : Math.min(epochMsOf(until), last);
      const oldest = Math.max(epochMsOf(since), clock() - retentionMs);
      if (epochMsOf(since) >= end) return "empty";
      const asked = { since, until: wholeSecond(end), keptSince: wholeSecond(Math.min(oldest, end)) };
      const made = await imports.start(asked, { actor, at: instantOf(clock()) });
      started.notify();
      if (made) return { import: made, isNew: true };
      const running = await imports.latest();
      if (!running) throw new Error("An import neither starts nor runs.");
      return { import: running, isNew: false };
    },
    async cancel(actor) {
      return imports.cancel({ actor, at: instantOf(clock()) });
    },
    latest: () => imports.latest(),
    lacksHistory: async () => deps.isRealService && (await deps.purgedThrough()) === 0 && !(await imports.hasFilled()),
    async [Symbol.asyncDispose]() {
      stopped.abort();
      listener.close();
      await working;
    },
  };
}

/** The service's times have whole seconds. */
const wholeSecond = (ms: number) => instantOf(Math.floor(ms / SECOND_MS) * SECOND_MS);
