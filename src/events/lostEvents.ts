// What a failover or a restore of the database has lost: refuses cursors of lost entries, and counts the entries for /readyz and the
// metrics.
import { ownNumber, type Logger } from "../logger.ts";
import { CodedError } from "../errors.ts";
import type { EventStore } from "../store/events/eventStore.ts";
import { DAY_MS } from "../util/durations.ts";
import { lostCursorError, type EventCursors } from "./logEntry.ts";
import { epochMsOf } from "../format/instant.ts";

export interface LostEvents {
  /** Reads what this gateway or another has noticed. Rejects as the store does. */
  refresh(): Promise<void>;
  /** Throws CURSOR_INVALID for the position of a lost entry; `head`: the log's last position. */
  check(seq: number, head: number): void;
  /** As `check`, but lets the entries pass that a failover lost: their reader goes on, and `gapAfter` tells it. */
  checkFollowed(seq: number, head: number): void;
  /** The gap of a follower that has received entries which a failover lost. Null: it has not. */
  gapAfter(seq: number): { after: number; through: number } | null;
  /** At least so many entries were lost, as noticed within the last day. */
  count(): number;
}

export interface LostEventsDeps {
  store: Pick<EventStore, "lostPositions">;
  cursors: EventCursors;
  clock: () => number;
  log: Logger;
}

/** How long a loss counts. */
const NOTICE_MS = DAY_MS;

export async function openLostEvents({ store, cursors, clock, log }: LostEventsDeps): Promise<LostEvents> {
  let lost = await store.lostPositions();
  /** What the cursors of readers have shown. */
  let shown = { events: 0, at: -Infinity };

  function notice(events: number): void {
    const isKnown = shown.at > clock() - NOTICE_MS;
    if (isKnown && events <= shown.events) return;
    if (!isKnown)
      log.error({ lostEvents: ownNumber(events) }, "a reader's cursor is of an event that the database has lost");
    shown = { events, at: clock() };
  }
  function refuseAhead(seq: number, head: number): void {
    if (seq <= head) return;
    notice(seq - head);
    throw new CodedError("CURSOR_INVALID", "The cursor is ahead of this log. Was the database restored from a backup?");
  }
  function gapAfter(seq: number): { after: number; through: number } | null {
    if (lost?.noticedAt == null || seq <= lost.after || seq >= lost.through) return null;
    notice(seq - lost.after);
    return { after: lost.after, through: lost.through };
  }
  function refuseLost(seq: number): void {
    if (lost && seq > lost.after && seq < lost.through) throw lostCursorError(cursors.at(lost.after));
  }

  return {
    async refresh() {
      lost = await store.lostPositions();
    },
    gapAfter,
    check(seq, head) {
      gapAfter(seq);
      refuseLost(seq);
      refuseAhead(seq, head);
    },
    checkFollowed(seq, head) {
      if (gapAfter(seq)) return;
      refuseLost(seq);
      refuseAhead(seq, head);
    },
    count() {
      const since = clock() - NOTICE_MS;
      const stored = lost?.noticedAt != null && epochMsOf(lost.noticedAt) > since ? lost.events : 0;
      return Math.max(stored, shown.at > since ? shown.events : 0);
    },
  };
}
