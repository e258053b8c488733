// How one subscriber follows the log: by a reader of its own to the head, then in the group of those who are told the same,
// which writes to it directly, and by itself again from its place when the group has let go of it. The seam is the place
// in the log, so that nothing is missed or told twice.
import type { Viewer } from "../auth/scopes.ts";
import type { EventLog, FollowRequest, StreamItem } from "../events/eventLog.ts";
import type { Group, Member, Take } from "./sharedGroup.ts";

export interface SharedFollowDeps {
  request: FollowRequest;
  follow: EventLog["follow"];
  /** The group of the viewer's rights as they are, begun at this place where there is none; null where he has none. */
  groupAt: (place: string) => Group | null;
  take: Take;
  viewer: () => Viewer | null;
  /** Calls back when the viewer's rights may have changed. */
  onChange: (listener: () => void) => () => void;
}

interface Seat {
  group: Group;
  member: Member;
  /** Resolves when the group has let go. */
  left: Promise<void>;
}

/** Whoever asks for the next item was told the one before it: only then does its own reader run, and find the head. */
export async function followShared(deps: SharedFollowDeps): Promise<AsyncIterableIterator<StreamItem>> {
  const { request, follow, groupAt, take, viewer, onChange } = deps;
  let own: AsyncIterableIterator<StreamItem> | null = await follow(request, join);
  let place: string | null = null;
  /** Once a group has let go of it, it takes something by itself before it may come back. */
  let mayJoin = true;
  let isLeft = false;
  let seat: Seat | null = null;

  function join(head: string): void {
    const group = mayJoin && !isLeft ? groupAt(head) : null;
    if (!group) return;
    const { promise: left, resolve } = Promise.withResolvers<void>();
    const released = () => {
      place = member.place;
      mayJoin = false;
      seat = null;
      resolve();
    };
    const member: Member = { place: head, take, viewer, released };
    if (!group.admit(member)) return;
    seat = { group, member, left };
    void own?.return?.();
    own = null;
  }

  function leave(): void {
    if (!seat) return;
    const { group, member } = seat;
    group.leave(member);
    member.released();
  }

  // Rights that change are another group's: what is on its way in this one is not told any more.
  const stop = onChange(() => {
    leave();
    mayJoin = true;
  });

  async function ownReader(): Promise<AsyncIterableIterator<StreamItem>> {
    if (own) return own;
    const again = await follow({ ...request, after: place }, join);
    own = again;
    if (isLeft) await again.return?.();
    // Its checkpoint at the place where it begins, which was told.
    await again.next();
    return again;
  }

  async function next(): Promise<IteratorResult<StreamItem, undefined>> {
    for (;;) {
      if (isLeft) return { done: true, value: undefined };
      const reader = await ownReader();
      const { done, value } = await reader.next();
      if (own !== reader) {
        // Given up for a group, which may have let go by now.
        await seat?.left;
        continue;
      }
      if (done) return { done: true, value: undefined };
      place = value.kind === "event" ? value.event.cursor : value.cursor;
      mayJoin = true;
      return { done: false, value };
    }
  }

  const items: AsyncIterableIterator<StreamItem> = {
    next,
    async return() {
      isLeft = true;
      stop();
      leave();
      await own?.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
  return items;
}
