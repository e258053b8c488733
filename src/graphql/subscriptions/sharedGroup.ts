// One reader of the log for all subscribers who are told the same: each event is executed once, and its text made once.
// Its members stand where it stands; one that cannot take a text, or a group that cannot go on, lets go of the member,
// which then reads by itself from its own place.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Viewer } from "../../auth/scopes.ts";
import type { StreamItem } from "../../events/eventLog.ts";
import type { Log } from "../../log.ts";

/**
 * Takes results, in order, each as the JSON that every subscriber is told; false, and then nothing is sent, where it cannot
 * take them now.
 */
export type Take = (payloads: readonly Buffer[]) => boolean;

export interface Member {
  /** It was told everything up to here. The group moves it on. */
  place: string;
  take: Take;
  viewer: () => Viewer | null;
  /** The group has let go of it. */
  released: (member: Member) => void;
}

export interface SharedGroup {
  /** False where something was told already that the member was not told, and where the group is over. */
  admit(member: Member): boolean;
  /** It is told nothing more, from now on. */
  leave(member: Member): void;
  /** Those of the group, who may be put in another order: see payInTurn. */
  members: Set<Member>;
}

export interface SharedGroupDeps {
  /** The place of its first member. */
  from: string;
  follow: (after: string) => Promise<AsyncIterableIterator<StreamItem>>;
  /** Null: nothing is told of it. */
  payloadOf: (item: StreamItem) => Promise<Buffer | null>;
  /** Members that are written to in one turn of the event loop: thousands at once would hold it. */
  together: number;
  /** Called once: when the last member has left, or the group let go of all. */
  onOver: () => void;
  log: Log;
}

/** An item of the log, with the text of it. */
interface Told {
  cursor: string;
  isEvent: boolean;
  payload: Buffer | null;
}

/** Items, and bytes of them, that are executed while members are told of those before; they are told of them together then. */
const MOST_AHEAD = 16;
const MOST_AHEAD_SIZE = 64 * 1024;

export function createSharedGroup({ from, follow, payloadOf, together, onOver, log }: SharedGroupDeps): SharedGroup {
  const members = new Set<Member>();
  /** The place of the last event that members were told, or are being told. */
  let told = from;
  let items: AsyncIterableIterator<StreamItem> | null = null;
  let ahead: Told[] = [];
  let telling: Promise<void> | null = null;
  let isOver = false;

  async function read(): Promise<void> {
    items = await follow(from);
    // Its checkpoint at the place where it begins, behind which everyone is.
    if (!isOver) await items.next();
    for (;;) {
      const { done, value: item } = await items.next();
      if (isOver || done) return;
      // Each member meets a gap by itself: some end there. What was before it is told.
      if (item.kind === "gap") return void (await telling);
      const isEvent = item.kind === "event";
      const payload = await payloadOf(item);
      if (isOver) return;
      // Only now, for meanwhile those before it may have become another list.
      ahead.push({ cursor: isEvent ? item.event.cursor : item.cursor, isEvent, payload });
      telling ??= tellAll().catch(failed);
      if (ahead.length >= MOST_AHEAD || sizeOf(ahead) >= MOST_AHEAD_SIZE) await telling;
    }
  }

  async function tellAll(): Promise<void> {
    for (;;) {
      const next = ahead;
      ahead = [];
      if (next.length === 0 || isOver) break;
      await tell(next);
    }
    telling = null;
  }

  async function tell(next: readonly Told[]): Promise<void> {
    const [first] = next as [Told];
    const { cursor: last } = next.at(-1) as Told;
    // From now on only who was told all of these, in its own way, is let in.
    told = next.findLast(({ isEvent }) => isEvent)?.cursor ?? told;
    const all = payloadsOf(next);
    let count = 0;
    for (const member of members) {
      const payloads = member.place < first.cursor ? all : payloadsOf(next.filter(isNewTo(member)));
      if (payloads.length === 0 || member.take(payloads)) member.place = last < member.place ? member.place : last;
      else letGo(member);
      count += 1;
      // Between two members, never with one in hand: it might have left by then.
      if (count % together === 0) await nextTurn();
    }
  }

  function letGo(member: Member): void {
    leave(member);
    member.released(member);
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

  function failed(err: unknown): void {
    if (!isOver) log.warn({ err }, "a shared subscription cannot go on; each subscriber reads by itself");
    end();
  }

  read()
    .catch(failed)
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

/** A checkpoint at its own place is new to whoever has come since. */
function isNewTo({ place }: Member) {
  return ({ cursor, isEvent }: Told) => (isEvent ? place < cursor : place <= cursor);
}

function sizeOf(told: readonly Told[]): number {
  return told.reduce((sum, { payload }) => sum + (payload?.length ?? 0), 0);
}

function payloadsOf(told: readonly Told[]): Buffer[] {
  return told.flatMap(({ payload }) => payload ?? []);
}
