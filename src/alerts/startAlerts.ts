// Evaluates the rules: a durable reader of the log, and a look at open alerts each minute. On many gateways one reads at a time.
import { startDurableReader, type DurableReaderDeps, type DurableReaderTimes } from "../events/durableReader.ts";
import type { EventLog } from "../events/eventLog.ts";
import { epochMsOf } from "../format/instant.ts";
import { ALERTS_READER, endedCalls, isLate, judgeable, type JudgedEntries } from "./judgeCall.ts";
import { placeOf, settledRecordings } from "./judgeRecording.ts";
import { createSettledReader, type SettledReaderDeps } from "./readSettled.ts";
import type { AlertStore } from "../store/alerts/alertStore.ts";
import type { StoredState } from "../store/alerts/alertWrites.ts";
import { MINUTE_MS } from "../util/durations.ts";
import type { Signer } from "../util/hmac.ts";
import type { Signal } from "../util/signal.ts";
import { startRepeating } from "../util/startRepeating.ts";
import type { AlertRule } from "./alertFile.ts";
import { CONDITIONS, judgeConditions, keysOf, type FindConditions } from "./conditions.ts";
import { createJudge } from "./judge.ts";
import type { AlertObserver } from "./alertObserver.ts";

export interface AlertsDeps extends Pick<DurableReaderDeps, "readers" | "leases" | "log"> {
  /** The file's content as of now. */
  rules: () => readonly AlertRule[];
  store: AlertStore;
  signer: Pick<Signer, "digest">;
  /** Epoch milliseconds. */
  clock: () => number;
  /** Notified when people are told of something. */
  told: Signal;
  observer: AlertObserver;
  events: Pick<EventLog, "followBatches" | "oldestCursor" | "refresh" | "markHead" | "newestOf">;
  recordings: SettledReaderDeps["recordings"];
  /** What looks find beside the log. */
  conditions: readonly FindConditions[];
  readerObserver: DurableReaderDeps["observer"];
  times?: AlertTimes | undefined;
}

export interface AlertTimes {
  reader: DurableReaderTimes;
  settleMs: number;
}

/** States are written with each batch. So batches are larger than those of other readers. */
const TIMES: AlertTimes = {
  reader: { leaseRetryMs: 2000, retryDelaysMs: [1000, 2000, 5000, 15_000], saveIntervalMs: 1000, pauseMs: 250 },
  settleMs: MINUTE_MS,
};

/** Rules times entries of one transaction. More would hold the event loop, and the database ends a transaction that waits for two seconds. */
const MAX_PAIRS = 500;

/** Gives the rules their places in the logs, so that they count what is added from then on. Throws STORE_UNAVAILABLE. */
export async function placeAlerts({
  events,
  recordings,
  readers,
}: Pick<AlertsDeps, "events" | "recordings" | "readers">): Promise<void> {
  await readers.begin(ALERTS_READER, events.markHead());
  await readers.begin(settledRecordings.reader, async () => placeOf(await recordings.settledHead()));
}

/** Call `placeAlerts` before. */
export function startAlerts(deps: AlertsDeps): AsyncDisposable {
  const { rules, events, store, signer, clock, told, observer, log, times = TIMES, readerObserver } = deps;
  const judgeNow = <Entry>(of: JudgedEntries<Entry>) => createJudge({ of, rules: rules(), signer, now: clock() });
  const readSettled = createSettledReader(deps);
  const tell = (notices: number) => {
    if (notices > 0) told.notify();
  };
  /** When the last entry that was judged had been received. Null: the reader has no place in the log. */
  let judgedThrough: number | null = null;
  async function followBatches(after: string) {
    const batches = await events.followBatches(after);
    judgedThrough = -Infinity;
    return batches;
  }
  /** In small transactions. */
  async function judgeAll<Entry extends { cursor: string }>(
    of: JudgedEntries<Entry>,
    entries: readonly Entry[],
    signal: AbortSignal,
    onJudged: (some: readonly Entry[]) => void = () => undefined,
  ): Promise<void> {
    const size = Math.max(1, Math.floor(MAX_PAIRS / Math.max(1, rules().length)));
    for (let at = 0; at < entries.length && !signal.aborted; at += size) {
      const some = entries.slice(at, at + size);
      tell(await store.add(of.reader, some, judgeNow(of)));
      onJudged(some);
    }
  }
  async function lookAtCalls(): Promise<void> {
    if (judgedThrough === null) return;
    const [now, through] = [clock(), judgedThrough];
    await events.refresh();
    const head = events.markHead()();
    const settled = store.settle(ALERTS_READER, ({ states, alerts, cursor }) => {
      const isAtHead = (cursor ?? "") >= head;
      return judgeNow(endedCalls).settle({ states, alerts: isAtHead ? alerts : [] }, isAtHead ? now : through);
    });
    tell(await settled);
  }
  async function lookAtRecordings(signal: AbortSignal): Promise<void> {
    const [now, isAsked] = [clock(), rules().some(settledRecordings.isFor)];
    await readSettled(isAsked, (entries) => judgeAll(settledRecordings, entries, signal), signal);
    if (!isAsked || signal.aborted) return;
    const judge = judgeNow(settledRecordings);
    tell(await store.settle(settledRecordings.reader, ({ states }) => judge.settle({ states, alerts: [] }, now)));
  }
  const conditionLooks = deps.conditions.map((find) => async (signal: AbortSignal): Promise<void> => {
    const found = await find(rules(), signal);
    if (signal.aborted) return;
    const judge = (states: readonly StoredState[]) => judgeConditions(found, states, clock());
    tell(await store.settle(CONDITIONS, ({ states }) => judge(states), keysOf(found)));
  });
  /** Each on its own: a look that fails, or waits for the service, holds up no other. */
  const keepLooking = () => {
    const looks = new AsyncDisposableStack();
    for (const look of [lookAtCalls, lookAtRecordings, ...conditionLooks])
      looks.use(
        startRepeating(async (signal) => {
          await look(signal).catch((err: unknown) => {
            if (!signal.aborted) log.warn({ err }, "open alerts could not be looked at; it is tried again");
          });
          return times.settleMs;
        }),
      );
    return looks;
  };
  return startDurableReader({
    ...deps,
    // Open alerts are looked at within the lease: another gateway may have other rules, and does not know how far the reader is.
    leases: {
      withLease: (name, stopped, work) =>
        deps.leases.withLease(name, stopped, async (signal) => {
          judgedThrough = null;
          await using _ = keepLooking();
          return await work(signal);
        }),
    },
    events: { followBatches, oldestCursor: events.oldestCursor },
    name: ALERTS_READER,
    observer: readerObserver,
    times: times.reader,
    async handle(batch, signal) {
      const late = batch.filter((event) => judgeable(event) && isLate(event)).length;
      if (late > 0) observer.late(late);
      await judgeAll(endedCalls, batch, signal, (some) => {
        judgedThrough = Math.max(judgedThrough ?? -Infinity, ...some.map(({ receivedAt }) => epochMsOf(receivedAt)));
      });
    },
  });
}

/** Without a file there are no rules: ends the alerts that are open, as soon as no gateway reads that still has one. */
export function endAlerts({
  store,
  signer,
  leases,
  clock,
  told,
  log,
  settleMs = TIMES.settleMs,
}: Pick<AlertsDeps, "store" | "signer" | "leases" | "clock" | "told" | "log"> & {
  settleMs?: number;
}): AsyncDisposable {
  async function end(): Promise<void> {
    const now = clock();
    const judge = createJudge({ of: endedCalls, rules: [], signer, now });
    if ((await store.settle(ALERTS_READER, (open) => judge.settle(open, now))) > 0) told.notify();
  }
  return startRepeating(async (signal) => {
    try {
      if ((await store.openCounts()).size > 0) await leases.withLease(`reader ${ALERTS_READER}`, signal, end);
    } catch (err) {
      log.warn({ err }, "alerts without rules could not be ended; it is tried again");
    }
    return settleMs;
  });
}
