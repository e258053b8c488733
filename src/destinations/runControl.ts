// What each kind of run shares: how far it is, how its receiver fares, and how it ends.
import { CodedError } from "../errors.ts";
import { matchesFilter, type CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog } from "../events/eventLog.ts";
import { epochMsOf } from "../format/instant.ts";
import { ownNumber, type Logger } from "../logger.ts";
import type { Answer } from "../store/destinations/lastAnswer.ts";
import type { DestinationState, DestinationStore, DisabledReason } from "../store/destinations/destinationStore.ts";
import type { Letter } from "../store/destinations/letterStore.ts";
import type { Attempt, EventReference } from "./deliverer.ts";
import type { Destination } from "./destinationFile.ts";
import { referenceTo, type EventAt } from "./eventFinder.ts";
import { answerOf, type AnswerDeps } from "./keptAnswer.ts";
import { createLosses } from "./losses.ts";
import type { DestinationObserver } from "./observer.ts";
import { createProgress, type ProgressTracker } from "./progress.ts";
import { createReceiverHealth, type ReceiverHealth } from "./receiverHealth.ts";
import { isOver, retryDelayMs, type Retries } from "./retries.ts";

export interface RunDeps extends AnswerDeps {
  destination: Destination;
  events: Pick<EventLog, "follow" | "checkRetained" | "byRevision">;
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

/** The state of a destination that gets calls. */
export type PlacedState = DestinationState & { cursor: string };

export interface RunTimes {
  /** Progress is stored at most this often. */
  saveMs: number;
  /** How often it looks for letters whose time has come. */
  lettersMs: number;
  /** How often it looks for hours that are over. */
  hoursMs: number;
  /** So long after its beginning an hour is over: its end, and a while for events that come late. */
  hourEndMs: number;
}

export type Refusal = Extract<Attempt, { outcome: "failed" | "gone" }>;

export interface RunControl {
  /** Aborts when the run is over, or when the caller ends it. */
  ended: AbortSignal;
  health: ReceiverHealth;
  progress: ProgressTracker;
  /** Ends the run, which then throws the error. */
  stop(error: unknown): void;
  /** Stores how far it is, now. */
  save(): Promise<void>;
  /** Notes a refusal. `isFirst`: it tells of the receiver; a repeat tells only of its event. */
  refused(made: Refusal, isFirst: boolean): Answer;
  /** Stores a refusal that was noted, and disables the destination if it is time. */
  afterRefusal(made: Refusal): Promise<void>;
  /** Keeps an event as a letter that was refused, or notes a further attempt. False: the event is not in the log any more. */
  keepLetter(seq: number, letter: Letter | null, made: Refusal, answer: Answer): Promise<boolean>;
  /** Notes that an event has nothing left to send, and removes its letter if there is one. */
  leaveOut(event: Pick<EventReference, "seq" | "importedEnd">, why: string | null): Promise<void>;
  /** The event of a letter. Null: nothing is to be sent of it any more, and the letter is removed. */
  letterEvent(letter: Letter): Promise<EventReference | null>;
  /** Calls back with each new event in order, and with what is to be called once when it is done. Resolves when the run is over. */
  followNew(take: (event: EventReference, finish: () => void) => Promise<void>): Promise<void>;
  /** Ends the run, waits for the work and stores the progress. Throws what stopped it. */
  end(work: () => Promise<unknown>): Promise<void>;
}

const OF_RECEIVER = { isOwn: false, retryAfterMs: null };

/** `awayAfter`: so many failures in a row mean that the receiver is away. */
export function createRunControl(
  state: PlacedState,
  deps: RunDeps,
  { awayAfter, signal }: { awayAfter: number; signal: AbortSignal },
): RunControl {
  const { destination, events, eventAt, positionOf, store, observer, clock, log, retries, times } = deps;
  const { name } = destination;
  const { run } = state;
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  const health = createReceiverHealth(state, { retries, awayAfter });
  const losses = createLosses(name, deps);
  const filter = destination.imported ? destination.filter : { ...destination.filter, imported: false as const };
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
  async function noteGap(after: string, cursor: string): Promise<void> {
    // A new destination that begins with the oldest event misses none that was purged before.
    if (positionOf(after) === 0) return;
    const isKept = await events.checkRetained(after).then(() => true, isNotExpired);
    losses.range(positionOf(after), positionOf(cursor), isKept ? "damaged" : "expired");
  }
  /** Whether a new follower would get it. */
  async function isWanted(event: CallEndedEvent): Promise<boolean> {
    if (!matchesFilter(event, filter)) return false;
    for (let earlier = event.revision - 1; earlier > 0 && !destination.revisions; earlier -= 1) {
      const before = await events.byRevision(event.sessionId, earlier).catch(nullIfDamaged);
      if (before && matchesFilter(before, filter)) return false;
    }
    return true;
  }
  function skip(): void {
    progress.skipped();
    observer.attempted(name, "skipped");
  }
  const leaveOut: RunControl["leaveOut"] = async ({ seq, importedEnd }, why) => {
    const found = await eventAt(seq);
    // An erasure takes the letters of its events. Of an imported call that expired, the log keeps no trace either.
    const isExpired =
      (await store.removeLetter(name, seq)) ||
      (importedEnd !== null && clock() - epochMsOf(importedEnd) > deps.retentionMs);
    const reason = typeof found !== "string" ? (why === null ? "damaged" : "expired") : found;
    losses.event(seq, reason === "erased" && isExpired ? "expired" : reason, why);
    skip();
  };
  return {
    ended,
    health,
    progress,
    stop,
    save,
    refused(made, isFirst) {
      const answer = answerOf(made, deps);
      const { isOwn, retryAfterMs } = made.outcome === "failed" ? made : OF_RECEIVER;
      observer.attempted(name, "failed");
      if (isOwn) log.warn({ destination: name, why: answer.text }, "an event for a destination cannot be read now");
      if (!isFirst) return answer;
      if (isOwn) health.hindered(retryAfterMs);
      else if (health.failed(answer.at, retryAfterMs))
        log.warn({ destination: name, status: answer.status }, "a destination does not take events");
      progress.answered(answer);
      return answer;
    },
    async afterRefusal(made) {
      await save();
      if (made.outcome === "gone") await disable("GONE");
      else if (health.isHopeless()) await disable("FAILING");
    },
    keepLetter(seq, letter, made, answer) {
      const { isOwn, retryAfterMs } = made.outcome === "failed" ? made : OF_RECEIVER;
      const attempts = (letter?.attempts ?? 0) + 1;
      const isDead =
        !isOwn && isOver(retries, attempts, epochMsOf(answer.at) - epochMsOf(letter?.firstAt ?? answer.at));
      const waitMs = isDead ? null : retryDelayMs(retries, attempts, retryAfterMs);
      return store.keepLetter(name, seq, { answer, waitMs });
    },
    leaveOut,
    async letterEvent({ seq }) {
      const found = await eventAt(seq);
      if (typeof found === "string") {
        await leaveOut({ seq, importedEnd: null }, null);
        return null;
      }
      if (await isWanted(found)) return referenceTo(found, seq);
      // The definition was another one when the event came: https://github.com/polarsource/polar/pull/6706
      await store.removeLetter(name, seq);
      log.info(
        { destination: name, seq: ownNumber(seq) },
        "the definition of a destination leaves an event out by now",
      );
      skip();
      return null;
    },
    async followNew(take) {
      const { revisions } = destination;
      const items = await events.follow({ after: state.cursor, filter, revisions });
      const leave = () => void items.return?.();
      ended.addEventListener("abort", leave, { once: true });
      if (ended.aborted) leave();
      for await (const item of items) {
        if (ended.aborted) return;
        if (item.kind === "gap") await noteGap(item.after, item.cursor);
        const finish = progress.begin(item.kind === "event" ? item.event.cursor : item.cursor);
        if (item.kind === "event") await take(referenceTo(item.event, positionOf(item.event.cursor)), finish);
        else finish();
      }
    },
    async end(work) {
      over.abort();
      await work();
      await save().catch((error: unknown) => (crash ??= { error }));
      if (crash) throw crash.error;
    },
  };
}

const isNotExpired = (error: unknown) => (error as { code?: unknown }).code !== "CURSOR_EXPIRED";

function nullIfDamaged(error: unknown): null {
  if (error instanceof CodedError && error.cursor !== undefined) return null;
  throw error;
}
