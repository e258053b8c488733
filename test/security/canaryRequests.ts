// The requests, webhooks and faults of canaries.test.ts, with a marked number and marked texts in every field that takes one.
import type { FaultInput } from "../../sandbox/src/control/faults.ts";
import { TOKEN } from "../support/sandbox.ts";
import { createTaskInput } from "../tasks/input.ts";

/** A masked number shows none of its middle digits. */
export const NUMBER = "13955667788";
export const DIGITS = "95566778";
export const EXTRA = "canary-of-extra";
export const SERVICE_TEXT = "canary-of-the-service";

export const CALL = "sessionId caller callee task { name assistant { name welcome websocketUrl } } ";
export const EVENT = "sessionId caller callee hangupReason taskId unread { field text }";
export const READ = [
  `{ callLogs(first: 20) { nodes { ${CALL} callEnded { ${EVENT} } } } }`,
  `{ callEndedEvents(first: 20, revisions: true) { nodes { ${EVENT} callLog { ${CALL} } } } }`,
  `query($id: ID!) { callEnded(sessionId: $id) { ${EVENT} recording { id status failure } } }`,
  "{ quarantinedDeliveries(first: 100) { nodes { body reason } } taskSubmissions(first: 10) { nodes { id name status submittedBy } } auditEvents { nodes { id actor action subjectId count } } }",
  "{ __schema { types { name fields { name } inputFields { name } } } }",
];
export const WHOLE = `{ callEndedEvents(first: 100) { nodes { caller callee extra recordUrl } } callLogs { nodes { callee recordFile
  task { assistant { prompt knowledge creatorEmail } } } } }`;
export const CREATE = `mutation($input: CreateTaskInput!) { createTask(input: $input) {
  submission { id status } replayed errors { code message path } } }`;
export const bad: [string, object][] = [
  ["query($phone: String) { callLogs(filter: { phone: $phone }) { totalCount } }", { phone: NUMBER }],
  ["query($first: Int!) { callLogs(first: $first) { totalCount } }", { first: NUMBER }],
  ["query($since: DateTime!) { callLogs(filter: { since: $since }) { totalCount } }", { since: `${NUMBER} o'clock` }],
  [`{ callLogs(filter: { direction: D${NUMBER} }) { totalCount } }`, {}],
  [`{ task(taskId: "+${NUMBER}") { name } }`, {}],
  [`{ callLogs(after: "${NUMBER}") { totalCount } }`, {}],
  [`{ nothing_${NUMBER} }`, {}],
  [`{ broken ${NUMBER} `, {}],
  ["mutation($number: String!) { forgetPhone(number: $number) { events } }", { number: `call ${NUMBER}` }],
  [CREATE, { input: { ...createTaskInput(), numbers: [{ number: `${NUMBER}x`, extra: { a: EXTRA } }] } }],
  [CREATE, { input: { ...createTaskInput(), numbers: [{ number: [NUMBER] }] } }],
];

export const faults: [string, FaultInput][] = [
  ["none", { kind: "latency", ms: 0 }],
  ["a 500", { kind: "status", status: 500, body: `${SERVICE_TEXT} ${NUMBER} ${TOKEN}` }],
  ["a 403", { kind: "status", status: 403, body: `${SERVICE_TEXT} ${NUMBER} ${TOKEN}` }],
  ["a 429", { kind: "status", status: 429, retryAfter: 1, body: `${SERVICE_TEXT} ${NUMBER}` }],
  ["a redirect", { kind: "status", status: 302, location: `http://127.0.0.1:9/?phone=${NUMBER}` }],
  ["a connection that breaks", { kind: "reset" }],
  ["no answer", { kind: "hang" }],
  ["a cut body", { kind: "truncate" }],
  ...(["notJson", "html", "null", "envelope", "contentType"] as const).map((as): [string, FaultInput] => [
    `a malformed body: ${as}`,
    { kind: "malformed", as },
  ]),
  ["its own text", { kind: "replace", body: `{"message":"${SERVICE_TEXT} ${NUMBER}","token":"${TOKEN}"}` }],
  [
    "a row that is none",
    { kind: "replace", body: `{"total":1,"page_index":1,"page_size":1,"list":["${NUMBER}"],"x":"${SERVICE_TEXT}"}` },
  ],
  ["no JSON", { kind: "replace", body: `${SERVICE_TEXT} ${NUMBER}` }],
];
