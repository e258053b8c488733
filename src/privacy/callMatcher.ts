// Decides whether an entry of the event log holds a phone number: in its caller, its callee, its variables, or any text the
// sender may have put it into. Ids, times and durations are not searched: a number in them is a coincidence.
import type { StoredCall } from "../events/callEndedEvent.ts";

type Texts = Pick<
  StoredCall,
  "sessionId" | "eventName" | "caller" | "callee" | "hangupReason" | "recordUrl" | "extra" | "unread" | "origins"
>;

/** `data` is an entry of the log, as JSON. Where it cannot be parsed, all of it is searched. */
export function callHoldsPhone(data: string, matches: (text: string) => boolean): boolean {
  const texts = textsOf(data);
  return texts === null ? matches(data) : texts.some(matches);
}

/** Null where `data` is not an entry of the log. */
function textsOf(data: string): string[] | null {
  try {
    const { origins, ...call } = JSON.parse(data) as Texts;
    const { sessionId, eventName, caller, callee, hangupReason, recordUrl, extra, unread } = call;
    const link = origins?.link;
    return [sessionId, eventName, caller, callee, hangupReason, recordUrl, link, extra, unread].flatMap(textsIn);
  } catch {
    return null;
  }
}

/** Values at any depth, and the keys of objects. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}
