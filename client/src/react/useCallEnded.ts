// The newest ended calls, live.
import { useCallback, useEffect, useMemo, useSyncExternalStore } from "react";
import type { CallFields } from "../index.ts";
import { textOf } from "../http/printDocument.ts";
import type { SwitchboardError } from "../switchboardError.ts";
import type {
  CallEndedOptions,
  CallOf,
  CallStream,
  OwnDocument,
  OwnFields,
  StreamItem,
  SwitchboardClient,
} from "../types.ts";
import { createCallList } from "./callList.ts";
import { useSwitchboard } from "./context.ts";
import { useMade } from "./store.ts";

export interface LiveCallsOptions<Call> extends Pick<CallEndedOptions, "after" | "filter" | "revisions"> {
  /** Number of items that are kept. Default: 50. */
  limit?: number | undefined;
  /**
   * What is shown at first: a page of callEndedEvents with imported: false, the newest first. The stream goes on
   * behind its headCursor. Null, as of a query whose field failed: the list begins empty.
   */
  initial?: { nodes: readonly (Call & { cursor: string })[]; headCursor: string } | null | undefined;
  /** True: no stream runs. It goes on behind the last item when this is false again. */
  paused?: boolean | undefined;
}

export interface LiveCalls<Call> {
  /** Calls and gaps, the newest first. */
  items: readonly StreamItem<Call>[];
  /** Why the stream ended. Null while it runs: what passes by itself is in useConnectionState. */
  error: SwitchboardError | null;
  /** Starts the stream again behind the last item. */
  retry: () => void;
}

type AnyOptions = LiveCallsOptions<unknown> & Partial<OwnFields> & { document?: OwnDocument<CallStream>["document"] };

const DEFAULT_LIMIT = 50;

/** Another filter, `after`, `initial.headCursor` or selection begins a new list. */
export function useCallEnded(options?: LiveCallsOptions<CallFields>): LiveCalls<CallFields>;
export function useCallEnded<Data extends CallStream>(
  options: LiveCallsOptions<CallOf<Data>> & OwnDocument<Data>,
): LiveCalls<CallOf<Data>>;
export function useCallEnded<Call>(options: LiveCallsOptions<Call> & OwnFields): LiveCalls<Call>;
export function useCallEnded(options: AnyOptions = {}): LiveCalls<unknown> {
  const client = useSwitchboard();
  const { limit = DEFAULT_LIMIT, initial, paused = false, after, filter, revisions, fields, document } = options;
  const start = initial?.headCursor ?? after ?? null;
  const text = useMemo(() => (document === undefined ? undefined : textOf(document)), [document]);
  const key = JSON.stringify([start, filter, revisions, fields, text]);
  const list = useMade(() => {
    const items = (initial?.nodes ?? []).map((call) => ({ type: "call" as const, cursor: call.cursor, call }));
    const selection = { filter, revisions, fields, document: text } as Parameters<SwitchboardClient["callEnded"]>[0];
    return createCallList<unknown>((place) => client.callEnded({ ...selection, ...place }), {
      items,
      after: start,
      limit,
    });
  }, [client, key]);
  useEffect(() => list.setLimit(limit), [list, limit]);

  const subscribe = useCallback((listener: () => void) => (paused ? ignore : list.subscribe(listener)), [list, paused]);
  const { items, error } = useSyncExternalStore(subscribe, list.get, list.initial);
  const newest = useMemo(() => items.slice(0, limit), [items, limit]);
  return { items: newest, error, retry: list.restart };
}

function ignore(): void {}
