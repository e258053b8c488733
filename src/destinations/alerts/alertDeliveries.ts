// Tells destinations of alerts, one gateway at a time. A notice that is not taken is sent again for two hours. Meanwhile only the end of the same
// alert waits, so that nobody hears of an end before its beginning.
import type { AlertStore } from "../../store/alerts/alertStore.ts";
import { keepLease } from "../../store/shared/keepLease.ts";
import type { LeaseStore } from "../../store/shared/leaseStore.ts";
import type { ReaderStore } from "../../store/shared/readerStore.ts";
import type { Signal } from "../../util/signal.ts";
import { createAlertHealth, type AlertHealthDeps } from "./alertHealth.ts";
import { createAlertQueue, type Waiting } from "./alertQueue.ts";
import type { Attempt } from "../deliverer.ts";
import { keepEach, type ChangingList } from "../keepEach.ts";
import { alertReaderOf, placeAmongNotices, placeText } from "../firstPlaces.ts";
import type { DestinationObserver } from "../observer.ts";
import { ALERT_RETRIES, retryDelayMs, type Retries } from "../retries.ts";

/** A message about an alert. */
export interface AlertNotice {
  /** Its place among all notices. */
  place: number;
  /** The alert that it is about. */
  alert: number;
  /** The destination that the alert is about. Null: it is about something else. */
  destination: string | null;
}

/** A destination that wants alerts. */
export interface AlertReceiver<Notice> {
  name: string;
  /** Changes with the definition. */
  text: string;
  /** False: it gets nothing but alerts, so that its state is theirs. */
  getsCalls: boolean;
  /** Hands a notice over, always with the same id. */
  deliver(notice: Notice, signal: AbortSignal): Promise<Attempt>;
}

export interface AlertDeliveriesDeps<Notice extends AlertNotice> extends AlertHealthDeps {
  /** As of now, and what tells of changes. */
  receivers: ChangingList<AlertReceiver<Notice>>;
  /** Those after a place, in order, and the place of the last one. Both throw STORE_UNAVAILABLE. */
  notices: { after(place: number): Promise<readonly Notice[]>; head(): Promise<number> };
  /** Notified when there may be another one. */
  told: Signal;
  /** Keep the place of each destination. */
  readers: Pick<ReaderStore, "begin" | "advance">;
  leases: LeaseStore;
  observer: Pick<DestinationObserver, "attempted" | "lost">;
  retries?: Retries;
  times?: AlertDeliveryTimes;
}

export interface AlertDeliveryTimes {
  /** How often it looks for notices without being told. */
  pollMs: number;
  /** How often it asks for the lease that another gateway has, and after the database failed. */
  leaseMs: number;
}

const TIMES: AlertDeliveryTimes = { pollMs: 5000, leaseMs: 5000 };
/** No more notices of a destination wait in memory: the others stay in the database. */
const MAX_WAITING = 100;
/** A refusal that a repeat seldom changes, such as a wrong address, is tried only so often. */
const MAX_REFUSALS = 5;
const PASSING = [408, 425, 429];

const isRefusal = (status: number | null) =>
  status !== null && status >= 400 && status < 500 && !PASSING.includes(status);

/** Disposing it ends what is under way at once; it is sent again at the next start. */
export function startAlertDeliveries<Notice extends AlertNotice>(deps: AlertDeliveriesDeps<Notice>): AsyncDisposable {
  return keepEach(deps.receivers, {
    textOf: ({ text }) => text,
    start: (receiver) => keep(receiver, deps),
    ended: () => undefined,
  });
}

function keep<Notice extends AlertNotice>(
  receiver: AlertReceiver<Notice>,
  {
    notices,
    told,
    readers,
    leases,
    observer,
    log,
    retries = ALERT_RETRIES,
    times = TIMES,
    ...own
  }: AlertDeliveriesDeps<Notice>,
): AsyncDisposable {
  const { name } = receiver;
  const reader = alertReaderOf(name);

  /** True: nothing more is to be done for the notice. */
  function isDone(waiting: Waiting<Notice>, made: Attempt, triedAt: number): boolean {
    if (made.outcome === "taken") return true;
    waiting.failures += 1;
    const status = "status" in made ? made.status : null;
    if (waiting.failures === 1) log.warn({ destination: name, status }, "a destination does not take an alert");
    const retryAfterMs = made.outcome === "failed" ? made.retryAfterMs : null;
    waiting.dueAt = performance.now() + retryDelayMs(retries, waiting.failures, retryAfterMs);
    // It is disabled, and its alerts wait.
    if (made.outcome === "gone") return false;
    const isRefused = isRefusal(status) && waiting.failures >= MAX_REFUSALS;
    if (made.outcome === "failed" && !isRefused && performance.now() - triedAt < retries.forMs) return false;
    observer.lost(name, "expired", 1);
    log.error({ destination: name, status }, "a destination does not get an alert any more");
    return true;
  }
  async function work(signal: AbortSignal): Promise<void> {
    const begin = await placeAmongNotices(name, { readers, head: notices.head });
    const queue = createAlertQueue<Notice>(begin);
    const health = createAlertHealth(receiver, { ...own, log });
    let read = begin;
    async function readMore(): Promise<void> {
      if (queue.size() >= MAX_WAITING) return;
      const found = await notices.after(read);
      queue.add(found);
      read = found.at(-1)?.place ?? read;
    }
    /** Resolves with the milliseconds until there may be something to do. */
    async function sendNext(): Promise<number> {
      const { heldMs, isNew } = await health.look();
      if (isNew) queue.renew();
      const next = queue.next();
      if (next === null) return times.pollMs;
      const waitMs = Math.max(heldMs, next.dueAt - performance.now());
      if (waitMs > 0) return Math.min(waitMs, times.pollMs);
      next.triedAt ??= performance.now();
      const made = await receiver.deliver(next.notice, signal);
      observer.attempted(name, made.outcome === "taken" ? "delivered" : "failed");
      if (signal.aborted && made.outcome !== "taken") return 0;
      const before = queue.through();
      if (isDone(next, made, next.triedAt)) queue.remove(next);
      if (queue.through() > before) await readers.advance(reader, placeText(queue.through()));
      await health.note(made, { isOver: queue.size() === 0, isOwn: next.notice.destination === name });
      return 0;
    }
    const listener = told.listen();
    const leave = () => listener.close();
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    try {
      while (!signal.aborted) {
        listener.reset();
        await readMore();
        const waitMs = await sendNext();
        if (waitMs > 0) await listener.wait(waitMs);
      }
    } finally {
      listener.close();
    }
  }
  return keepLease(leases, {
    name: reader,
    work,
    pauseMs: times.leaseMs,
    failed: (err) => log.warn({ destination: name, err }, "the delivery of alerts was interrupted; it goes on"),
  });
}

export interface WaitingAlertsDeps {
  readers: Pick<ReaderStore, "cursors">;
  alerts: Pick<AlertStore, "noticesLeft">;
}

/** By the names of destinations that get alerts. One that has not begun waits for none. Throws STORE_UNAVAILABLE. */
export async function readWaitingAlerts(
  names: readonly string[],
  { readers, alerts }: WaitingAlertsDeps,
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map();
  const cursors = await readers.cursors();
  const counts = names.map(async (name) => {
    const place = cursors.get(alertReaderOf(name));
    return [name, place === undefined ? 0 : await alerts.noticesLeft(Number(place))] as const;
  });
  return new Map(await Promise.all(counts));
}
