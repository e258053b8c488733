// One run of a destination that gets files: it collects the places of new events by hour, and hands an hour over when it is over. Until then
// the events are in the log alone, so that an erasure reaches them and nothing is lost with a gateway or its disk.
import { rest } from "../../util/startRepeating.ts";
import { epochMsOf } from "../../format/instant.ts";
import type { Answer } from "../../store/destinations/lastAnswer.ts";
import type { Letter } from "../../store/destinations/letterStore.ts";
import type { EventReference, HourAttempt, HourDeliverer, RefusedEvent } from "../deliverer.ts";
import { answerOf } from "../keptAnswer.ts";
import { createRunControl, type PlacedState, type RunDeps } from "../runControl.ts";

export interface HourRunDeps extends RunDeps {
  deliverer: HourDeliverer;
}

interface WaitingEvent {
  event: EventReference;
  finish: () => void;
  /** Null: it is new. */
  letter: Letter | null;
}

interface WaitingHour {
  events: WaitingEvent[];
  /** How many there were when it was looked at last. */
  seen: number;
  /** When the first one came, of `performance.now()`. */
  sinceMs: number;
}

/** So many places are held in memory, of all hours: some megabytes. */
const MAX_WAITING = 20_000;
const HOUR = "2026-11-20T09".length;

/** Resolves when the run is over or the signal aborts. Throws what the log or the database throws. */
export async function runHours(state: PlacedState, deps: HourRunDeps, signal: AbortSignal): Promise<void> {
  const { destination, deliverer, store, observer, clock, times } = deps;
  const { name } = destination;
  const control = createRunControl(state, deps, { awayAfter: 1, signal });
  const { ended, health, progress, stop } = control;
  const hours = new Map<string, WaitingHour>();
  const letters = new Set<number>();
  const isStrict = destination.order === "strict";
  let waiting = 0;

  function add(each: WaitingEvent): void {
    const hour = each.event.receivedAt.slice(0, HOUR);
    const known = hours.get(hour) ?? { events: [], seen: 0, sinceMs: performance.now() };
    known.events.push(each);
    waiting += 1;
    hours.set(hour, known);
  }
  const isFull = () => waiting >= MAX_WAITING;
  async function take(event: EventReference, finish: () => void): Promise<void> {
    while (isFull() && !ended.aborted) await rest(times.hoursMs, ended);
    add({ event, finish, letter: null });
  }
  /** Events that could not be read before, or that a destination of this name did not take when it was of another kind. */
  async function takeLetters(): Promise<void> {
    for (const letter of await store.dueLetters(name, MAX_WAITING)) {
      const { seq } = letter;
      if (letters.has(seq)) continue;
      const event = await control.letterEvent(letter);
      if (!event) continue;
      letters.add(seq);
      add({ event, finish: () => void letters.delete(seq), letter });
    }
  }

  /** The hours to be written now, the first one first: those that are over and get nothing more, or any where too many events wait. */
  function dueHours(): string[] {
    // One that a wrong clock has put into the future does not wait until then.
    const isOver = (hour: string, { sinceMs }: WaitingHour) =>
      epochMsOf(`${hour}:00:00.000Z`) + times.hourEndMs <= clock() || performance.now() - sinceMs >= times.hourEndMs;
    const sorted = [...hours].sort(([one], [other]) => (one < other ? -1 : 1));
    const due = sorted.filter(([hour, each]) => isOver(hour, each) && each.events.length === each.seen);
    for (const [, hour] of sorted) hour.seen = hour.events.length;
    return (due.length === 0 && isFull() ? sorted : due).map(([hour]) => hour);
  }
  async function write(hour: string): Promise<void> {
    let events: readonly WaitingEvent[] = hours.get(hour)?.events ?? [];
    hours.delete(hour);
    waiting -= events.length;
    while (!ended.aborted && events.length > 0) {
      await health.ready(ended);
      if (ended.aborted) return;
      const references = events.map(({ event }) => event);
      const made = await deliverer.deliverHour(hour, references, ended);
      if (made.outcome === "taken") events = await noteTaken(events, made);
      else {
        control.refused(made, true);
        await control.afterRefusal(made);
      }
    }
  }
  /** Returns those that are to be handed over again, before any other. */
  async function noteTaken(
    events: readonly WaitingEvent[],
    { missing, refused, left }: Extract<HourAttempt, { outcome: "taken" }>,
  ): Promise<WaitingEvent[]> {
    const [gone, hindered] = [
      new Map(missing.map(({ event, why }) => [event, why])),
      new Map(refused.map(({ event, made }) => [event, made])),
    ];
    const held = new Set(left);
    const again: WaitingEvent[] = [];
    const answer = answerOf({ outcome: "taken", status: null }, deps);
    if (events.length > refused.length + left.length) health.succeeded();
    for (const each of events) {
      const { event, finish, letter } = each;
      const [why, made] = [gone.get(event), hindered.get(event)];
      if (held.has(event)) again.push(each);
      else if (made !== undefined) {
        if (await noteRefused(each, made)) finish();
        else again.push(each);
      } else {
        if (why === undefined) await noteDelivered(event, letter, answer);
        else await control.leaveOut(event, why);
        finish();
      }
    }
    await control.save();
    return again;
  }
  async function noteDelivered({ seq }: EventReference, letter: Letter | null, answer: Answer): Promise<void> {
    progress.delivered(answer);
    observer.attempted(name, "delivered");
    if (letter) await store.removeLetter(name, seq);
  }
  /** False: it is to be handed over again, before any other. */
  async function noteRefused({ event, letter }: WaitingEvent, made: RefusedEvent["made"]): Promise<boolean> {
    const answer = control.refused(made, isStrict && letter === null);
    if (isStrict && letter === null) return false;
    if (!(await control.keepLetter(event.seq, letter, made, answer))) await control.leaveOut(event, null);
    return true;
  }
  async function writeHours(): Promise<void> {
    while (!ended.aborted) {
      await rest(times.hoursMs, ended);
      if (ended.aborted) return;
      await takeLetters();
      for (const hour of dueHours()) await write(hour);
    }
  }

  const writing = writeHours().catch(stop);
  await control.followNew(take).catch(stop);
  await control.end(() => writing);
}
