// One run of a destination: from its cursor on, until it is paused, disabled or replayed, or another gateway takes over.
import type { EventLog } from "../events/eventLog.ts";
import { epochMsOf } from "../format/instant.ts";
import type { Logger } from "../logger.ts";
import type { Answer } from "../store/destinations/lastAnswer.ts";
import type { DestinationState, DestinationStore, DisabledReason } from "../store/destinations/destinationStore.ts";
import type { Letter } from "../store/destinations/letterStore.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { createPacer, type Pacer } from "../util/rates/pacer.ts";
import { createSemaphore } from "../util/semaphore.ts";
import type { Attempt, Deliverer, EventReference } from "./deliverer.ts";
import type { Destination } from "./destinationFile.ts";
import { referenceTo, type EventAt } from "./eventFinder.ts";
import { answerOf, type AnswerDeps } from "./keptAnswer.ts";
import { createLosses } from "./losses.ts";
import type { DestinationObserver } from "./observer.ts";
import { createProgress } from "./progress.ts";
import { createReceiverHealth, rest } from "./receiverHealth.ts";
import { retryDelayMs, type Retries } from "./retries.ts";

export interface DeliveryRunDeps extends AnswerDeps {
  destination: Destination;
  deliverer: Deliverer;
  events: Pick<EventLog, "follow" | "checkRetained">;
  eventAt: EventAt;
  positionOf: (cursor: string) => number;
  store: DestinationStore;
  observer: Pick<DestinationObserver, "attempted" | "lost">;
  log: Logger;
  retries: Retries;
  times: RunTimes;
  /** After so long the log drops an event. */
  retentionMs: number;
}

export interface RunTimes {
  /** Progress is stored at most this often. */
  saveMs: number;
  /** How often it looks for letters whose time has come. */
  lettersMs: number;
}

/** With `order: free`, so many failures in a row mean that the receiver is away: then events wait in the log. */
const AWAY_AFTER = 5;

type Refusal = Extract<Attempt, { outcome: "failed" | "gone" }>;

/** Resolves when the run is over or the signal aborts. Throws what the log or the database throws. */
export async function runDeliveries(
  state: DestinationState,
  deps: DeliveryRunDeps,
  signal: AbortSignal,
): Promise<void> {
  const { destination, deliverer, events, eventAt, positionOf, store, observer, clock, log, retries, times } = deps;
  const { name, maxInFlight } = destination;
  const { run } = state;
  const isStrict = destination.order === "strict";
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  const permits = createSemaphore(isStrict ? 1 : maxInFlight);
  const pace = paceOf(destination);
  const health = createReceiverHealth(state, { retries, awayAfter: isStrict ? 1 : AWAY_AFTER });
  const losses = createLosses(name, deps);
  // After a replay, or where a gateway died, an event may come that is a letter. Later ones are only those of this run.
  let lastLetter = await store.lastLetter(name);
  /** First attempts that are under way or wait. */
  const running = new Set<Promise<unknown>>();
  /** The one attempt that may be made while the receiver is away. */
  let probing: Promise<void> | null = null;
  let crash: { error: unknown } | null = null;
  let saving: NodeJS.Timeout | undefined;
  let saved: Promise<void> = Promise.resolve();
  const progress = createProgress(state.cursor, () => {
    saving ??= setTimeout(() => void save().catch(stop), times.saveMs).unref();
  });

  function stop(error: unknown): void {
    if (!ended.aborted) crash ??= { error };
    over.abort();
  }
  /** One after the other: what is stored last is the newest, and the end of the run waits for what is being stored. */
  function save(): Promise<void> {
    clearTimeout(saving);
    saving = undefined;
    return (saved = saved.then(async () => {
      const reached = progress.take();
      if (reached && !(await store.advance(name, run, { ...reached, ...health.kept() }))) over.abort();
    }));
  }
  async function disable(reason: DisabledReason): Promise<void> {
    await save();
    if (await store.disable(name, run, reason)) log.error({ destination: name, reason }, "a destination was disabled");
    over.abort();
  }

  /** Makes an attempt when the receiver may get something: one at a time while it is away. False: the run is over. */
  async function inTurn(attempt: () => Promise<boolean>): Promise<boolean> {
    while (!ended.aborted) {
      await health.ready(ended);
      if (probing) {
        await probing;
        continue;
      }
      await pace(ended);
      // Meanwhile the receiver may have asked for time, or be away.
      if (ended.aborted || probing || !health.isReady()) continue;
      const made = attempt();
      if (!health.isAway()) return made;
      probing = made.then(
        () => void (probing = null),
        () => void (probing = null),
      );
      return made;
    }
    return false;
  }
  /** False: the event is to be sent again, before any other. */
  async function attempt(event: EventReference, letter: Letter | null): Promise<boolean> {
    const made = await deliverer.deliver(event, ended);
    if (made.outcome === "failed" || made.outcome === "gone") return noteRefusal(event, letter, made);
    if (made.outcome === "taken") {
      health.succeeded();
      progress.delivered(answerOf(made, deps));
      observer.attempted(name, "delivered");
    } else await leaveOut(event, made.why);
    await removeLetter(event.seq);
    return true;
  }
  const removeLetter = async (seq: number) => seq <= lastLetter && (await store.removeLetter(name, seq));
  async function leaveOut(
    { seq, importedEnd }: Pick<EventReference, "seq" | "importedEnd">,
    why: string | null,
  ): Promise<void> {
    const found = await eventAt(seq);
    // An erasure takes the letters of its events. Of an imported call that expired, the log keeps no trace either.
    const isExpired =
      (await removeLetter(seq)) || (importedEnd !== null && clock() - epochMsOf(importedEnd) > deps.retentionMs);
    const reason = typeof found !== "string" ? (why === null ? "damaged" : "expired") : found;
    losses.event(seq, reason === "erased" && isExpired ? "expired" : reason, why);
    progress.skipped();
    observer.attempted(name, "skipped");
  }
  /** A letter says nothing of the receiver: its event may be one that no attempt can deliver. A time that is asked for delays the letter alone. */
  async function noteRefusal(event: EventReference, letter: Letter | null, made: Refusal): Promise<boolean> {
    const answer = answerOf(made, deps);
    const { isOwn, retryAfterMs } = made.outcome === "failed" ? made : { isOwn: false, retryAfterMs: null };
    observer.attempted(name, "failed");
    if (isOwn) log.warn({ destination: name, why: answer.text }, "an event for a destination cannot be read now");
    if (!letter) {
      if (isOwn) health.hindered(retryAfterMs);
      else if (health.failed(answer.at, retryAfterMs))
        log.warn({ destination: name, status: answer.status }, "a destination does not take events");
      progress.answered(answer);
    }
    if (!isStrict || letter) {
      const isKept = await keepLetter(event.seq, letter, { answer, isOwn, retryAfterMs });
      // It was erased or purged during the attempt.
      if (!isKept) await leaveOut(event, null);
    }
    await save();
    if (made.outcome === "gone") await disable("GONE");
    else if (health.isHopeless(clock())) await disable("FAILING");
    return !isStrict || letter !== null;
  }
  async function keepLetter(
    seq: number,
    letter: Letter | null,
    { answer, isOwn, retryAfterMs }: { answer: Answer; isOwn: boolean; retryAfterMs: number | null },
  ): Promise<boolean> {
    const isDead = !isOwn && clock() - epochMsOf(letter?.firstAt ?? answer.at) >= retries.forMs;
    const waitMs = isDead ? null : retryDelayMs(retries, (letter?.attempts ?? 0) + 1, retryAfterMs);
    lastLetter = Math.max(lastLetter, seq);
    return store.keepLetter(name, seq, { answer, waitMs });
  }

  async function sendLetter(letter: Letter): Promise<void> {
    const found = await eventAt(letter.seq);
    if (typeof found !== "string") {
      await inTurn(() => attempt(referenceTo(found, letter.seq), letter));
      return;
    }
    await leaveOut({ seq: letter.seq, importedEnd: null }, null);
  }
  async function sendLetters(): Promise<void> {
    while (!ended.aborted) {
      await rest(times.lettersMs, ended);
      await health.ready(ended);
      // A new event tells whether the receiver is back.
      if (ended.aborted || (health.isAway() && running.size > 0)) continue;
      const due = await store.dueLetters(name, health.isAway() ? 1 : maxInFlight);
      await Promise.all(due.map((letter) => permits.run(() => sendLetter(letter)).catch(stop)));
    }
  }
  async function deliver(event: EventReference, finish: () => void): Promise<void> {
    while (!ended.aborted) if (await inTurn(() => attempt(event, null))) return finish();
  }
  async function noteGap(after: string, cursor: string): Promise<void> {
    // A new destination that begins with the oldest event misses none that was purged before.
    if (positionOf(after) === 0) return;
    const isKept = await events.checkRetained(after).then(() => true, isNotExpired);
    losses.range(positionOf(after), positionOf(cursor), isKept ? "damaged" : "expired");
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
      if (item.kind === "gap") await noteGap(item.after, item.cursor);
      const finish = progress.begin(item.kind === "event" ? item.event.cursor : item.cursor);
      if (item.kind !== "event") {
        finish();
        continue;
      }
      const event = referenceTo(item.event, positionOf(item.event.cursor));
      await permits.acquire();
      const delivery = deliver(event, finish)
        .catch(stop)
        .finally(() => {
          permits.release();
          running.delete(delivery);
        });
      running.add(delivery);
    }
  }

  const letters = sendLetters().catch(stop);
  await sendNew().catch(stop);
  over.abort();
  await letters;
  await Promise.all(running);
  await save().catch((error: unknown) => (crash ??= { error }));
  if (crash) throw (crash as { error: unknown }).error;
}

function paceOf({ ratePerMinute }: Destination): Pacer {
  if (ratePerMinute === undefined) return async () => undefined;
  const perSecond = ratePerMinute / (MINUTE_MS / 1000);
  return createPacer({ burst: Math.max(1, perSecond), perSecond });
}

const isNotExpired = (error: unknown) => (error as { code?: unknown }).code !== "CURSOR_EXPIRED";
