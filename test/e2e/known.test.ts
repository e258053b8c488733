import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { until } from "../support/until.ts";

let sandbox: TestSandbox;
let gateway: TestGateway;
let directory: Directory;
let env: Record<string, string>;
beforeAll(async () => {
  directory = await temporaryDirectory();
  env = { DATABASE_URL: directory.database };
  sandbox = await startSandbox();
  gateway = await startGateway(sandbox, env);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});
beforeEach(() => sandbox.forget());

interface Tasks {
  tasks: {
    nodes: ({ taskId: string } | null)[];
    edges: { cursor: string; node: { taskId: string } | null }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}
interface Version {
  id: string;
  assistantId: string;
  versionId: string;
  prompt: string;
}

const knownIds = async () => {
  const { data } = await gateway.ask<Tasks>("{ tasks(first: 100) { nodes { taskId } } }");
  return data?.tasks.nodes.map((task) => task?.taskId ?? null) ?? [];
};

describe("the list of known tasks", () => {
  it("has tasks of queries and events, and null for tasks that the service has no longer", async () => {
    const tasks = [
      { id: 910_001, name: "Asked for", createdAt: "2026-01-05 08:00:00", updatedAt: "2026-01-05 09:00:00" },
      { id: 910_002, name: "Called", createdAt: "2026-01-05 08:00:00", updatedAt: "2026-01-05 08:00:00" },
    ];
    await sandbox.control("POST", "seed", { tasks });
    expect(await knownIds()).toEqual([]);
    await gateway.ask('{ tasksByIds(taskIds: ["910001", "910009"]) { name } }');
    expect(await knownIds()).toEqual(["910001"]);
    await gateway.deliver(callEndedEvent({ task_id: 910_002, end_at: "2026-01-06 09:00:00" }));
    await gateway.deliver(callEndedEvent({ task_id: 910_404, end_at: "2026-01-07 09:00:00" }));
    await until(async () => (await knownIds()).length === 3);
    const { data, errors } = await gateway.ask<Tasks>("{ tasks { nodes { taskId name } } }");
    expect(errors).toBeUndefined();
    expect(data?.tasks.nodes).toEqual([
      null,
      { taskId: "910002", name: "Called" },
      { taskId: "910001", name: "Asked for" },
    ]);
  });

  it("requests only the tasks that are shown, page by page", async () => {
    const page = (after: string | null) =>
      gateway.ask<Tasks>(
        "query($after: String) { tasks(first: 1, after: $after) { edges { cursor } pageInfo { hasNextPage endCursor } } }",
        { after },
      );
    let after: string | null = null;
    for (const hasNextPage of [true, true, false]) {
      const { tasks } = (await page(after)).data as Tasks;
      expect(tasks.pageInfo).toEqual({ hasNextPage, endCursor: tasks.edges[0]?.cursor });
      after = tasks.pageInfo.endCursor;
    }
    expect((await page(after)).data?.tasks.edges).toEqual([]);
    expect(await sandbox.requests()).toEqual([]);
    for (const forged of ["x", `${after}x`, ""]) {
      expect((await page(forged)).errors?.[0]?.extensions["code"]).toBe("CURSOR_INVALID");
    }
  });
});

describe("an assistant", () => {
  const FIELDS = "id assistantId versionId prompt";

  it("is found by version in a call, by query and as a node, without a request to the service", async () => {
    const { assistants } = await sandbox.control<{ assistants: { id: string; versions: string[] }[] }>("GET", "");
    const { id, versions } = assistants.findLast((one) => one.versions.length > 1) as (typeof assistants)[number];
    const [older = "", newer = ""] = versions;
    const tasks = [older, newer].map((vid, at) => ({ id: 920_001 + at, assistantId: id, assistantVid: vid }));
    await sandbox.control("POST", "seed", { tasks });
    const infos = [older, newer, "1"].map((vid) => ({ assistant_id: id, assistant_vid: vid }));
    await gateway.deliver(callEndedEvent({ session_id: "handled", assistant_infos: infos }));

    const see = async (taskId: number) =>
      (await gateway.ask<{ task: { assistant: Version } }>(`{ task(taskId: "${taskId}") { assistant { ${FIELDS} } } }`))
        .data?.task.assistant;
    const asked = async () =>
      (
        await gateway.ask<{ latest: Version; one: Version | null; callEnded: { assistants: object[] } }>(`{
          latest: assistant(assistantId: "${id}") { versionId }
          one: assistant(assistantId: "${id}", versionId: "${older}") { ${FIELDS} }
          callEnded(sessionId: "handled") { assistants { versionId assistant { ${FIELDS} } } }
        }`)
      ).data;

    expect(await asked()).toMatchObject({ latest: null, one: null });
    const second = await see(920_002);
    expect(second).toMatchObject({ assistantId: id, versionId: newer });
    expect(await asked()).toMatchObject({ latest: { versionId: newer }, one: null });
    const first = await see(920_001);
    expect(first?.prompt).not.toBe(second?.prompt);

    await sandbox.forget();
    expect(await asked()).toEqual({
      latest: { versionId: older },
      one: first,
      callEnded: {
        assistants: [
          { versionId: older, assistant: first },
          { versionId: newer, assistant: second },
          { versionId: "1", assistant: null },
        ],
      },
    });
    const node = async () =>
      (
        await gateway.ask<{ nodes: Version[] }>(
          "query($ids: [ID!]!) { nodes(ids: $ids) { ... on Assistant { prompt } } }",
          {
            ids: [second?.id, first?.id],
          },
        )
      ).data?.nodes;
    expect(await node()).toEqual([{ prompt: second?.prompt }, { prompt: first?.prompt }]);

    // It is still known after a restart.
    await gateway[Symbol.asyncDispose]();
    gateway = await startGateway(sandbox, env);
    expect(await asked()).toMatchObject({ latest: { versionId: older }, one: first });
    expect(await node()).toEqual([{ prompt: second?.prompt }, { prompt: first?.prompt }]);
    expect(await sandbox.requests()).toEqual([]);
    expect(await knownIds()).toContain("910002");
  });

  it.each(["0", "1/..", "x", "-1"])("is refused for the id %j", async (id) => {
    const { errors } = await gateway.ask("query($id: ID!) { assistant(assistantId: $id) { id } }", { id });
    expect(errors?.[0]?.extensions["code"]).toBe("BAD_USER_INPUT");
  });
});

describe("odd values of the service", () => {
  it("are shown: fractions, an unknown status, a missing time, ids beyond 2^53", async () => {
    const raw = { status: "paused", createdAt: "soon", progress: 33.3, collectionRate: "12.5", assistantVid: null };
    await sandbox.control("POST", "seed", { tasks: [{ id: "9007199254740993125", raw }] });
    const query = `{ task(taskId: "9007199254740993125") {
      taskId status createdAt progress collectionRate assistantVersionId unread { field text } callLogs { totalCount nodes { id } }
    } }`;
    const { data, errors } = await gateway.ask(query);
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({
      task: {
        taskId: "9007199254740993125",
        status: "UNKNOWN",
        createdAt: null,
        progress: 33.3,
        collectionRate: 12.5,
        assistantVersionId: null,
        unread: [
          { field: "status", text: "paused" },
          { field: "createdAt", text: "soon" },
        ],
        callLogs: { totalCount: 0, nodes: [] },
      },
    });
    expect((await sandbox.requests()).at(-1)?.query).toContain("taskId=9007199254740993125");
  });

  it("are named if a required field is missing, which fails that object", async () => {
    await sandbox.control("POST", "seed", {
      tasks: [
        { id: 930_001, omit: ["progress"] },
        { id: 930_002, raw: { option: { numbers: [] } } },
      ],
    });
    const { data, errors } = await gateway.ask(`{
      a: task(taskId: "930001") { taskId }
      b: task(taskId: "930002") { taskId option { retryCount } }
    }`);
    expect(data).toEqual({ a: null, b: { taskId: "930002", option: null } });
    expect(
      errors?.map(({ path, extensions, message }) => [path?.[0], extensions["code"], message.split(" ").at(-1)]),
    ).toEqual(
      expect.arrayContaining([
        ["a", "UPSTREAM_CONTRACT", "progress."],
        ["b", "UPSTREAM_CONTRACT", expect.stringMatching(/^option\./)],
      ]),
    );
  });
});
