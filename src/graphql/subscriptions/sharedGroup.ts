// One reader of the log for all subscribers with the same request: each event is executed and serialised once. A member that
// cannot take a payload leaves the group and reads by itself from its own cursor; so do all members if the group fails.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Viewer } from "../../auth/scopes.ts";
import type { Instant } from "../../format/instant.ts";
import type { StreamItem } from "../../events/eventLog.ts";
import type { Logger } from "../../logger.ts";
import { noSubscriptionObserver, type SubscriptionObserver } from "./subscriptionObserver.ts";

/** The result for an item of the log. All members get the same object. */
export interface SharedResult {
  /** The item's cursor, as the members see cursors. */
  cursor: string;
  /** JSON. */
  payload: Buffer;
}

/** Sends results in order. Returns false and sends nothing if the subscriber cannot take them now. */
export type SendResults = (results: readonly SharedResult[]) => boolean;

export interface Member {
  /** Everything up to here was sent. The group moves it forward. */
  cursor: string;
  send: SendResults;
  viewer: () => Viewer | null;
  /** Called when the group has removed the member. */
  onReleased: (member: Member) => void;
}

export interface SharedGroup {
  /** Returns false if the group has ended, or has sent something that the member has not received. */
  admit(member: Member): boolean;
  /** The member gets nothing more. */
  remove(member: Member): void;
  /** Their order may change: auth/sharedPayment.ts moves those that have paid to the end. */
  members: Set<Member>;
}

export interface SharedGroupDeps {
  /** The cursor of the first member. */
  startCursor: string;
  follow: (after: string) => Promise<AsyncIterableIterator<StreamItem>>;
  /** Null: the item has no result. */
  payloadOf: (item: StreamItem) => Promise<Payload | null>;
  /** Members that are written to in one turn of the event loop; thousands at once would block it. */
  membersPerTurn: number;
  /** Called once: when the last member has left, or the group has released all. */
  onEnd: () => void;
  observer?: Pick<SubscriptionObserver, "delivered"> | undefined;
  log: Logger;
}

export interface Payload {
  /** The item's cursor, as the members see cursors. */
  cursor: string;
  json: Buffer;
  /** Called when it was sent to all members that could take it. */
  onSent: () => void;
}

/** An item of the log with its result. */
interface ExecutedItem {
  cursor: string;
  isEvent: boolean;
  /** Null for a checkpoint. */
  receivedAt: Instant | null;
  result: SharedResult | null;
  onSent: () => void;
}

/** Items may be executed while earlier ones are being sent; they then go out as one batch. */
const MAX_AHEAD = 16;
/** Maximum bytes of the results of these items. */
const MAX_AHEAD_SIZE = 64 * 1024;

export function createSharedGroup(deps: SharedGroupDeps): SharedGroup {
  const { startCursor, follow, payloadOf, membersPerTurn, onEnd, observer = noSubscriptionObserver, log } = deps;
  const members = new Set<Member>();
  /** The cursor of the last event that was sent, or is being sent. */
  let sentThrough = startCursor;
  let items: AsyncIterableIterator<StreamItem> | null = null;
  let ahead: ExecutedItem[] = [];
  let sending: Promise<void> | null = null;
  let isOver = false;

  async function read(): Promise<void> {
    items = await follow(startCursor);
    // The first item is the checkpoint at the start, which every member has passed.
    if (!isOver) await items.next();
    for (;;) {
      const { done, value: item } = await items.next();
      if (isOver || done) return;
      // The group ends at a gap: each member then reads it by itself, and some subscriptions end there. First send what came
      // before it.
      if (item.kind === "gap") return void (await sending);
      const isEvent = item.kind === "event";
      const payload = await payloadOf(item);
      if (isOver) return;
      // After each await `ahead` may be another list.
      const cursor = isEvent ? item.event.cursor : item.cursor;
      const receivedAt = isEvent ? item.event.receivedAt : null;
      const result = payload && { cursor: payload.cursor, payload: payload.json };
      ahead.push({ cursor, isEvent, receivedAt, result, onSent: payload?.onSent ?? ignore });
      sending ??= sendAll().catch(failed);
      if (ahead.length >= MAX_AHEAD || sizeOf(ahead) >= MAX_AHEAD_SIZE) await sending;
    }
  }

  async function sendAll(): Promise<void> {
    for (;;) {
      const batch = ahead;
      ahead = [];
      if (batch.length === 0 || isOver) break;
      await sendBatch(batch);
    }
    sending = null;
  }

  async function sendBatch(batch: readonly ExecutedItem[]): Promise<void> {
    const [first] = batch as [ExecutedItem];
    const { cursor: last } = batch.at(-1) as ExecutedItem;
    // From here on `admit` accepts only members that have received the whole batch by themselves.
    sentThrough = batch.findLast(({ isEvent }) => isEvent)?.cursor ?? sentThrough;
    const all = resultsOf(batch);
    let count = 0;
    // A copy: during a pause a payment may move a member to the end of `members`, which would get a checkpoint twice.
    const current = [...members];
    for (const member of current) {
      if (!members.has(member)) continue;
      const results = member.cursor < first.cursor ? all : resultsOf(batch.filter(isNewTo(member)));
      const isTaken = results.length === 0 || member.send(results);
      if (!isTaken) release(member);
      else if (member.cursor < last) member.cursor = last;
      count += 1;
      // Any member may leave or join during this pause. A new one has received the events of the batch already.
      if (count % membersPerTurn === 0) await nextTurn();
    }
    for (const { receivedAt, onSent } of batch) {
      onSent();
      if (receivedAt !== null) observer.delivered(receivedAt);
    }
  }

  function release(member: Member): void {
    remove(member);
    member.onReleased(member);
  }

  function remove(member: Member): void {
    members.delete(member);
    if (members.size === 0) end();
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    onEnd();
    void items?.return?.();
    for (const member of members) release(member);
  }

  function failed(err: unknown): void {
    if (!isOver) log.warn({ err }, "A shared subscription failed. Each of its subscribers now reads by itself.");
    end();
  }

  read()
    .catch(failed)
    .finally(() => {
      end();
      // The group may have ended before `items` was set.
      void items?.return?.();
    });

  return {
    members,
    admit(member) {
      if (isOver || member.cursor < sentThrough) return false;
      members.add(member);
      return true;
    },
    remove,
  };
}

const ignore = () => undefined;

/** A checkpoint at the member's own cursor is new to it: it says that no event was added since. */
function isNewTo(member: Member) {
  return ({ cursor, isEvent }: ExecutedItem) => (isEvent ? member.cursor < cursor : member.cursor <= cursor);
}

function sizeOf(items: readonly ExecutedItem[]): number {
  return items.reduce((sum, { result }) => sum + (result?.payload.length ?? 0), 0);
}

function resultsOf(items: readonly ExecutedItem[]): SharedResult[] {
  return items.flatMap(({ result }) => result ?? []);
}
