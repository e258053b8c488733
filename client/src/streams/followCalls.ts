// What callEnded follows: the items of callEndedStream behind a cursor that moves with them.
import { errorOfResult, type GraphResult } from "../http/answerErrors.ts";
import { createCatchUp, type CatchUpDeps } from "./catchUp.ts";
import type { Following } from "./followStream.ts";
import type { ItemQueue } from "./itemQueue.ts";
import type { Entry } from "./streamIterator.ts";
import type { CallEndedOptions, ConnectionState, StreamItem } from "../types.ts";

/** With as many items unread the subscription is ended; the log has the rest. */
const PAUSE_AT = 500;
/** It is started again behind the last item when this many are left. */
const RESUME_AT = 100;

interface Item {
  __typename: string;
  cursor: string;
  after: string;
}

export interface FollowCallsDeps {
  query: string;
  after: string | null;
  options: Pick<CallEndedOptions, "filter" | "revisions">;
  queue: ItemQueue<Entry<StreamItem<unknown>>>;
  ask: CatchUpDeps["ask"];
  onState: (state: ConnectionState) => void;
}

export function followCalls({ query, after, options, queue, ask, onState }: FollowCallsDeps): Following {
  const { filter, revisions } = options;
  let cursor = after;
  let isFirst = true;
  // JSON leaves out what is undefined.
  const variables = () => ({ after: cursor, filter, revisions });
  const catchUp = createCatchUp({ ask, variables, onState });

  /** Null for a checkpoint, and for types of items that this version does not know. */
  function read(item: Item, errors: GraphResult["errors"]): StreamItem<unknown> | null {
    const { __typename: type, cursor, after } = item;
    if (type === "StreamGap") return { type: "gap", cursor, after };
    if (type !== "CallEnded") return null;
    return { type: "call", cursor, call: item, ...(errors?.length ? { errors } : {}) };
  }
  function begin(): void {
    isFirst = false;
    if (cursor === null) onState({ name: "live" });
    else catchUp.start();
  }
  return {
    endsWhenComplete: false,
    payload() {
      isFirst = true;
      return { query, variables: variables() };
    },
    take(result) {
      const found = (result as GraphResult<{ callEndedStream?: Item }>).data?.callEndedStream;
      if (!found) return { error: errorOfResult(result) };
      const wasFirst = isFirst;
      if (isFirst) begin();
      const item = read(found, result.errors);
      cursor = found.cursor;
      queue.push(item ? { item, cursor } : { cursor });
      if (!wasFirst) catchUp.reached(cursor, item === null);
      return queue.size() >= PAUSE_AT ? "pause" : null;
    },
    disconnected: () => catchUp.stop(),
    resumed: () => queue.drained(RESUME_AT),
  };
}
