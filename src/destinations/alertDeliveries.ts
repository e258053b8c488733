// Tells destinations of alerts: each notice in order, one gateway at a time. A notice that is not taken is sent again until it is three days
// old; meanwhile later ones wait, so that nobody hears of an end before its beginning.
import { epochMsOf, type Instant } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import type { LeaseStore } from "../store/shared/leaseStore.ts";
import type { ReaderStore } from "../store/shared/readerStore.ts";
import type { Signal } from "../util/signal.ts";
import type { Attempt } from "./deliverer.ts";
import type { DestinationObserver } from "./observer.ts";
import { rest } from "./receiverHealth.ts";
import { RETRIES, retryDelayMs, type Retries } from "./retries.ts";

/** A message about an alert. */
export interface AlertNotice {
  /** Its place among all notices. */
  place: number;
  at: Instant;
}

/** A destination that wants alerts. */
export interface AlertReceiver<Notice> {
  name: string;
  /** Changes with the definition. */
  text: string;
  /** Hands a notice over, always with the same id. */
  deliver(notice: Notice, signal: AbortSignal): Promise<Attempt>;
}

export interface AlertDeliveriesDeps<Notice extends AlertNotice> {
  /** As of now, and what tells of changes. */
  receivers: { current(): AlertReceiver<Notice>[]; onChange(listener: () => void): () => void };
  /** Those after a place, in order, and the place of the last one. Both throw STORE_UNAVAILABLE. */
  notices: { after(place: number): Promise<readonly Notice[]>; head(): Promise<number> };
  /** Notified when there may be another one. */
  told: Signal;
  /** Keep the place of each destination. A new one begins with what is told from then on. */
  readers: Pick<ReaderStore, "readCursor" | "advance">;
  leases: LeaseStore;
  clock: () => number;
  observer: Pick<DestinationObserver, "attempted" | "lost">;
  log: Logger;
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
const DIGITS = 15;

/** The name of a destination's place among readers. */
export const alertReaderOf = (destination: string): string => `alerts to ${destination}`;

/** Disposing it ends what is under way at once; it is sent again at the next start. */
export function startAlertDeliveries<Notice extends AlertNotice>(deps: AlertDeliveriesDeps<Notice>): AsyncDisposable {
  const { receivers } = deps;
  const running = new Map<string, { text: string; keeper: AsyncDisposable }>();
  let following = Promise.resolve();
  let isStopped = false;

  async function follow(): Promise<void> {
    const wanted = new Map(receivers.current().map((each) => [each.name, each]));
    for (const [name, { text, keeper }] of running)
      if (wanted.get(name)?.text !== text) {
        await keeper[Symbol.asyncDispose]();
        running.delete(name);
      }
    for (const [name, receiver] of wanted)
      if (!isStopped && !running.has(name)) running.set(name, { text: receiver.text, keeper: keep(receiver, deps) });
  }
  const followLater = () => void (following = following.then(follow));
  const stopListening = receivers.onChange(followLater);
  followLater();
  return {
    async [Symbol.asyncDispose]() {
      isStopped = true;
      stopListening();
      await following;
      await Promise.all(Array.from(running.values(), ({ keeper }) => keeper[Symbol.asyncDispose]()));
    },
  };
}

function keep<Notice extends AlertNotice>(
  receiver: AlertReceiver<Notice>,
  {
    notices,
    told,
    readers,
    leases,
    clock,
    observer,
    log,
    retries = RETRIES,
    times = TIMES,
  }: AlertDeliveriesDeps<Notice>,
): AsyncDisposable {
  const { name } = receiver;
  const reader = alertReaderOf(name);
  const stopped = new AbortController();

  /** Resolves when nothing more is to be done for the notice. */
  async function deliver(notice: Notice, signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted; failures += 1) {
      const made = await receiver.deliver(notice, signal);
      observer.attempted(name, made.outcome === "taken" ? "delivered" : "failed");
      if (made.outcome === "taken") return;
      const status = "status" in made ? made.status : null;
      if (failures === 1) log.warn({ destination: name, status }, "a destination does not take an alert");
      if (made.outcome !== "failed" || clock() - epochMsOf(notice.at) >= retries.forMs) {
        observer.lost(name, "expired", 1);
        log.error({ destination: name, status }, "a destination does not get an alert any more");
        return;
      }
      await rest(retryDelayMs(retries, failures, made.retryAfterMs), signal);
    }
  }
  async function work(signal: AbortSignal): Promise<void> {
    const known = await readers.readCursor(reader);
    let place = known === null ? await notices.head() : Number(known);
    if (known === null) await readers.advance(reader, textOf(place));
    async function deliverAll(found: readonly Notice[]): Promise<void> {
      for (const notice of found) {
        await deliver(notice, signal);
        if (signal.aborted) return;
        ({ place } = notice);
        await readers.advance(reader, textOf(place));
      }
    }
    const listener = told.listen();
    const leave = () => listener.close();
    signal.addEventListener("abort", leave, { once: true });
    if (signal.aborted) leave();
    try {
      while (!signal.aborted) {
        listener.reset();
        const found = await notices.after(place);
        await deliverAll(found);
        if (found.length === 0) await listener.wait(times.pollMs);
      }
    } finally {
      listener.close();
    }
  }
  async function holdLease(): Promise<void> {
    while (!stopped.signal.aborted) {
      await leases.withLease(reader, stopped.signal, work).catch((err: unknown) => {
        if (!stopped.signal.aborted)
          log.warn({ destination: name, err }, "the delivery of alerts was interrupted; it goes on");
      });
      await rest(times.leaseMs, stopped.signal);
    }
  }
  const held = holdLease();
  return {
    async [Symbol.asyncDispose]() {
      stopped.abort();
      await held;
    },
  };
}

/** Places are compared as texts. */
const textOf = (place: number) => String(place).padStart(DIGITS, "0");
