// Every root field says here how it obeys the access of a viewer to some rows only.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scopes } from "../../src/auth/scopes.ts";
import { nodeId } from "../../src/resolvers/nodeId.ts";
import { NO_SERVICE, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { openSse } from "../support/streams.ts";
import { allRootFields, rootFields } from "./rootFields.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  const keys = await writeKeys(directory.path, { some: scopes }, { some: { taskIds: ["1"] } });
  gateway = parts.use(await startGateway(NO_SERVICE, { API_KEYS_FILE: keys }));
});
afterAll(() => parts.disposeAsync());

const TASK = `name: "n", assistantId: "1", numbers: [{ number: "13800010001" }], option: { lineIds: ["1"], startDate: "2035-01-01",
  periods: [["09:00", "10:00"]], retryCount: 0, retryIntervalSeconds: 60,
  numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 } }`;

async function codeOf(query: string): Promise<unknown> {
  const { errors } = await gateway.ask(query, {}, { authorization: bearer("some") });
  return errors?.[0]?.extensions["code"];
}

describe("A viewer with access to some rows", () => {
  it("meets no root field that does not say how it obeys access", () => {
    expect(allRootFields()).toEqual(Object.values(rootFields).flat().toSorted());
  });

  it("is refused every root field that shows rows without obeying access", async () => {
    const submission = nodeId("TaskSubmission", "x");
    const text: Record<string, string> = {
      "Query.alertRules": "{ alertRules { name } }",
      "Query.assistants": "{ assistants { hasMore } }",
      "Mutation.approveTask": `mutation { approveTask(id: "${submission}") { __typename } }`,
      "Mutation.declineTask": `mutation { declineTask(id: "${submission}") { __typename } }`,
      "Query.auditEvents": "{ auditEvents { nodes { id } } }",
      "Mutation.checkTask": `mutation { checkTask(input: { ${TASK} }) { __typename } }`,
      "Query.doNotCall": "{ doNotCall { count } }",
      "Query.gateway": "{ gateway { version } }",
      "Query.historyImport": "{ historyImport { __typename } }",
      "Mutation.cancelHistoryImport": "mutation { cancelHistoryImport { __typename } }",
      "Mutation.importHistory": `mutation { importHistory(since: "2026-01-01T00:00:00Z") { __typename } }`,
      "Query.destinations": "{ destinations { name } }",
      "Query.destinationLetters": `{ destinationLetters(name: "crm") { cursor } }`,
      "Mutation.pauseDestination": `mutation { pauseDestination(name: "crm") { name } }`,
      "Mutation.resumeDestination": `mutation { resumeDestination(name: "crm") { name } }`,
      "Mutation.sendDestinationLetter": `mutation { sendDestinationLetter(name: "crm", cursor: "x") }`,
      "Mutation.testDestination": `mutation { testDestination(name: "crm") { at } }`,
      "Mutation.createWebhookTest": "mutation { createWebhookTest { path } }",
      "Query.projections": "{ projections { __typename } }",
      "Mutation.rebuildProjection": `mutation { rebuildProjection(name: "recipients") { __typename } }`,
      "Query.lines": "{ lines { hasMore } }",
      "Query.quarantinedDeliveries": "{ quarantinedDeliveries { nodes { id } } }",
      "Query.rawDelivery": `{ rawDelivery(cursor: "x") { __typename } }`,
      "Mutation.rereadDeliveries": "mutation { rereadDeliveries { __typename } }",
      "Query.taskSubmission": `{ taskSubmission(id: "${submission}") { id } }`,
      "Query.taskSubmissionByKey": `{ taskSubmissionByKey(idempotencyKey: "k") { id } }`,
      "Query.taskSubmissions": "{ taskSubmissions { nodes { id } } }",
      "Mutation.addToDoNotCall": `mutation { addToDoNotCall(numbers: ["13800010001"]) { __typename } }`,
      "Mutation.createTask": `mutation { createTask(input: { idempotencyKey: "k", ${TASK} }) { __typename } }`,
      "Mutation.discardQuarantined": `mutation { discardQuarantined(id: "${nodeId("QuarantinedDelivery", "1")}") { __typename } }`,
      "Mutation.forgetPhone": `mutation { forgetPhone(number: "13800010001") { __typename } }`,
      "Mutation.removeFromDoNotCall": `mutation { removeFromDoNotCall(numbers: ["13800010001"]) { __typename } }`,
      "Mutation.reprocessQuarantined": `mutation { reprocessQuarantined(id: "${nodeId("QuarantinedDelivery", "1")}") { __typename } }`,
    };
    const codes: Record<string, unknown> = {};
    for (const [field, query] of Object.entries(text)) codes[field] = await codeOf(query);
    const query = `subscription { taskSubmission(id: "${submission}") { id } }`;
    await using live = await openSse<unknown>(gateway.url, { query }, { authorization: bearer("some") });
    codes["Subscription.taskSubmission"] = (await live.next()).errors?.[0]?.extensions?.["code"];
    expect(codes).toEqual(
      Object.fromEntries([...rootFields.ofSubmitters, ...rootFields.refused].map((field) => [field, "FORBIDDEN"])),
    );
    for (const id of [submission, nodeId("QuarantinedDelivery", "1"), nodeId("AuditEvent", "1")]) {
      expect(await codeOf(`{ node(id: "${id}") { id } }`), id).toBe("FORBIDDEN");
    }
  });
});
