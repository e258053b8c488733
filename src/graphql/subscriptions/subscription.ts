// One subscription. A subscriber reads the log by itself up to the head and then joins the group of those with the same
// request. If the group releases it, it reads by itself again from its cursor. The cursor makes sure that no event is missed
// or sent twice at a handoff.
import type { Grant } from "../../auth/grant.ts";
import type { FollowRequest } from "../../events/eventLog.ts";
import type { SubscriptionSource } from "../../resolvers/context.ts";
import { DONE } from "../../util/iterators.ts";
import type { SubscriptionEnd, SubscriptionObserver } from "./subscriptionObserver.ts";
import type { Member, SendResults, SharedGroup } from "./sharedGroup.ts";

/** Counts what runs in this process: subscriptions of all transports, or groups. */
export interface SubscriberCount {
  /** Counts one until the returned function is called, once or more often. */
  enter(): (reason?: SubscriptionEnd) => void;
  running(): number;
}

/** `onLeave`: gets the reason of each that ends. */
export function createSubscriberCount(onLeave: SubscriptionObserver["ended"] = () => undefined): SubscriberCount {
  let running = 0;
  return {
    running: () => running,
    enter() {
      let isCounted = true;
      running += 1;
      return (reason = "completed") => {
        if (!isCounted) return;
        isCounted = false;
        running -= 1;
        onLeave(reason);
      };
    },
  };
}

/** How a subscriber joins groups. */
export interface GroupHandoff {
  send: SendResults;
  /**
   * Returns the group for the viewer's current scopes; a new group starts at the cursor. Null if the viewer has lost access.
   */
  groupAt: (cursor: string, request: FollowRequest) => SharedGroup | null;
}

/** Where a subscriber reads by itself. */
export type ReaderSource = Omit<SubscriptionSource, "eventStream">;

export interface SubscriptionDeps<Result extends object> {
  /** Resolves with one result in place of a stream if the log cannot be read. Never rejects. */
  read: (source: ReaderSource) => Promise<Result | AsyncIterableIterator<Result>>;
  /** Null: the subscriber always reads by itself. */
  handoff: GroupHandoff | null;
  grant: Grant;
  /** Returns the last result for a viewer who may not read any more, or null. Called first, and whenever the grant changes. */
  checkRights: () => Result | null;
  /** Counts it, once: when its place in the log is known, so that it misses nothing from then on. One that has no place yet is counted when it ends. */
  enter: SubscriberCount["enter"];
}

type Step<Result> = IteratorResult<Result, undefined>;

/** A record for functions of this file, and the member of its group. Closures would cost memory: there are 10,000 subscribers. */
interface Subscriber<Result extends object> extends Member, SubscriptionDeps<Result> {
  /** Its own reader; null while it is in a group. */
  reader: AsyncIterableIterator<Result> | null;
  group: SharedGroup | null;
  /** False after a group has released it, until its own reader has given a result. */
  mayJoin: boolean;
  isOver: boolean;
  /** Null until it is counted. */
  leave: ReturnType<SubscriberCount["enter"]> | null;
  /** The last result, if nobody waited for it when the subscription ended. */
  lastResult: Result | null;
  /** Settles the call of next() that waits. */
  resolveNext: ((step: Step<Result> | Promise<never>) => void) | null;
  stopListening: () => void;
}

/**
 * Results of a group go to `handoff.send`, all others come from the iterator. Never both at a time: a group sends only while a
 * call of next() waits, and the caller has then handled every earlier result.
 */
export async function openSubscription<Result extends object>(
  deps: SubscriptionDeps<Result>,
): Promise<Result | AsyncIterableIterator<Result>> {
  const subscriber: Subscriber<Result> = {
    ...deps,
    cursor: "",
    send: deps.handoff?.send ?? sendsNothing,
    viewer: deps.grant.viewer,
    onReleased: () => onReleased(subscriber),
    reader: null,
    group: null,
    mayJoin: true,
    isOver: false,
    leave: null,
    lastResult: null,
    resolveNext: null,
    stopListening: deps.grant.onChange(() => onRightsChanged(subscriber)),
  };
  // The operation was checked before this listened to the grant, and its router may have confirmed it in between.
  const refusal = deps.checkRights();
  if (refusal) {
    end(subscriber, null, "revoked");
    return refusal;
  }
  const first = await deps.read(sourceOf(subscriber, null));
  if (!(Symbol.asyncIterator in first)) {
    end(subscriber, null, "failed");
    return first;
  }
  if (subscriber.isOver) void first.return?.();
  else {
    subscriber.reader = first;
    subscriber.leave = subscriber.enter();
  }
  return resultsOf(subscriber);
}

function resultsOf<Result extends object>(subscriber: Subscriber<Result>): AsyncIterableIterator<Result> {
  return {
    next() {
      const last = subscriber.lastResult;
      subscriber.lastResult = null;
      if (last) return Promise.resolve({ done: false, value: last });
      if (subscriber.isOver) return Promise.resolve(DONE);
      return new Promise((resolve) => {
        subscriber.resolveNext = resolve;
        readNext(subscriber);
      });
    },
    async return(reason: SubscriptionEnd = "client") {
      const { reader } = subscriber;
      end(subscriber, null, reason);
      subscriber.lastResult = null;
      await reader?.return?.();
      return DONE;
    },
    [Symbol.asyncIterator]: returnThis,
  };
}

/** One function for all iterators, so that none has its own closure. */
function returnThis<Own>(this: Own): Own {
  return this;
}

function sourceOf<Result extends object>(subscriber: Subscriber<Result>, after: string | null): ReaderSource {
  return { after, onHead: subscriber.handoff && ((head, request) => joinGroup(subscriber, head, request)) };
}

function settleNext<Result extends object>(subscriber: Subscriber<Result>, step: Step<Result> | Promise<never>): void {
  const { resolveNext } = subscriber;
  subscriber.resolveNext = null;
  resolveNext?.(step);
}

function readNext<Result extends object>(subscriber: Subscriber<Result>): void {
  const { reader } = subscriber;
  reader?.next().then(
    (step) => {
      // The subscriber may have joined a group meanwhile.
      if (subscriber.reader !== reader) return;
      subscriber.mayJoin = true;
      if (step.done) end(subscriber, null, "completed");
      else settleNext(subscriber, step);
    },
    (error: unknown) => subscriber.reader === reader && settleNext(subscriber, Promise.reject(error as Error)),
  );
}

function joinGroup<Result extends object>(subscriber: Subscriber<Result>, head: string, request: FollowRequest): void {
  const { handoff, reader, mayJoin } = subscriber;
  const group = handoff && reader && mayJoin ? handoff.groupAt(head, request) : null;
  subscriber.cursor = head;
  if (!reader || !group?.admit(subscriber)) return;
  subscriber.group = group;
  subscriber.reader = null;
  void reader.return?.();
}

function onReleased<Result extends object>(subscriber: Subscriber<Result>): void {
  subscriber.group = null;
  subscriber.mayJoin = false;
  if (!subscriber.isOver) void resumeReading(subscriber);
}

async function resumeReading<Result extends object>(subscriber: Subscriber<Result>): Promise<void> {
  const reading = await subscriber.read(sourceOf(subscriber, subscriber.cursor));
  if (!(Symbol.asyncIterator in reading)) return end(subscriber, reading, "failed");
  if (subscriber.isOver) return void reading.return?.();
  subscriber.reader = reading;
  readNext(subscriber);
}

function leaveGroup<Result extends object>(subscriber: Subscriber<Result>): void {
  const { group } = subscriber;
  group?.remove(subscriber);
  if (group) onReleased(subscriber);
}

function onRightsChanged<Result extends object>(subscriber: Subscriber<Result>): void {
  const last = subscriber.isOver ? null : subscriber.checkRights();
  if (last) return end(subscriber, last, "revoked");
  // Other scopes mean another group. What this one is about to send does not reach the subscriber any more.
  leaveGroup(subscriber);
  subscriber.mayJoin = true;
}

function end<Result extends object>(
  subscriber: Subscriber<Result>,
  last: Result | null,
  reason: SubscriptionEnd,
): void {
  if (subscriber.isOver) return;
  const { reader, resolveNext, stopListening } = subscriber;
  subscriber.isOver = true;
  subscriber.lastResult = resolveNext ? null : last;
  stopListening();
  leaveGroup(subscriber);
  subscriber.reader = null;
  void reader?.return?.();
  (subscriber.leave ?? subscriber.enter())(reason);
  settleNext<Result>(subscriber, last ? { done: false, value: last } : DONE);
}

const sendsNothing: SendResults = () => false;
