import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { EACH_SECOND, endCall } from "../reconcile/endToEnd.ts";
import type { Environment } from "../support/program.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import {
  spawnGateway,
  startGateway,
  temporaryDirectory,
  type Directory,
  type TestGateway,
} from "../support/gateway.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import type { PostgresDatabase } from "../support/postgres/postgres.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { FIELDS, newestTask, statusIs, submissionOf, submit, taskInput, type Submission } from "./submitting.ts";

/** Where it is asked, and where the service's webhooks arrive. */
interface Setting {
  asked: TestGateway;
  receiver: TestGateway;
  stop(): Promise<void>;
}

async function onSqlite(sandbox: Sandbox, env: Environment): Promise<Setting> {
  const one = await startGateway(sandbox, env);
  return { asked: one, receiver: one, stop: async () => one[Symbol.asyncDispose]() };
}

async function onPostgres(sandbox: Sandbox, own: Environment): Promise<Setting> {
  const database: PostgresDatabase = await takeMigratedDatabase();
  const env = { ...own, DATABASE_URL: database.url };
  const [receiver, asked] = await Promise.all([startGateway(sandbox, env), startGateway(sandbox, env)]);
  return {
    receiver,
    asked,
    async stop() {
      await Promise.all([receiver[Symbol.asyncDispose](), asked[Symbol.asyncDispose]()]);
      await database[Symbol.asyncDispose]();
    },
  };
}

const POST = { method: "POST", path: "/openapi/tasks" };

describe.each([
  ["one gateway on SQLite", onSqlite],
  ["two gateways on PostgreSQL", onPostgres],
] as const)("A created task with %s", (_, start) => {
  it("is found by the token of its first call, which is never shown", async () => {
    await using parts = new AsyncDisposableStack();
    const sandbox = parts.use(await emptySandbox());
    // Without reconciliation, which may find the ended call before its webhook comes, and then compares its task.
    const { asked, receiver, stop } = await start(sandbox, {});
    parts.defer(stop);
    connectSandbox(sandbox, receiver);
    const input = taskInput(sandbox);
    const { submission } = await submit(asked, input);
    expect(submission).toMatchObject({ status: "ACCEPTED", taskId: null, matchedBy: null, task: null });
    const taskId = newestTask(sandbox);
    const sessionId = endCall(sandbox, { taskId });
    const found = await statusIs(asked, submission?.id ?? "", "RESOLVED");
    expect(found).toMatchObject({ taskId, matchedBy: "MARK", task: { taskId, name: input["name"] } });
    const { data } = await asked.ask("query($id: ID!) { callEnded(sessionId: $id) { extra } }", { id: sessionId });
    expect(data).toEqual({ callEnded: { extra: { 姓名: "Li" } } });
    const raw = await asked.ask<{ callEnded: { cursor: string } }>(
      "query($id: ID!) { callEnded(sessionId: $id) { cursor } }",
      { id: sessionId },
    );
    const shown = await asked.ask<{ rawDelivery: { body: string } }>(
      "query($cursor: String!) { rawDelivery(cursor: $cursor) { body missing } }",
      raw.data?.callEnded,
    );
    expect(shown).toMatchObject({ status: 200, data: { rawDelivery: { missing: null } } });
    expect(JSON.parse(shown.data?.rawDelivery.body ?? "")).toMatchObject({
      event_data: { extra: { 姓名: "Li", _switchboard: "<hidden>" } },
    });
    expect(await submit(asked, input)).toMatchObject({ replayed: true, submission: { status: "RESOLVED", taskId } });
  });

  let sandbox: Sandbox;
  let setting: Setting;
  beforeAll(async () => {
    sandbox = await emptySandbox();
    setting = await start(sandbox, EACH_SECOND);
    connectSandbox(sandbox, setting.receiver);
  });
  afterAll(async () => {
    await setting.stop();
    await sandbox[Symbol.asyncDispose]();
  });
  afterEach(() => {
    sandbox.control.clearFaults();
    sandbox.control.resetWebhookFaults();
  });

  it("is found after an unconfirmed creation", async () => {
    sandbox.control.addFault({ match: POST, kind: "reset", processed: true, times: 1 });
    const { submission, errors } = await submit(setting.asked, taskInput(sandbox));
    expect([submission?.status, errors]).toEqual(["UNCONFIRMED", []]);
    const taskId = newestTask(sandbox);
    sandbox.control.setWebhookFaults({ copies: 3 });
    endCall(sandbox, { taskId });
    expect(await statusIs(setting.asked, submission?.id ?? "", "RESOLVED")).toMatchObject({ taskId });
  });

  it("is found by comparison if no webhook comes", async () => {
    const { submission } = await submit(setting.asked, taskInput(sandbox));
    const taskId = newestTask(sandbox);
    endCall(sandbox, { taskId, webhook: false });
    const found = await statusIs(setting.asked, submission?.id ?? "", "RESOLVED");
    expect(found).toMatchObject({ taskId, matchedBy: "COMPARISON" });
  });

  it("resolves neither of two equal submissions until a token arrives", async () => {
    const { asked } = setting;
    const one = await submit(asked, taskInput(sandbox, { name: "Twins" }));
    const first = newestTask(sandbox);
    const two = await submit(asked, taskInput(sandbox, { name: "Twins" }));
    const second = newestTask(sandbox);
    endCall(sandbox, { taskId: second, webhook: false });
    const isCompared = () =>
      sandbox.control.requests().some(({ path, method }) => method === "GET" && path.endsWith(`/tasks/${second}`));
    await until(isCompared);
    endCall(sandbox, { taskId: first });
    expect(await statusIs(asked, one.submission?.id ?? "", "RESOLVED")).toMatchObject({ taskId: first });
    expect(await submissionOf(asked, two.submission?.id ?? "")).toMatchObject({ status: "ACCEPTED", taskId: null });
  });

  it("sends subscribers the current state and each change, then completes", async () => {
    const { submission } = await submit(setting.asked, taskInput(sandbox));
    const taskId = newestTask(sandbox);
    const query = `subscription($id: ID!) { taskSubmission(id: $id) { ${FIELDS} } }`;
    await using stream = await openSse<{ taskSubmission: Submission }>(setting.asked.url, {
      query,
      variables: { id: submission?.id },
    });
    expect((await stream.next()).data?.taskSubmission.status).toBe("ACCEPTED");
    endCall(sandbox, { taskId });
    expect((await stream.next()).data?.taskSubmission).toMatchObject({ status: "RESOLVED", taskId });
    await expect(stream.next()).rejects.toThrow("the stream ended");
  });

  it("is found by its key or in the list after a lost answer", async () => {
    const { asked } = setting;
    const { submission } = await submit(asked, taskInput(sandbox, { idempotencyKey: "the lost one" }));
    const byKey = await asked.ask(`{ taskSubmissionByKey(idempotencyKey: "the lost one") { id } }`);
    expect(byKey.data).toEqual({ taskSubmissionByKey: { id: submission?.id } });
    const none = await asked.ask(`{ taskSubmissionByKey(idempotencyKey: "nobody's") { id } }`);
    expect(none.data).toEqual({ taskSubmissionByKey: null });

    const ids: string[] = [];
    let after: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listOf>> = await listOf(asked, after);
      ids.push(...page.nodes.map(({ id }) => id));
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after !== null);
    expect(ids[0]).toBe(submission?.id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(5);
  });
});

interface Page {
  nodes: { id: string }[];
  pageInfo: { hasNextPage: boolean; endCursor: string };
}

async function listOf(gateway: TestGateway, after: string | null): Promise<Page> {
  const query = `query($after: String) {
    taskSubmissions(first: 2, after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } }`;
  const { data } = await gateway.ask<{ taskSubmissions: Page }>(query, { after });
  if (!data) throw new Error("no page");
  return data.taskSubmissions;
}

describe("A submission that a killed gateway was sending", () => {
  it(
    "is UNCONFIRMED for the next request with its key on any gateway, and was sent once",
    { timeout: 300_000 },
    async () => {
      await using sandbox = await emptySandbox();
      await using database = await takeMigratedDatabase();
      const env = { DATABASE_URL: database.url };
      await using killed = await spawnGateway(sandbox, env);
      await using other = await startGateway(sandbox, env);
      sandbox.control.addFault({ match: POST, kind: "hang", processed: true, times: 1 });
      const input = taskInput(sandbox);
      const lost = submit(killed, input).catch(() => null);
      const posts = () => sandbox.control.requests().filter(({ method }) => method === "POST");
      await until(() => posts().length === 1);
      const again = submit(other, input);
      killed.process.kill("SIGKILL");
      await lost;
      expect(await again).toMatchObject({ replayed: true, errors: [], submission: { status: "UNCONFIRMED" } });
      expect(posts()).toHaveLength(1);
    },
  );
});

describe("with TASK_CORRELATION=off", () => {
  let directory: Directory;
  afterAll(() => directory[Symbol.asyncDispose]());

  it("variables are sent unchanged, and a subscription completes at ACCEPTED", async () => {
    directory = await temporaryDirectory();
    await using sandbox = await emptySandbox();
    await using gateway = await startGateway(sandbox, { TASK_CORRELATION: "off", DATABASE_URL: directory.database });
    const { submission } = await submit(gateway, taskInput(sandbox));
    const [sent] = sandbox.control.requests().filter(({ method }) => method === "POST");
    expect(sent?.body).toMatchObject({ numbers: [{ extra: { 姓名: "Li" } }, { number: "+12025550102" }] });
    expect(JSON.stringify(sent?.body)).not.toContain("_switchboard");
    const query = `subscription($id: ID!) { taskSubmission(id: $id) { status } }`;
    await using stream = await openSse(gateway.url, { query, variables: { id: submission?.id } });
    expect((await stream.next()).data).toEqual({ taskSubmission: { status: "ACCEPTED" } });
    await expect(stream.next()).rejects.toThrow("the stream ended");
  });

  it("a task is found by comparison with the submission that it fits", async () => {
    await using sandbox = await emptySandbox();
    await using gateway = await startGateway(sandbox, { TASK_CORRELATION: "off" });
    connectSandbox(sandbox, gateway);
    const { submission } = await submit(gateway, taskInput(sandbox));
    const taskId = newestTask(sandbox);
    endCall(sandbox, { taskId });
    const found = await statusIs(gateway, submission?.id ?? "", "RESOLVED");
    expect(found).toMatchObject({ taskId, matchedBy: "COMPARISON" });
  });
});
