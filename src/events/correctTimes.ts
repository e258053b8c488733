// Corrects calls whose times an earlier version believed, such as an answer in 1970: each gets a revision without that time. A
// durable reader passes it the whole log once, and then each new event.
import { unreadField } from "../format/fieldReader.ts";
import { instantOf } from "../format/instant.ts";
import { FIRST_CALL_MS, meansNever } from "../format/noTime.ts";
import type { CallEndedData, CallEndedEvent } from "./callEndedEvent.ts";
import type { EventLog } from "./eventLog.ts";

const FIRST_CALL = instantOf(FIRST_CALL_MS);
const TIMES = ["startAt", "answerAt", "endAt"] as const;

/** The `handle` of a durable reader. Handling an event twice appends nothing the second time. */
export function correctTimes({ reread }: Pick<EventLog, "reread">) {
  return async (events: readonly CallEndedEvent[]): Promise<void> => {
    for (const event of events) {
      if (!TIMES.some((name) => isTooOld(event[name]))) continue;
      const { cursor: _cursor, receivedAt: _receivedAt, origins: _origins, revision, source, ...call } = event;
      await reread(event.sessionId, [{ revision, source, call: withoutOldTimes(call) }]);
    }
  };
}

const isTooOld = (instant: string | null) => instant !== null && instant < FIRST_CALL;

function withoutOldTimes(call: CallEndedData): CallEndedData {
  const old = TIMES.filter((name) => isTooOld(call[name]));
  const unread = old.filter((name) => !meansNever(call[name] ?? "")).map((name) => unreadField(name, call[name]));
  return {
    ...call,
    ...Object.fromEntries(old.map((name) => [name, null])),
    unread: [...call.unread, ...unread],
  };
}
