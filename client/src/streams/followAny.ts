// What `subscribe` follows: any other subscription, which starts anew after each lost connection.
import { errorOfResult } from "../http/answerErrors.ts";
import { notify } from "./connectionStates.ts";
import type { Following } from "./followStream.ts";
import type { Payload } from "../http/httpTransport.ts";
import type { ItemQueue } from "./itemQueue.ts";
import type { Entry } from "./streamIterator.ts";
import { SwitchboardError } from "../switchboardError.ts";
import type { ConnectionState, SubscribeOptions } from "../types.ts";

/** Without a cursor, what is not read cannot be asked for again. */
const MAX_UNREAD = 1000;

export interface FollowAnyDeps {
  payload: Payload;
  onItemError: SubscribeOptions["onItemError"];
  queue: ItemQueue<Entry<unknown>>;
  onState: (state: ConnectionState) => void;
}

export function followAny({ payload, onItemError, queue, onState }: FollowAnyDeps): Following {
  let isLive = false;
  return {
    endsWhenComplete: true,
    payload: () => payload,
    take(result) {
      const { data, errors } = result;
      if (data == null) return { error: errorOfResult(result) };
      if (!isLive) onState({ name: "live" });
      isLive = true;
      if (!errors?.length) queue.push({ item: data });
      else if (onItemError) notify(onItemError, errorOfResult(result));
      else return { error: errorOfResult(result), isFinal: true };
      if (queue.size() <= MAX_UNREAD) return null;
      const message = `More than ${MAX_UNREAD} items were not read.`;
      return { error: new SwitchboardError("CONSUMER_TOO_SLOW", message), isFinal: true };
    },
    disconnected() {
      isLive = false;
    },
    resumed: () => Promise.resolve(),
  };
}
