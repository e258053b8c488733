// A subscription as one subscriber has it: it reads by itself up to the head of the log, is told by the group of those who
// are told the same then, and reads by itself again from its place where the group has let go of it. In a group it holds its
// place, and nothing of what reads. The seam is the place in the log, so that nothing is missed or told twice.
import type { Grant } from "../../auth/grant.ts";
import type { FollowRequest } from "../../events/eventLog.ts";
import type { SharedGroup, Member, Take } from "./sharedGroup.ts";

export interface Reading {
  /** Behind which to read; null: as the operation asks. */
  place: string | null;
  /** To be called with the place when everything was told and the reader is about to wait; it may be left there and then. */
  onHead: ((place: string, request: FollowRequest) => void) | null;
}

/** Where a subscriber may be told by a group. */
export interface GroupHandoff {
  take: Take;
  /** The group of the viewer's rights as they are, begun at this place where there is none; null where he has none. */
  groupAt: (place: string, request: FollowRequest) => SharedGroup | null;
}

export interface SubscriptionDeps<Result extends object> {
  /** Never rejects: a result in place of results says why it cannot read. */
  read: (reading: Reading) => Promise<Result | AsyncIterableIterator<Result>>;
  /** Null: it reads by itself as long as it lives. */
  seam: GroupHandoff | null;
  grant: Grant;
  /** What its viewer is told last where he may not have it any more; asked whenever his rights may have changed. */
  judge: () => Result | null;
  /** Called once. */
  onOver: () => void;
}

type Step<Result> = IteratorResult<Result, undefined>;

/** As a group has it, it is a member. Functions of this record, and not closures of each: there are ten thousand. */
interface Subscriber<Result extends object> extends Member, Omit<SubscriptionDeps<Result>, "seam"> {
  seam: GroupHandoff | null;
  /** Its own reader; null while a group tells it. */
  own: AsyncIterableIterator<Result> | null;
  group: SharedGroup | null;
  /** Once a group has let go of it, it is told something by itself before it may come back. */
  mayJoin: boolean;
  isOver: boolean;
  /** Told before the end, to whoever asks. */
  owed: Result | null;
  waiting: ((step: Step<Result> | Promise<never>) => void) | null;
  stop: () => void;
}

const DONE = { done: true, value: undefined } as const;

/**
 * What a group tells goes to the seam's `take`, all else comes from the iterator, never both at a time: whoever asks for the
 * next result was told the one before it, and only while he waits is anything told by a group.
 */
export async function openSubscription<Result extends object>(
  deps: SubscriptionDeps<Result>,
): Promise<Result | AsyncIterableIterator<Result>> {
  const subscriber: Subscriber<Result> = {
    ...deps,
    place: "",
    take: deps.seam?.take ?? takesNothing,
    viewer: deps.grant.viewer,
    released: () => released(subscriber),
    own: null,
    group: null,
    mayJoin: true,
    isOver: false,
    owed: null,
    waiting: null,
    stop: deps.grant.onChange(() => rightsChanged(subscriber)),
  };
  const first = await deps.read(readingOf(subscriber, null));
  if (!(Symbol.asyncIterator in first)) {
    end(subscriber, null);
    return first;
  }
  if (subscriber.isOver) void first.return?.();
  else subscriber.own = first;
  return resultsOf(subscriber);
}

function resultsOf<Result extends object>(subscriber: Subscriber<Result>): AsyncIterableIterator<Result> {
  return {
    next() {
      const last = subscriber.owed;
      subscriber.owed = null;
      if (last) return Promise.resolve({ done: false, value: last });
      if (subscriber.isOver) return Promise.resolve(DONE);
      return new Promise((resolve) => {
        subscriber.waiting = resolve;
        ask(subscriber);
      });
    },
    async return() {
      const { own } = subscriber;
      end(subscriber, null);
      subscriber.owed = null;
      await own?.return?.();
      return DONE;
    },
    [Symbol.asyncIterator]: itself,
  };
}

/** One for all: a method of each would be another closure. */
function itself<Own>(this: Own): Own {
  return this;
}

function readingOf<Result extends object>(subscriber: Subscriber<Result>, place: string | null): Reading {
  return { place, onHead: subscriber.seam && ((head, request) => join(subscriber, head, request)) };
}

function give<Result extends object>(subscriber: Subscriber<Result>, step: Step<Result> | Promise<never>): void {
  const { waiting } = subscriber;
  subscriber.waiting = null;
  waiting?.(step);
}

function ask<Result extends object>(subscriber: Subscriber<Result>): void {
  const { own } = subscriber;
  own?.next().then(
    (step) => {
      // Otherwise it was given up for a group.
      if (subscriber.own !== own) return;
      subscriber.mayJoin = true;
      if (step.done) end(subscriber, null);
      else give(subscriber, step);
    },
    (error: unknown) => subscriber.own === own && give(subscriber, Promise.reject(error as Error)),
  );
}

function join<Result extends object>(subscriber: Subscriber<Result>, head: string, request: FollowRequest): void {
  const { seam, own, mayJoin } = subscriber;
  const group = seam && own && mayJoin ? seam.groupAt(head, request) : null;
  subscriber.place = head;
  if (!own || !group?.admit(subscriber)) return;
  subscriber.group = group;
  subscriber.own = null;
  void own.return?.();
}

function released<Result extends object>(subscriber: Subscriber<Result>): void {
  subscriber.group = null;
  subscriber.mayJoin = false;
  if (!subscriber.isOver) void readAgain(subscriber);
}

async function readAgain<Result extends object>(subscriber: Subscriber<Result>): Promise<void> {
  const reading = await subscriber.read(readingOf(subscriber, subscriber.place));
  if (!(Symbol.asyncIterator in reading)) return end(subscriber, reading);
  if (subscriber.isOver) return void reading.return?.();
  subscriber.own = reading;
  ask(subscriber);
}

function leaveGroup<Result extends object>(subscriber: Subscriber<Result>): void {
  const { group } = subscriber;
  group?.leave(subscriber);
  if (group) released(subscriber);
}

function rightsChanged<Result extends object>(subscriber: Subscriber<Result>): void {
  const verdict = subscriber.isOver ? null : subscriber.judge();
  // Nothing is told after it, an event that was on its way neither.
  if (verdict) return end(subscriber, verdict);
  // Rights that change are another group's: what is on its way in this one is not told any more.
  leaveGroup(subscriber);
  subscriber.mayJoin = true;
}

function end<Result extends object>(subscriber: Subscriber<Result>, last: Result | null): void {
  if (subscriber.isOver) return;
  const { own, waiting, stop, onOver } = subscriber;
  subscriber.isOver = true;
  subscriber.owed = waiting ? null : last;
  stop();
  leaveGroup(subscriber);
  subscriber.own = null;
  void own?.return?.();
  onOver();
  give<Result>(subscriber, last ? { done: false, value: last } : DONE);
}

const takesNothing: Take = () => false;
