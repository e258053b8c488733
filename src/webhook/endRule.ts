// Decides whether an event is the end of a call: it shows one, and has one of the names of EVENT_NAMES where that is set. The service's
// document names one event and not its value (service.md, section 6), so that another one may come to the same address.
import { showsEnd, type CallEndedData } from "../events/callEndedEvent.ts";

/** Null: it is the end of a call. Else the reason why not, without any part of the event. */
export type WhyNoEnd = (call: CallEndedData) => string | null;

/** `names`: of EVENT_NAMES; none: any name. */
export function createEndRule(names: readonly string[]): WhyNoEnd {
  const known = new Set(names);
  return (call) => {
    if (known.size > 0 && !known.has(call.eventName ?? "")) return "EVENT_NAMES does not have the event's name.";
    return showsEnd(call) ? null : "The event does not show that its call has ended.";
  };
}
