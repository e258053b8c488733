// Whether a number stands in what is kept of a call: in its caller, its callee, its variables, or any text that the
// sender may have put it into. Ids, times and durations are no texts: a number there is a coincidence.
import type { StoredCall } from "../events/callEndedEvent.ts";

type Texts = Pick<
  StoredCall,
  "sessionId" | "eventName" | "caller" | "callee" | "hangupReason" | "recordUrl" | "extra" | "unread" | "origins"
>;

/** `data` is an entry of the log, JSON; where it cannot be read, all of it is searched. */
export function callHoldsPhone(data: string, matches: (text: string) => boolean): boolean {
  const texts = textsOf(data);
  return texts === null ? matches(data) : texts.some(matches);
}

/** Null: no entry of ours. */
function textsOf(data: string): string[] | null {
  try {
    const { origins, ...told } = JSON.parse(data) as Texts;
    const { sessionId, eventName, caller, callee, hangupReason, recordUrl, extra, unread } = told;
    const link = origins?.link;
    return [sessionId, eventName, caller, callee, hangupReason, recordUrl, link, extra, unread].flatMap(textsIn);
  } catch {
    return null;
  }
}

/** Keys too. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}
