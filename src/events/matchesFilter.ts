// Whether a filter lets an event through, in memory. store/log/eventFilter.ts says the same in SQL, and a test holds the two
// equal.
import type { EventFilter } from "../store/log/eventStore.ts";
import { columnText, wasAnswered, type CallEndedEvent } from "./callEndedEvent.ts";

export function matchesFilter(event: CallEndedEvent, filter: EventFilter): boolean {
  const { taskIds, assistantIds, direction, hangupSide, answered, phone, since, until } = filter;
  const endedAt = event.endAt ?? event.receivedAt;
  return (
    (taskIds === undefined || (event.taskId !== null && taskIds.includes(event.taskId))) &&
    (assistantIds === undefined || event.assistants.some(({ assistantId }) => assistantIds.includes(assistantId))) &&
    (direction === undefined || event.direction === direction) &&
    (hangupSide === undefined || event.hangupSide === hangupSide) &&
    (answered === undefined || wasAnswered(event) === answered) &&
    (phone === undefined || [event.caller, event.callee].some((text) => columnText(text) === phone)) &&
    (since === undefined || endedAt >= since) &&
    (until === undefined || endedAt < until)
  );
}
