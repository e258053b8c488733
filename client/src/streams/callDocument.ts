// The subscription behind callEnded: the fields that it selects by default, and its text.
import type { CallAssistant, CallEnded, Recording, UnreadField } from "../generated/graph.ts";

const FIELDS =
  "id cursor sessionId revision source receivedAt eventName direction caller callee startAt answerAt endAt duration billsec answered ringTime hangupSide hungUpBy hangupReason taskId taskItemId";

const NESTED = "assistants { assistantId versionId } recording { id status } unread { field text }";

/** The words of a text. */
export type Words<Text extends string> = Text extends `${infer First} ${infer Rest}` ? First | Words<Rest> : Text;

/** What the scope calls:read gives of an ended call without a request to the service. */
export type CallFields = Pick<CallEnded, "__typename" | Words<typeof FIELDS>> & {
  assistants: Pick<CallAssistant, "assistantId" | "versionId">[];
  recording: Pick<Recording, "id" | "status"> | null;
  unread: Pick<UnreadField, "field" | "text">[];
};

/** The text of the subscription, for a manifest of trusted documents. `fields`: of CallEnded. */
export function callEndedDocument(fields: string = `${FIELDS} ${NESTED}`): string {
  return `subscription CallEndedStream($after: String, $filter: CallEndedFilter, $revisions: Boolean! = false) {
  callEndedStream(after: $after, filter: $filter, revisions: $revisions) {
    __typename
    cursor
    ... on StreamGap { after }
    ... on CallEnded { ${fields} }
  }
}`;
}
