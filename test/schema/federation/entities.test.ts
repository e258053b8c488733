import { describe, expect, it } from "vitest";
import { createSubgraph } from "../../../src/schema/federation/subgraph.ts";
import { schema as wholeGraph } from "../../../src/schema/schema.ts";
import { codes, pipeline } from "../../graphql/pipeline.ts";
import { task } from "../../resolvers/world.ts";
import { nodeId } from "../../../src/resolvers/nodeId.ts";
import { submission } from "../../store/tempStore.ts";

const schema = createSubgraph(wholeGraph);
const ENTITIES = `query Entities($representations: [_Any!]!) {
  _entities(representations: $representations) { __typename ... on Task { taskId name } ... on CallLog { sessionId } }
}`;
const tasks = { "7": task(), "8": task({ taskId: "8", name: "Survey" }) };
const ofTask = (taskId: unknown) => ({ __typename: "Task", taskId });

describe.each([true, false])("Query._entities, with compiled operations: %s", (compiles) => {
  const subgraph = (own: Parameters<typeof pipeline>[0] = {}) => pipeline({ schema, compiles, tasks, ...own });

  it("answers in the order of the representations, with null for an object that is not there", async () => {
    const { run, askedTasks } = subgraph();
    const result = await run(ENTITIES, { representations: [ofTask("8"), ofTask("9"), ofTask(7), ofTask("8")] });
    expect(result).toEqual({
      data: {
        _entities: [
          { __typename: "Task", taskId: "8", name: "Survey" },
          null,
          { __typename: "Task", taskId: "7", name: "Reminder" },
          { __typename: "Task", taskId: "8", name: "Survey" },
        ],
      },
    });
    expect(askedTasks).toEqual(["8", "9", "7"]);
  });

  it("takes representations that are written in the document", async () => {
    const { run } = subgraph();
    const document = `{ _entities(representations: [{ __typename: "Task", taskId: "7" }]) { ... on Task { name } } }`;
    expect(await run(document)).toEqual({ data: { _entities: [{ name: "Reminder" }] } });
  });

  it.each([
    {},
    { __typename: "Task" },
    { __typename: "Task", taskId: "" },
    { __typename: "Task", taskId: "seven" },
    { __typename: "Task", taskId: 1.5 },
    { __typename: "Task", taskId: { id: 7 } },
    { __typename: "Recording", id: "7" },
    { __typename: "toString", taskId: "7" },
    { __typename: 7, taskId: "7" },
    { __typename: "Assistant", assistantId: "7" },
    { __typename: "CallLog", sessionId: null },
    { __typename: "TaskSubmission", id: "7" },
    { __typename: "Person", phone: "A068" },
    { __typename: "Person", phone: "+86138" },
  ])("refuses the malformed representation %j alone", async (malformed) => {
    const { run } = subgraph();
    const { data, errors } = await run(ENTITIES, { representations: [malformed, ofTask("7")] });
    expect(data).toEqual({ _entities: [null, { __typename: "Task", taskId: "7", name: "Reminder" }] });
    expect(codes(errors)).toEqual(["BAD_USER_INPUT"]);
    expect(errors?.[0]?.path).toEqual(["_entities", 0]);
  });

  it("refuses a representation that is no object before it runs", () => {
    const { refusal } = subgraph();
    for (const bad of ["Task", 7, null, [ofTask("7")]])
      expect(codes(refusal({ query: ENTITIES, variables: { representations: [bad] } }))).toEqual(["BAD_USER_INPUT"]);
  });

  it("finds a submission by its id, for viewers with tasks:create only", async () => {
    const own = { submissions: { byId: async (id: string) => (id === "1" ? submission({ id }) : null) } } as never;
    const { run } = subgraph({ own });
    const representations = [{ __typename: "TaskSubmission", id: nodeId("TaskSubmission", "1") }];
    const typed = await run(ENTITIES, { representations });
    expect(typed).toEqual({ data: { _entities: [{ __typename: "TaskSubmission" }] } });
    const { data, errors } = await run(ENTITIES, { representations }, ["calls:read"]);
    expect(data).toEqual({ _entities: [null] });
    expect(codes(errors)).toEqual(["FORBIDDEN"]);
  });
});

describe("The cost of Query._entities", () => {
  const many = (count: number, representation: (at: number) => object) => ({
    representations: Array.from({ length: count }, (_, at) => representation(at)),
  });
  const nested = `query ($representations: [_Any!]!) {
    _entities(representations: $representations) { ... on Task { callLogs { nodes { sessionId } } } ... on Person { phone } }
  }`;

  it("is that of tasksByIds for tasks", () => {
    const variables = many(100, (at) => ofTask(String(at + 1)));
    expect(codes(pipeline({ schema, queryBudget: 99 }).refusal({ query: ENTITIES, variables }))).toEqual([
      "QUERY_TOO_COMPLEX",
    ]);
    pipeline({ schema, queryBudget: 100 }).prepared(ENTITIES, variables);
    const byIds = "query ($taskIds: [ID!]!) { tasksByIds(taskIds: $taskIds) { name } }";
    const taskIds = variables.representations.map((each) => (each as { taskId: string }).taskId);
    pipeline({ schema, queryBudget: 100 }).prepared(byIds, { taskIds });
  });

  it("counts the fields of each type as often as the type is named", () => {
    const variables = many(10, (at) => (at < 3 ? ofTask("7") : { __typename: "Person", phone: "+8613800010001" }));
    pipeline({ schema, queryBudget: 6 }).prepared(nested, variables);
    expect(codes(pipeline({ schema, queryBudget: 5 }).refusal({ query: nested, variables }))).toEqual([
      "QUERY_TOO_COMPLEX",
    ]);
  });

  it("counts a search for each call, and rows for each event", () => {
    const calls = many(10, () => ({ __typename: "CallLog", sessionId: "s-1" }));
    expect(codes(pipeline({ schema, queryBudget: 99 }).refusal({ query: ENTITIES, variables: calls }))).toEqual([
      "QUERY_TOO_COMPLEX",
    ]);
    const events = many(10, () => ({ __typename: "CallEnded", sessionId: "s-1" }));
    expect(codes(pipeline({ schema, logBudget: 9 }).refusal({ query: ENTITIES, variables: events }))).toEqual([
      "QUERY_TOO_COMPLEX",
    ]);
  });
});

describe("Person", () => {
  const CALLS = `query ($representations: [_Any!]!) {
    _entities(representations: $representations) { ... on Person { calls { totalCount } } }
  }`;
  const variables = { representations: [{ __typename: "Person", phone: "+8613800010001" }] };

  it("is refused without people:read, whether or not one of its fields is selected", async () => {
    const { refusal, run } = pipeline({ schema });
    expect(codes(refusal({ query: CALLS, variables }, ["calls:read"]))).toEqual(["FORBIDDEN"]);
    expect(codes((await run(ENTITIES, variables, ["calls:read"])).errors)).toEqual(["FORBIDDEN"]);
  });
});

describe("Query._service", () => {
  it("is there for every viewer without introspection, and the graph itself is not", async () => {
    const { run, refusal } = pipeline({ schema, introspection: false });
    const { data, errors } = await run("{ _service { sdl } }", undefined, []);
    expect(errors).toBeUndefined();
    expect((data as { _service: { sdl: string } })._service.sdl).toContain(
      'type Task implements Node @key(fields: "taskId")',
    );
    expect(codes(refusal({ query: "{ __schema { types { name } } }" }))).toContain("GRAPHQL_VALIDATION_FAILED");
  });

  it("is not in the graph without FEDERATION=on", () => {
    expect(codes(pipeline().refusal({ query: "{ _service { sdl } }" }))).toEqual(["GRAPHQL_VALIDATION_FAILED"]);
  });
});
