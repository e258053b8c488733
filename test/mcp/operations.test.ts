// An operator's own tools: MCP_OPERATIONS and MCP_ALLOW.
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigError } from "../../src/config/readVariables.ts";
import { readTools } from "../../src/mcp/readTools.ts";
import { schema } from "../../src/schema/schema.ts";
import { connectAgent } from "../support/agent.ts";
import { startGateway, temporaryDirectory, type Directory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { proposal } from "./proposal.ts";

const parts = new AsyncDisposableStack();
let directory: Directory;
let sandbox: TestSandbox;
let made = 0;

beforeAll(async () => {
  directory = parts.use(await temporaryDirectory());
  sandbox = parts.use(await startSandbox());
});
afterAll(() => parts.disposeAsync());

async function folderOf(...documents: string[]): Promise<string> {
  const folder = join(directory.path, `tools-${(made += 1)}`);
  await mkdir(folder);
  await Promise.all(documents.map((text, at) => writeFile(join(folder, `${at}.graphql`), text)));
  return folder;
}

async function problemsOf(document: string, allow: string[] = []): Promise<string> {
  const folder = await folderOf(document);
  const error: unknown = await readTools({ schema, introspection: true, folder, allow }).then(
    () => new Error("It was accepted."),
    (reason: unknown) => reason,
  );
  if (!(error instanceof ConfigError)) throw error;
  return error.problems.join("\n");
}

const DECLINE = `
"Declines a proposal of another viewer, with a reason."
mutation decline($id: ID!, "For the proposer." $reason: String) @tool(title: "Decline", idempotent: true) {
  declineTask(id: $id, reason: $reason) { submission { status } errors { code } }
}`;

describe("MCP_OPERATIONS", () => {
  it("adds the operator's tools, with their titles, hints and schemas", async () => {
    const folder = await folderOf(
      "# How many calls were answered.\nquery answered { callStats { calls answered } }",
      `"Progress of a task." subscription watch_task($taskId: ID!) { taskProgress(taskId: $taskId) { taskId progress } }`,
    );
    await using gateway = await startGateway(sandbox, { MCP: "on", MCP_OPERATIONS: folder });
    await using agent = await connectAgent(gateway);
    const { tools } = await agent.client.listTools();
    expect(tools.find(({ name }) => name === "answered")?.description).toBe("How many calls were answered.");
    expect((await agent.call("answered")).data.callStats).toHaveProperty("answered");
    const { data } = await gateway.ask<{ callLogs: { nodes: { taskId: string | null }[] } }>(
      `{ callLogs(first: 100, filter: { since: "2020-01-01T00:00:00Z" }) { nodes { taskId } } }`,
    );
    const taskId = data?.callLogs.nodes.find((call) => call.taskId !== null)?.taskId;
    const watched = await agent.call("watch_task", { taskId, waitSeconds: 5 });
    expect(watched.data).toMatchObject({ items: [{ taskId }], next: null });
  });

  it("runs beside TRUSTED_DOCUMENTS, and lets nobody else run its documents", async () => {
    const manifest = join(directory.path, "manifest.json");
    await writeFile(manifest, JSON.stringify({ one: "{ serviceTimeZone }" }));
    const text = "query answered { callStats { calls } }";
    const folder = await folderOf(`# Counts calls.\n${text}`);
    const env = { MCP: "on", MCP_OPERATIONS: folder, TRUSTED_DOCUMENTS: manifest };
    await using gateway = await startGateway(sandbox, env);
    await using agent = await connectAgent(gateway);
    expect((await agent.call("answered")).errors).toEqual([]);
    expect((await gateway.ask(text)).errors).toMatchObject([{ extensions: { code: "DOCUMENT_NOT_TRUSTED" } }]);
  });

  it.each([
    ["declineTask", DECLINE],
    ["forgetPhone", `"Forgets." mutation a($n: String!) { forgetPhone(number: $n) { __typename } }`],
    ["discardQuarantined", `"Discards." mutation a($id: ID!) { discardQuarantined(id: $id) { __typename } }`],
    ["addToDoNotCall", `"Adds." mutation a($n: [String!]!) { addToDoNotCall(numbers: $n) { __typename } }`],
    [
      "removeFromDoNotCall",
      `"Removes." mutation a($n: [String!]!) { removeFromDoNotCall(numbers: $n) { __typename } }`,
    ],
    ["importHistory", `"Imports." mutation a($s: DateTime!) { importHistory(since: $s) { __typename } }`],
    ["auditEvents", `"Audit." query a { auditEvents { nodes { action } } }`],
    [
      "declineTask",
      `"Hidden." mutation a($id: ID!) { ...F } fragment F on Mutation { x: declineTask(id: $id) { replayed } }`,
    ],
  ])("refuses %s at the start unless MCP_ALLOW names it", async (field, document) => {
    expect(await problemsOf(document)).toContain(`asks for ${field}, which MCP_ALLOW does not name`);
    const folder = await folderOf(document);
    const tools = await readTools({ schema, introspection: true, folder, allow: [field] });
    expect(tools.size).toBeGreaterThan(12);
  });

  it("never lets an agent approve, also if MCP_ALLOW names it", async () => {
    const approves = `"Approves." mutation a($id: ID!) { approveTask(id: $id) { replayed } }`;
    expect(await problemsOf(approves)).toContain("asks for approveTask, which no agent may have");
    expect(await problemsOf(approves, ["approveTask"])).toContain(
      "MCP_ALLOW cannot name approveTask: a person approves",
    );
  });

  it("never allows createTask, and no field that needs no permission", async () => {
    const read = `"Counts." query a { callStats { calls } }`;
    expect(await problemsOf(read, ["createTask"])).toContain("always waits for an approval");
    expect(await problemsOf(read, ["callStats"])).toContain("no operation that it could allow");
    expect(await problemsOf(read, ["nonsense"])).toContain("no operation that it could allow");
  });

  it.each([
    ["no description", "query a { callStats { calls } }", "must describe"],
    ["no name", `"Counts." { callStats { calls } }`, "GraphQL"],
    ["an unknown field", `"Counts." query a { nonsense }`, "cannot run"],
    ["two operations", `"A." query a { serviceTimeZone } "B." query b { serviceTimeZone }`, "exactly one"],
    ["the name of another tool", `"A." query find_calls { serviceTimeZone }`, "another file"],
    ["a long name", `"A." query ${"a".repeat(65)} { serviceTimeZone }`, "64"],
    ["@defer", `"A." query a { ... @defer { serviceTimeZone } }`, "@defer"],
    ["an unknown hint", `"A." query a @tool(readOnly: true) { serviceTimeZone }`, "@tool"],
    ["an alias that is taken", `"A." query a { errors: serviceTimeZone }`, "alias"],
    [
      "a key of its own",
      `"A." mutation a($n: [TaskNumberInput!]!, $o: CreateTaskOptionInput!) { createTask(input: { idempotencyKey: "1", name: "x", assistantId: "1", option: $o, numbers: $n }) { replayed } }`,
      "idempotencyKey",
    ],
    [
      "a default key",
      `"A." mutation a($k: String! = "1", $n: [TaskNumberInput!]!, $o: CreateTaskOptionInput!) { createTask(input: { idempotencyKey: $k, name: "x", assistantId: "1", option: $o, numbers: $n }) { replayed } }`,
      "idempotencyKey",
    ],
    [
      "two tasks to create",
      `"A." mutation a($b: CreateTaskInput!, $c: CreateTaskInput!) { b: createTask(input: $b) { replayed } c: createTask(input: $c) { replayed } }`,
      "more than once",
    ],
    [
      "a proposal without its status",
      `"A." mutation a($b: CreateTaskInput!) { createTask(input: $b) { submission { id } } }`,
      "id and status",
    ],
    ["a stream without a place", `"A." subscription a { callEndedStream { cursor } }`, "$after"],
    [
      "a stream after another variable",
      `"A." subscription a($b: String) { callEnded(after: $b) { cursor } }`,
      "$after",
    ],
    ["the name of a prototype", `"A." query a { __proto__: serviceTimeZone }`, "__proto__"],
    ["@tool twice", `"A." query a @tool(title: "A") @tool(title: "B") { serviceTimeZone }`, "@tool twice"],
    ["an argument of @tool twice", `"A." query a @tool(title: "A", title: "B") { serviceTimeZone }`, "title"],
    ["a destructive query", `"A." query a @tool(destructive: true) { serviceTimeZone }`, "only reads"],
  ])("refuses a document with %s", async (_, document, words) => {
    expect(await problemsOf(document)).toContain(words);
  });

  it("refuses what is no file, and does not wait for a pipe that nobody writes", async () => {
    const folder = await folderOf(DECLINE);
    execFileSync("mkfifo", [join(folder, "pipe.graphql")]);
    const read = readTools({ schema, introspection: true, folder, allow: ["declineTask"] });
    await expect(read).rejects.toThrow('"pipe.graphql" is no file');
  });

  it("takes a comment of Windows as the description, and __typename beside createTask for nothing", async () => {
    const folder = await folderOf(
      "# Counts.\r\n# Quickly.\r\nquery a { callStats { calls } }",
      `"Proposes." mutation b($input: CreateTaskInput!) { __typename createTask(input: $input) { replayed } }`,
    );
    const tools = await readTools({ schema, introspection: true, folder, allow: [] });
    expect(tools.get("a")?.document.description).toBe("Counts.\nQuickly.");
    expect(tools.get("b")?.hints).toMatchObject({ destructiveHint: false, idempotentHint: true });
  });

  it("ends the start of a gateway with every mistake, before it listens", async () => {
    const folder = await folderOf(DECLINE, `"Counts." query a { nonsense }`);
    const env = { MCP: "on", MCP_OPERATIONS: folder, MCP_ALLOW: "createTask" };
    const error: unknown = await startGateway(sandbox, env).then(
      () => new Error("It started."),
      (reason: unknown) => reason,
    );
    if (!(error instanceof ConfigError)) throw error;
    expect(error.problems).toEqual([
      expect.stringContaining("MCP_ALLOW cannot name createTask"),
      expect.stringContaining('"0.graphql" asks for declineTask'),
      expect.stringContaining('"1.graphql" cannot run'),
    ]);
  });

  it("refuses a folder that is not there, and one without documents", async () => {
    const read = (folder: string) => readTools({ schema, introspection: true, folder, allow: [] });
    await expect(read(join(directory.path, "nowhere"))).rejects.toThrow("ENOENT");
    await expect(read(await folderOf())).rejects.toThrow("no file");
  });
});

describe("MCP_ALLOW", () => {
  it("leaves a scope to the tools alone that have the operations which it names", async () => {
    const keys = await writeKeys(directory.path, { all: ["calls:read", "tasks:approve", "tasks:create", "admin"] });
    const scopesOf = (name: string) => `"Scopes." query ${name} { viewer { scopes } }`;
    const documents = [
      DECLINE,
      scopesOf("plain"),
      `"Both." query audited { auditEvents(first: 1) { nodes { action } } viewer { scopes } }`,
    ];
    const env = { MCP: "on", MCP_ALLOW: "declineTask,auditEvents", API_KEYS_FILE: keys };
    await using gateway = await startGateway(sandbox, { ...env, MCP_OPERATIONS: await folderOf(...documents) });
    await using agent = await connectAgent(gateway, { as: "all" });
    expect(await agent.tools()).toEqual(expect.arrayContaining(["decline", "plain", "audited"]));
    const scopesIn = async (tool: string) => (await agent.call(tool)).data.viewer.scopes.toSorted();
    expect(await scopesIn("plain")).toEqual(["calls:read", "tasks:propose"]);
    expect(await scopesIn("audited")).toEqual(["admin", "calls:read", "tasks:propose"]);
  });

  it("lets an agent decline with tasks:approve, but still not send", async () => {
    const keys = await writeKeys(directory.path, {
      proposer: ["tasks:propose"],
      approver: ["tasks:approve", "tasks:create"],
    });
    const env = { MCP: "on", MCP_OPERATIONS: await folderOf(DECLINE), MCP_ALLOW: "declineTask", API_KEYS_FILE: keys };
    await using gateway = await startGateway(sandbox, env);
    await sandbox.forget();
    await using proposer = await connectAgent(gateway, { as: "proposer" });
    expect(await proposer.tools()).not.toContain("decline");
    const { id } = (await proposer.call("propose_task", { input: proposal() })).data.proposal.submission;
    await using approver = await connectAgent(gateway, { as: "approver" });
    const { tools } = await approver.client.listTools();
    expect(tools.find(({ name }) => name === "decline")?.annotations).toMatchObject({
      title: "Decline",
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
    });
    const { data } = await approver.call("decline", { id, reason: "not now" });
    expect(data.declineTask.submission.status).toBe("DECLINED");
    const { data: own } = await approver.call("propose_task", { input: proposal() });
    expect(own.proposal.submission.status).toBe("PROPOSED");
    expect((await sandbox.requests()).filter(({ method }) => method === "POST")).toEqual([]);
    const asked = await gateway.ask("{ viewer { scopes } }", {}, { authorization: bearer("approver") });
    expect(asked.data).toEqual({ viewer: { scopes: ["tasks:approve", "tasks:create"] } });
  });
});
