// One run of a destination that gets its events one by one: from its cursor on, until it is paused, disabled or replayed, or another
// gateway takes over.
import type { Letter } from "../store/destinations/letterStore.ts";
import { MINUTE_MS } from "../util/durations.ts";
import { createPacer, type Pacer } from "../util/rates/pacer.ts";
import { createSemaphore } from "../util/semaphore.ts";
import { rest } from "../util/startRepeating.ts";
import type { Deliverer, EventReference } from "./deliverer.ts";
import type { Destination } from "./destinationFile.ts";
import { answerOf } from "./keptAnswer.ts";
import { createRunControl, type PlacedState, type Refusal, type RunDeps } from "./runControl.ts";

export interface DeliveryRunDeps extends RunDeps {
  deliverer: Deliverer;
}

/** With `order: free`, so many failures in a row mean that the receiver is away: then events wait in the log. */
const AWAY_AFTER = 5;

/** Resolves when the run is over or the signal aborts. Throws what the log or the database throws. */
export async function runDeliveries(state: PlacedState, deps: DeliveryRunDeps, signal: AbortSignal): Promise<void> {
  const { destination, deliverer, store, observer, times } = deps;
  const { name, maxInFlight } = destination;
  const isStrict = destination.order === "strict";
  const permits = createSemaphore(isStrict ? 1 : maxInFlight);
  const pace = paceOf(destination);
  const control = createRunControl(state, deps, { awayAfter: isStrict ? 1 : AWAY_AFTER, signal });
  const { ended, health, progress, stop } = control;
  // After a replay, or where a gateway died, an event may come that is a letter. Later ones are only those of this run.
  let lastLetter = await store.lastLetter(name);
  /** First attempts that are under way or wait. */
  const running = new Set<Promise<unknown>>();
  /** The one attempt that may be made while the receiver is away. */
  let probing: Promise<void> | null = null;

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
      if (event.seq <= lastLetter) await store.removeLetter(name, event.seq);
    } else await control.leaveOut(event, made.why);
    return true;
  }
  /** A letter says nothing of the receiver: its event may be one that no attempt can deliver. A time that is asked for delays the letter alone. */
  async function noteRefusal(event: EventReference, letter: Letter | null, made: Refusal): Promise<boolean> {
    const answer = control.refused(made, letter === null);
    if (!isStrict || letter) {
      lastLetter = Math.max(lastLetter, event.seq);
      const isKept = await control.keepLetter(event.seq, letter, made, answer);
      // It was erased or purged during the attempt.
      if (!isKept) await control.leaveOut(event, null);
    }
    await control.afterRefusal(made);
    return !isStrict || letter !== null;
  }
  async function sendLetter(letter: Letter): Promise<void> {
    const event = await control.letterEvent(letter);
    if (event) await inTurn(() => attempt(event, letter));
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
  async function take(event: EventReference, finish: () => void): Promise<void> {
    await permits.acquire();
    const delivery = deliver(event, finish)
      .catch(stop)
      .finally(() => {
        permits.release();
        running.delete(delivery);
      });
    running.add(delivery);
  }

  const letters = sendLetters().catch(stop);
  await control.followNew(take).catch(stop);
  await control.end(async () => {
    await letters;
    await Promise.all(running);
  });
}

export function paceOf({ ratePerMinute }: Pick<Destination, "ratePerMinute">): Pacer {
  if (ratePerMinute === undefined) return async () => undefined;
  const perSecond = ratePerMinute / (MINUTE_MS / 1000);
  return createPacer({ burst: Math.max(1, perSecond), perSecond });
}
