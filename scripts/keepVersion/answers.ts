// Asks a gateway for all that its database holds, without the service. The answers of an earlier version must be those of this one.
import type { GatewayAddress } from "../../test/support/gateway.ts";

/** Earlier versions do not know all of them. */
const documents = {
  events: `{ callEndedEvents(first: 100, revisions: true) { nodes {
    cursor sessionId revision source receivedAt direction caller callee startAt answerAt endAt answered duration billsec ringTime
    hangupSide hungUpBy hangupReason taskId taskItemId extra assistants { assistantId versionId } unread { field text } } } }`,
  callStats: `{ callStats { calls answered totalDuration numbersCalled byHangupReason { reason calls } byTask { taskId calls }
    byAssistant { assistantId calls } } }`,
  quarantine: `{ quarantinedDeliveries(first: 100) { nodes { receivedAt reason body } } }`,
  submissions: `{ taskSubmissions(first: 100) { nodes { idempotencyKey name status assistantId numberCount submittedAt taskId } } }`,
  matches: `{ taskSubmissions(first: 100) { nodes { idempotencyKey matchedBy } } }`,
  recordings: `{ callEndedEvents(first: 100) { nodes { sessionId recording { status contentType bytes archivedAt failure } } } }`,
  assistants: `{ assistants { nodes { assistantId name lastMetAt versionIds } } lines { nodes { lineId lastMetAt } } }`,
  audit: `{ auditEvents(first: 100) { nodes { at actor action count } } }`,
} satisfies Record<string, string>;

export const documentNames = Object.keys(documents);

export type Answers = Record<string, unknown>;

/** The answers by the names of the documents, or of those that a version of its answers has. Throws for any other error. */
export async function askAll(gateway: GatewayAddress, names: readonly string[] = documentNames): Promise<Answers> {
  const answers: Answers = {};
  for (const [name, document] of Object.entries(documents)) {
    if (!names.includes(name)) continue;
    const { data, errors = [] } = await gateway.ask(document);
    if (errors.some(({ extensions }) => extensions["code"] === "GRAPHQL_VALIDATION_FAILED")) continue;
    if (errors.length > 0) throw new Error(`${name}: ${JSON.stringify(errors)}`);
    answers[name] = data;
  }
  return answers;
}
