// One run of a destination: from its cursor on, until it is paused, disabled or replayed, or another gateway takes over.
import { setTimeout as pause } from "node:timers/promises";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import { epochMsOf } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import type { Answer } from "../store/destinations/lastAnswer.ts";
import type { DestinationState, DestinationStore, DisabledReason } from "../store/destinations/destinationStore.ts";
import type { Letter } from "../store/destinations/letterStore.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { createPacer } from "../util/rates/pacer.ts";
import { createSemaphore } from "../util/semaphore.ts";
import type { Attempt, Deliverer, EventReference } from "./deliverer.ts";
import type { Destination } from "./destinationFile.ts";
import type { EventAt } from "./eventFinder.ts";
import { answerOf, type AnswerDeps } from "./keptAnswer.ts";
import type { DestinationObserver } from "./observer.ts";
import { createProgress } from "./progress.ts";
import { retryDelayMs, type Retries } from "./retries.ts";

export interface DeliveryRunDeps extends AnswerDeps {
  destination: Destination;
  deliverer: Deliverer;
  events: Pick<EventLog, "follow">;
  eventAt: EventAt;
  positionOf: (cursor: string) => number;
  store: DestinationStore;
  observer: Pick<DestinationObserver, "attempted">;
  log: Logger;
  retries: Retries;
  times: RunTimes;
}

export interface RunTimes {
  /** Progress is stored at most this often. */
  saveMs: number;
  /** How often it looks for letters whose time has come. */
  lettersMs: number;
}

/** With `order: free`, so many failures in a row mean that the receiver is away: then events wait in the log. */
const AWAY_AFTER = 5;

/** Resolves when the run is over or the signal aborts. Throws what the log or the database throws. */
export async function runDeliveries(
  state: DestinationState,
  deps: DeliveryRunDeps,
  signal: AbortSignal,
): Promise<void> {
  const { destination, deliverer, events, eventAt, positionOf, store, observer, clock, log } = deps;
  const { retries, times } = deps;
  const { name, order, maxInFlight, ratePerMinute } = destination;
  const { run } = state;
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  const permits = createSemaphore(order === "strict" ? 1 : maxInFlight);
  const perSecond = ratePerMinute === undefined ? null : ratePerMinute / (MINUTE_MS / 1000);
  const pace = perSecond === null ? async () => undefined : createPacer({ burst: Math.max(1, perSecond), perSecond });
  let crash: { error: unknown } | null = null;
  let { failures, failingSince } = state;
  let readyAt = performance.now() + state.waitMs;
  let saving: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const progress = createProgress(state.cursor, () => {
    saving ??= setTimeout(() => void save().catch(stop), times.saveMs).unref();
  });

  function stop(error: unknown): void {
    if (!ended.aborted) crash ??= { error };
    over.abort();
  }
  /** One after the other, so that the end of the run waits for what is being stored. */
  function save(): Promise<void> {
    clearTimeout(saving);
    saving = undefined;
    return (writing = writing.then(async () => {
      const reached = progress.take();
      if (reached && !(await store.advance(name, run, reached))) over.abort();
    }));
  }
  async function disable(reason: DisabledReason): Promise<void> {
    await save();
    if (await store.disable(name, run, reason)) log.error({ destination: name, reason }, "a destination was disabled");
    over.abort();
  }
  async function attempt(event: EventReference): Promise<Attempt> {
    await pace(ended);
    const made = await deliverer.deliver(event, ended);
    if (made.outcome === "taken") {
      [failures, failingSince] = [0, null];
      progress.delivered(answerOf(made, deps));
      observer.attempted(name, "delivered");
    } else if (made.outcome === "missing") {
      progress.skipped();
      observer.attempted(name, "skipped");
    } else observer.attempted(name, "failed");
    return made;
  }
  /** Notes a failure of the destination, and says until when nothing else is sent. */
  async function noteFailure(answer: Answer, waitMs: number): Promise<void> {
    failures += 1;
    failingSince ??= answer.at;
    readyAt = performance.now() + waitMs;
    await save();
    if (!(await store.fail(name, run, { answer, waitMs }))) return over.abort();
    if (failures === 1) log.warn({ destination: name, status: answer.status }, "a destination does not take events");
    if (clock() - epochMsOf(failingSince) >= retries.forMs) await disable("FAILING");
  }
  async function ready(): Promise<void> {
    for (let left = readyAt - performance.now(); left > 0 && !ended.aborted; left = readyAt - performance.now())
      await rest(left, ended);
  }

  /** False: it was not delivered before the run was over. */
  async function deliverInOrder(event: EventReference): Promise<boolean> {
    while (!ended.aborted) {
      await ready();
      if (ended.aborted) return false;
      const made = await attempt(event);
      if (made.outcome === "taken" || made.outcome === "missing") return true;
      if (made.outcome === "gone") {
        await noteFailure(answerOf(made, deps), 0);
        await disable("GONE");
      } else await noteFailure(answerOf(made, deps), retryDelayMs(retries, failures + 1, made.retryAfterMs));
    }
    return false;
  }
  async function deliverOrKeep(event: EventReference, letter: Letter | null): Promise<true> {
    const made = await attempt(event);
    if (made.outcome === "taken" || made.outcome === "missing") {
      if (letter) await store.removeLetter(name, event.seq);
      return true;
    }
    const answer = answerOf(made, deps);
    const attempts = (letter?.attempts ?? 0) + 1;
    const isDead = clock() - epochMsOf(letter?.firstAt ?? answer.at) >= retries.forMs;
    const retryAfterMs = made.outcome === "failed" ? made.retryAfterMs : null;
    const waitMs = isDead ? null : retryDelayMs(retries, attempts, retryAfterMs);
    await store.keepLetter(name, event.seq, { answer, waitMs });
    const away = failures + 1 - AWAY_AFTER;
    await noteFailure(answer, away >= 0 ? retryDelayMs(retries, away + 1, retryAfterMs) : (retryAfterMs ?? 0));
    if (made.outcome === "gone") await disable("GONE");
    return true;
  }

  async function sendLetters(): Promise<void> {
    while (!ended.aborted) {
      await rest(times.lettersMs, ended);
      await ready();
      if (ended.aborted) return;
      for (const letter of await store.dueLetters(name, maxInFlight)) {
        if (ended.aborted || readyAt > performance.now()) break;
        const event = await eventAt(letter.seq);
        if (event === null) await store.removeLetter(name, letter.seq);
        else await permits.run(() => deliverOrKeep(referenceTo(event, letter.seq), letter));
      }
    }
  }
  async function sendNew(): Promise<void> {
    const { filter, revisions, imported } = destination;
    const own = imported ? filter : { ...filter, imported: false as const };
    const items = await events.follow({ after: state.cursor, filter: own, revisions });
    const leave = () => void items.return?.();
    ended.addEventListener("abort", leave, { once: true });
    if (ended.aborted) leave();
    for await (const item of items) {
      if (ended.aborted) return;
      if (item.kind === "gap")
        log.error({ destination: name }, "events were purged or damaged before a destination received them");
      if (item.kind !== "event") {
        progress.begin(item.cursor)();
        continue;
      }
      const { cursor } = item.event;
      const event = referenceTo(item.event, positionOf(cursor));
      const finish = progress.begin(cursor);
      const isAlone = order === "strict" || failures >= AWAY_AFTER;
      await ready();
      await permits.acquire();
      if (ended.aborted) return permits.release();
      const delivery = (order === "strict" ? deliverInOrder(event) : deliverOrKeep(event, null))
        .then((isHandled) => isHandled && finish(), stop)
        .finally(() => {
          permits.release();
          running.delete(delivery);
        });
      running.add(delivery);
      if (isAlone) await delivery;
    }
  }

  const running = new Set<Promise<unknown>>();
  const letters = sendLetters().catch(stop);
  await sendNew().catch(stop);
  over.abort();
  await letters;
  await Promise.all(running);
  await save().catch((error: unknown) => (crash ??= { error }));
  if (crash) throw (crash as { error: unknown }).error;
}

function referenceTo({ sessionId, revision, receivedAt }: CallEndedEvent, seq: number): EventReference {
  return { sessionId, revision, receivedAt, seq };
}

/** Ends early when the signal aborts. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pause(Math.min(ms, MAX_TIMER_MS), undefined, { signal }).catch(() => undefined);
}

/** setTimeout ends at once where it is asked for more. */
const MAX_TIMER_MS = 2 ** 31 - 1;
