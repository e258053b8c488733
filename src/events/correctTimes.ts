// Corrects calls whose times an earlier version believed, such as an answer in 1970 or 2099: each gets a revision without that time. A
// durable reader passes it the whole log once, and then each new event.
import { unreadField } from "../format/fieldReader.ts";
import { instantOf } from "../format/instant.ts";
import { END_OF_CALLS_MS, FIRST_CALL_MS, meansNever } from "../format/noTime.ts";
import type { CallEndedData, CallEndedEvent } from "./callEndedEvent.ts";
import type { EventLog } from "./eventLog.ts";

const [FIRST_CALL, END_OF_CALLS] = [instantOf(FIRST_CALL_MS), instantOf(END_OF_CALLS_MS)];
/** Its name has the rule's limits: with other limits another reader passes the whole log once more. */
export const TIMES_READER = `believable times ${FIRST_CALL.slice(0, 10)} to ${END_OF_CALLS.slice(0, 10)}`;
const TIMES = ["startAt", "answerAt", "endAt"] as const;

/** The `handle` of a durable reader. Handling an event twice appends nothing the second time. */
export function correctTimes({ reread }: Pick<EventLog, "reread">) {
  return async (events: readonly CallEndedEvent[]): Promise<void> => {
    for (const event of events) {
      if (!TIMES.some((name) => isImpossible(event[name]))) continue;
      const { cursor: _cursor, receivedAt: _receivedAt, origins: _origins, revision, source, ...call } = event;
      await reread(event.sessionId, [{ revision, source, call: withoutImpossibleTimes(call) }]);
    }
  };
}

const isImpossible = (instant: string | null) => instant !== null && (instant < FIRST_CALL || instant >= END_OF_CALLS);

function withoutImpossibleTimes(call: CallEndedData): CallEndedData {
  const impossible = TIMES.filter((name) => isImpossible(call[name]));
  const unread = impossible
    .filter((name) => !meansNever(call[name] ?? ""))
    .map((name) => unreadField(name, call[name]));
  return {
    ...call,
    ...Object.fromEntries(impossible.map((name) => [name, null])),
    unread: [...call.unread, ...unread],
  };
}
