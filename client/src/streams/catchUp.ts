// Finds out whether a resumed stream is live yet. The stream itself does not tell, so the log is asked what follows the last
// cursor, at the start and every two seconds.
import type { Payload } from "../http/httpTransport.ts";
import { pause } from "../pause.ts";
import type { SwitchboardError } from "../switchboardError.ts";
import type { ConnectionState } from "../types.ts";

interface Missing {
  missed: { nodes: { receivedAt: string }[] } | null;
  newest: { headCursor: string; nodes: { receivedAt: string }[] } | null;
}

/** For a manifest of trusted documents. Where it may not be asked, the state gets `live` at the second checkpoint. */
export const catchUpDocument = `query CatchUp($after: String, $filter: CallEndedFilter, $revisions: Boolean! = false) {
  missed: callEndedEvents(first: 1, after: $after, filter: $filter, revisions: $revisions, imported: false) { nodes { receivedAt } }
  newest: callEndedEvents(first: 1, order: NEWEST_FIRST) { headCursor nodes { receivedAt } }
}`;

export interface CatchUpDeps {
  /** Asks once, for `timeoutMs` at most. */
  ask: (payload: Payload, signal: AbortSignal, timeoutMs: number) => Promise<unknown>;
  variables: () => Record<string, unknown>;
  onState: (state: ConnectionState) => void;
}

export interface CatchUp {
  /** A resumed stream begins. */
  start(): void;
  /** The stream has everything up to this cursor. `isCheckpoint`: and the gateway has said so. */
  reached(cursor: string, isCheckpoint: boolean): void;
  stop(): void;
}

const INTERVAL_MS = 2000;
/** The question may be on a connection that died with the stream before. Another one gets an answer. */
const ASK_MS = 10_000;

export function createCatchUp({ ask, variables, onState }: CatchUpDeps): CatchUp {
  let watching: AbortController | null = null;
  let head: string | null = null;
  let last = "";
  let canAsk = true;
  // The cursors of events are ordered by code unit.
  const isAtHead = () => head !== null && last >= head;

  function stop(): void {
    watching?.abort();
    watching = null;
  }
  function finish(): void {
    stop();
    onState({ name: "live" });
  }
  async function watch(signal: AbortSignal): Promise<void> {
    for (;;) {
      const found = await ask({ query: catchUpDocument, variables: variables() }, signal, ASK_MS).catch(
        (error: SwitchboardError) => {
          // The stream reports the gap, and its cursor moves on.
          canAsk = error.retryable || error.code === "CURSOR_EXPIRED";
        },
      );
      if (signal.aborted) return;
      if (found) {
        const { missed, newest } = found as Missing;
        head = newest?.headCursor ?? null;
        // The last items may have come while the log was asked.
        if (missed?.nodes.length === 0 || isAtHead()) return finish();
        onState({ name: "catchingUp", behindMs: behindOf({ missed, newest }) });
      }
      if (!canAsk) return;
      await pause(INTERVAL_MS, signal);
      if (signal.aborted) return;
    }
  }
  return {
    start() {
      stop();
      head = null;
      canAsk = true;
      watching = new AbortController();
      onState({ name: "catchingUp", behindMs: null });
      void watch(watching.signal);
    },
    reached(cursor, isCheckpoint) {
      if (!watching) return;
      last = cursor;
      if (isAtHead() || (isCheckpoint && !canAsk)) finish();
    },
    stop,
  };
}

function behindOf({ missed, newest }: Missing): number | null {
  const [first, last] = [missed?.nodes[0], newest?.nodes[0]];
  return first && last ? Math.max(0, Date.parse(last.receivedAt) - Date.parse(first.receivedAt)) : null;
}
