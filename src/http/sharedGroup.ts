// One reader of the log for all subscribers who are told the same: each event is executed once, and its text made once.
// Its members stand where it stands; one that cannot take a text, or a group that cannot go on, lets go of the member,
// which then reads by itself from its own place.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Viewer } from "../auth/scopes.ts";
import type { StreamItem } from "../events/eventLog.ts";
import type { Log } from "../log.ts";

/** Takes a result as the JSON that every subscriber is told; false, and then nothing is sent, where it cannot take it now. */
export type Take = (payload: Buffer) => boolean;

export interface Member {
  /** It was told everything up to here. The group moves it on. */
  place: string;
  take: Take;
  viewer: () => Viewer | null;
  /** The group has let go of it. */
  released: () => void;
}

export interface Group {
  /** False where something was told already that the member was not told, and where the group is over. */
  admit(member: Member): boolean;
  /** It is told nothing more, from now on. */
  leave(member: Member): void;
  /** Those of the group, who may be put in another order: see payInTurn. */
  members: Set<Member>;
}

export interface GroupDeps {
  /** The place of its first member. */
  from: string;
  follow: (after: string) => Promise<AsyncIterableIterator<StreamItem>>;
  /** Null: nothing is told of it. */
  payloadOf: (item: StreamItem) => Promise<Buffer | null>;
  /** Called once: when the last member has left, or the group let go of all. */
  onOver: () => void;
  log: Log;
}

/** Written to in one turn of the event loop: thousands at once would hold it. */
const TOLD_TOGETHER = 200;

export function createGroup({ from, follow, payloadOf, onOver, log }: GroupDeps): Group {
  const members = new Set<Member>();
  /** The place of the last event that members were told, or are being told. */
  let told = from;
  let items: AsyncIterableIterator<StreamItem> | null = null;
  let isOver = false;

  async function read(): Promise<void> {
    items = await follow(from);
    // Its checkpoint at the place where it begins, behind which everyone is.
    if (!isOver) await items.next();
    for (;;) {
      const { done, value: item } = await items.next();
      // Each member meets a gap by itself: some end there.
      if (isOver || done || item.kind === "gap") return;
      const payload = await payloadOf(item);
      if (!isOver) await tell(item, payload);
    }
  }

  async function tell(item: StreamItem, payload: Buffer | null): Promise<void> {
    const isEvent = item.kind === "event";
    const cursor = isEvent ? item.event.cursor : item.cursor;
    // From now on only who was told this one, in its own way, is let in.
    if (isEvent) told = cursor;
    let count = 0;
    for (const member of members) {
      if (count > 0 && count % TOLD_TOGETHER === 0) await nextTurn();
      count += 1;
      const isBehind = isEvent ? member.place < cursor : member.place <= cursor;
      if (!isBehind || !members.has(member)) continue;
      if (payload === null || member.take(payload)) member.place = cursor;
      else letGo(member);
    }
  }

  function letGo(member: Member): void {
    leave(member);
    member.released();
  }

  function leave(member: Member): void {
    members.delete(member);
    if (members.size === 0) end();
  }

  function end(): void {
    if (isOver) return;
    isOver = true;
    onOver();
    void items?.return?.();
    for (const member of members) letGo(member);
  }

  read()
    .catch((err: unknown) => {
      if (!isOver) log.warn({ err }, "a shared subscription cannot go on; each subscriber reads by itself");
    })
    .finally(() => {
      end();
      void items?.return?.();
    });

  return {
    members,
    admit(member) {
      if (isOver || member.place < told) return false;
      members.add(member);
      return true;
    },
    leave,
  };
}
