import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectTestSandbox, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { taskInputFor } from "./submitting.ts";

const ENTITIES = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) {
    __typename
    ... on Task { taskId name status }
    ... on Assistant { assistantId versionId title: name }
    ... on CallLog { sessionId caller task { name } }
    ... on CallEnded { cursor ended: sessionId by: caller of: task { name } }
    ... on TaskSubmission { id numberCount submittedAt }
    ... on Person { phone }
  }
}`;
/** The same objects, by the root fields of their keys. */
const DIRECT = `query ($taskId: ID!, $assistantId: ID!, $versionId: ID!, $sessionId: ID!, $id: ID!) {
  task(taskId: $taskId) { __typename taskId name status }
  assistant(assistantId: $assistantId, versionId: $versionId) { __typename assistantId versionId title: name }
  callLog(sessionId: $sessionId) { __typename sessionId caller task { name } }
  callEnded(sessionId: $sessionId) { __typename cursor ended: sessionId by: caller of: task { name } }
  taskSubmission(id: $id) { __typename id numberCount submittedAt }
}`;
const CREATE = "mutation ($input: CreateTaskInput!) { createTask(input: $input) { submission { id } } }";
const BY_IDS = `query ($taskIds: [ID!]!) { tasksByIds(taskIds: $taskIds) { __typename taskId name status } }`;
const VIEWERS = { everything: ["calls:read", "people:read", "tasks:create"], calls: ["calls:read"], router: [] };
const as = (viewer: keyof typeof VIEWERS) => ({ authorization: bearer(viewer) });

const TASK_IDS = Array.from({ length: 100 }, (_, at) => String(920_001 + at));
const [taskId = ""] = TASK_IDS;
const ofTask = (id: string) => ({ __typename: "Task", taskId: id });

describe("Query._entities of a gateway", () => {
  const parts = new AsyncDisposableStack();
  let sandbox: TestSandbox;
  let gateway: TestGateway;
  let assistant: { assistantId: string; versionId: string };

  beforeAll(async () => {
    const folder = parts.use(await temporaryDirectory());
    sandbox = parts.use(await startSandbox({ traffic: false }));
    const { assistants } = await sandbox.control<{ assistants: { id: string; versions: string[] }[] }>("GET", "");
    assistant = { assistantId: assistants[0]?.id ?? "", versionId: assistants[0]?.versions[0] ?? "" };
    const tasks = TASK_IDS.map((id) => ({
      id: Number(id),
      assistantId: assistant.assistantId,
      assistantVid: assistant.versionId,
    }));
    await sandbox.control("POST", "seed", { tasks });
    const API_KEYS_FILE = await writeKeys(folder.path, VIEWERS);
    const env = { FEDERATION: "on", INTROSPECTION: "off", QUERY_BUDGET: "100", API_KEYS_FILE };
    gateway = parts.use(await startGateway(sandbox, env));
    await connectTestSandbox(sandbox, gateway);
  });
  afterAll(() => parts.disposeAsync());

  async function entities(representations: unknown, viewer: keyof typeof VIEWERS = "everything") {
    const { data, errors = [] } = await gateway.ask<{ _entities: unknown[] }>(
      ENTITIES,
      { representations },
      as(viewer),
    );
    return {
      found: data?._entities,
      errors: errors.map(({ message, path, extensions }) => ({ message, path, code: extensions["code"] })),
    };
  }

  it("answers each type with a key as the root field of its key does", async () => {
    const sessionId = await sandbox.endCall({ caller: "13899990000" });
    const received = "query ($sessionId: ID!) { callEnded(sessionId: $sessionId) { cursor } }";
    type Received = { callEnded: object | null };
    await until(async () => (await gateway.ask<Received>(received, { sessionId }, as("everything"))).data?.callEnded);
    type Created = { createTask: { submission: { id: string } } };
    const { data: created } = await gateway.ask<Created>(CREATE, { input: taskInputFor("11") }, as("everything"));
    const id = created?.createTask.submission.id;
    // The gateway knows an assistant from a task that it saw.
    await gateway.ask(BY_IDS, { taskIds: [taskId] }, as("everything"));
    const variables = { taskId, ...assistant, sessionId, id };
    const { data, errors } = await gateway.ask<Record<string, { __typename: string }>>(
      DIRECT,
      variables,
      as("everything"),
    );
    expect(errors).toBeUndefined();
    const objects = Object.values(data ?? {});
    const names = ["Task", "Assistant", "CallLog", "CallEnded", "TaskSubmission"];
    expect(objects.map(({ __typename }) => __typename)).toEqual(names);
    const keys = [{ taskId }, assistant, { sessionId }, { sessionId }, { id }];
    const representations = keys.map((key, at) => ({ __typename: names[at], ...key }));
    expect(await entities(representations)).toEqual({ found: objects, errors: [] });
    expect(await entities(representations.toReversed())).toEqual({ found: objects.toReversed(), errors: [] });
  });

  it("sends for 100 tasks the requests that tasksByIds sends, and counts them alike", async () => {
    const sentFor = async (run: () => Promise<unknown>) => {
      await sandbox.forget();
      const found = await run();
      const sent = (await sandbox.requests()).map(({ method, path, query }) => `${method} ${path}?${query}`);
      return { found, sent: sent.sort() };
    };
    const representations = TASK_IDS.map(ofTask);
    const byIds = await sentFor(
      async () =>
        (await gateway.ask<{ tasksByIds: unknown[] }>(BY_IDS, { taskIds: TASK_IDS }, as("everything"))).data
          ?.tasksByIds,
    );
    const byEntities = await sentFor(async () => (await entities(representations)).found);
    expect(byEntities).toEqual(byIds);
    expect(byIds.found).toHaveLength(100);
    expect(byIds.found).not.toContain(null);
    const { found, errors } = await entities([...representations, ofTask("930001")]);
    expect(found).toBeUndefined();
    expect(errors).toMatchObject([{ code: "QUERY_TOO_COMPLEX" }]);
  });

  it.each([
    ["a text", "Task"],
    ["a number", 7],
    ["a list", [ofTask("7")]],
  ])("says of %s that a representation is an object", async (_, representation) => {
    const { found, errors } = await entities([ofTask("7"), representation]);
    expect(found).toBeUndefined();
    const message = expect.stringContaining(
      "at [1]: A representation is an object with __typename and the fields of a key.",
    ) as string;
    expect(errors).toEqual([{ code: "BAD_USER_INPUT", message, path: undefined }]);
    const literal = `{ _entities(representations: [${JSON.stringify(representation).replaceAll(/"(\w+)":/g, "$1:")}]) { __typename } }`;
    const written = await gateway.ask(literal, {}, as("everything"));
    expect(written.errors?.[0]?.message).toContain("A representation is an object with __typename");
  });

  it("refuses a representation that is null", async () => {
    const { found, errors } = await entities([ofTask("7"), null]);
    expect(found).toBeUndefined();
    expect(errors).toMatchObject([
      { code: "BAD_USER_INPUT", message: expect.stringContaining("at [1]: Expected") as string },
    ]);
  });

  it.each([
    [{ __typename: "Task" }, "A representation of the type Task needs taskId, a text."],
    [{ __typename: "Assistant", assistantId: "7" }, "A representation of the type Assistant needs versionId, a text."],
    [
      { __typename: "Recording", id: "7" },
      "__typename of a representation must be one of Task, Assistant, CallLog, CallEnded, TaskSubmission, Person.",
    ],
    [
      { taskId: "7" },
      "__typename of a representation must be one of Task, Assistant, CallLog, CallEnded, TaskSubmission, Person.",
    ],
    [{ __typename: "Person", phone: "Li" }, "phone of a Person must be a phone number of 7 to 15 digits."],
  ])("says what %j lacks", async (representation, message) => {
    expect(await entities([representation, ofTask(taskId)])).toEqual({
      found: [null, expect.objectContaining({ taskId })],
      errors: [{ code: "BAD_USER_INPUT", message, path: ["_entities", 0] }],
    });
  });

  it("lets a key without scopes read the subgraph, and nothing else", async () => {
    const read = await gateway.ask<{ _service: { sdl: string } }>("{ _service { sdl } }", {}, as("router"));
    expect(read.errors).toBeUndefined();
    expect(read.data?._service.sdl).toContain('type Task implements Node @key(fields: "taskId")');
    for (const query of ["{ __schema { types { name } } }", '{ __type(name: "Task") { name } }'])
      expect((await gateway.ask(query, {}, as("router"))).errors?.[0]?.extensions["code"]).toBe(
        "GRAPHQL_VALIDATION_FAILED",
      );
    const names = ["Task", "Assistant", "CallLog", "CallEnded", "TaskSubmission", "Person"];
    const keys = { taskId, ...assistant, sessionId: "s-1", id: "1", phone: "13899990000" };
    const { found, errors } = await entities(
      names.map((__typename) => ({ __typename, ...keys })),
      "router",
    );
    expect((found ?? []).filter((object) => object !== null)).toEqual([]);
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(["FORBIDDEN"]));
  });
});

const PERSON = `query ($representations: [_Any!]!) {
  _entities(representations: $representations) { ... on Person { phone calls(first: 10) { nodes { sessionId } } } }
}`;

describe("Person without country code", () => {
  it.each(["13899990000", "138 9999 0000", "138-9999-0000", "(138) 9999-0000", " 13899990000 ", "013899990000"])(
    "has the calls of the number, written as %j",
    async (phone) => {
      await using sandbox = await startSandbox({ traffic: false });
      await using gateway = await startGateway(sandbox, { FEDERATION: "on" });
      const sessionId = await sandbox.endCall({ caller: "13899990000" });
      await sandbox.endCall({ caller: "13899990001" });
      const representations = [
        { __typename: "Person", phone },
        { __typename: "Person", phone: "+86 138 9999 0000" },
      ];
      const { data, errors } = await gateway.ask(PERSON, { representations });
      expect(errors).toBeUndefined();
      const calls = { nodes: [{ sessionId }] };
      expect(data).toEqual({ _entities: representations.map((each) => ({ phone: each.phone, calls })) });
    },
  );
});
