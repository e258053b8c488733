// A local program uses the tools through `switchboard mcp`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agentOf, createAgentClient, type AgentOptions } from "../support/agent.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { keyOf, writeKeys } from "../support/keys.ts";
import { CLI, startSandbox } from "../support/sandbox.ts";
import { proposal } from "./proposal.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  const keys = await writeKeys(directory.path, { proposer: ["calls:read", "tasks:propose"] });
  gateway = parts.use(await startGateway(parts.use(await startSandbox()), { MCP: "on", API_KEYS_FILE: keys }));
});
afterAll(() => parts.disposeAsync());

async function connect(era: AgentOptions["era"], key = keyOf("proposer"), url = gateway.url) {
  const client = createAgentClient(era);
  const env = { PATH: process.env["PATH"] ?? "", ...(key !== "" && { SWITCHBOARD_KEY: key }) };
  const args = [CLI, "mcp", "--url", url];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
  return agentOf(client);
}

describe.each(["modern", "legacy"] as const)("`switchboard mcp` for a %s program", (era) => {
  it("lists and calls the tools that the key allows", async () => {
    await gateway.deliver(callEndedEvent({ session_id: `over stdio ${era}` }));
    await using agent = await connect(era);
    expect(await agent.tools()).toContain("propose_task");
    expect((await agent.call("find_calls", { first: 1 })).data.calls.nodes).toMatchObject([
      { sessionId: `over stdio ${era}` },
    ]);
    const { data } = await agent.call("propose_task", { input: proposal() });
    expect(data.proposal.submission.status).toBe("PROPOSED");
    expect((await agent.call("calls_of_person", { phone: "1" })).errors).toMatchObject([{ code: "FORBIDDEN" }]);
  });

  it("waits for events, answers others meanwhile, and ends a call that is cancelled", async () => {
    await using agent = await connect(era);
    const { next } = (await agent.call("follow_calls", { waitSeconds: 1 })).data;
    const controller = new AbortController();
    const cancelled = agent.call("follow_calls", { after: next, waitSeconds: 25 }, { signal: controller.signal });
    const waiting = agent.call("follow_calls", { after: next, waitSeconds: 25 });
    expect((await agent.call("call_statistics")).isError).toBe(false);
    controller.abort();
    await expect(cancelled).rejects.toThrow();
    await gateway.deliver(callEndedEvent({ session_id: `awaited over stdio ${era}` }));
    expect((await waiting).data.items).toMatchObject([{ sessionId: `awaited over stdio ${era}` }]);
  });
});

async function printedFor(input: string, url = gateway.url): Promise<string> {
  const env = { PATH: process.env["PATH"] ?? "", SWITCHBOARD_KEY: keyOf("proposer") };
  const program = spawn(process.execPath, [CLI, "mcp", "--url", url], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  program.stdin.end(input);
  return await text(program.stdout);
}

/** What it prints for these bytes. */
async function answersTo(input: string): Promise<unknown[]> {
  const lines = (await printedFor(input)).trim().split("\n");
  return lines.map((line) => JSON.parse(line) as unknown);
}

describe("`switchboard mcp`", () => {
  it("follows calls over a restart of the gateway, and misses none", async () => {
    await using directory = await temporaryDirectory();
    const env = { MCP: "on", DATABASE_URL: directory.database };
    const first = await startGateway(NO_SERVICE, env);
    await using agent = await connect("modern", "", first.url);
    const { next } = (await agent.call("follow_calls", { waitSeconds: 1 })).data;
    await first.deliver(callEndedEvent({ session_id: "before the restart" }));
    await first[Symbol.asyncDispose]();
    expect(
      (await agent.call("follow_calls", { after: next }).catch((error: Error) => error.message)) as string,
    ).toContain("No gateway answers");
    await using second = await startGateway(NO_SERVICE, { ...env, PORT: new URL(first.url).port });
    await second.deliver(callEndedEvent({ session_id: "after the restart" }));
    const sessions: string[] = [];
    for (let after = next as string; sessions.length < 2;) {
      const { data } = await agent.call("follow_calls", { after, waitSeconds: 25 });
      sessions.push(...data.items.map((item: { sessionId: string }) => item.sessionId));
      after = data.next;
    }
    expect(sessions).toEqual(["before the restart", "after the restart"]);
  });

  it("takes a line of JSON that holds other line separators, carriage returns and a byte order mark", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const call = (id: number, name: string, args: object) =>
      JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, _meta: meta } });
    // JSON.stringify writes U+2028, U+2029 and U+0085 as they are.
    const named = proposal({ name: "a\u2028b\u2029c\u0085d" });
    const lines = [call(1, "propose_task", { input: named }), call(2, "工具", {}), call(3, " call_statistics", {})];
    const answers = await answersTo(`\uFEFF${lines.join("\r\n")}`);
    expect(new Set(answers.map((answer) => (answer as { id: unknown }).id))).toEqual(new Set([1, 2, 3]));
    const of = (id: number) => answers.find((answer) => (answer as { id: unknown }).id === id);
    expect(JSON.stringify(of(1))).toContain('"status":"PROPOSED"');
    // The gateway answers them, and not the bridge.
    for (const id of [2, 3]) expect(JSON.stringify(of(id))).not.toMatch(/No gateway answers|[Hh]eader/);
  });

  it("sends each number as it was written, and answers with the same id", async () => {
    // https://github.com/frontman-ai/frontman/issues/1552, https://github.com/cq27-dev/rag-rat/issues/130
    await gateway.deliver(
      JSON.stringify(callEndedEvent({ task_id: 1, session_id: "large" })).replace(
        '"task_id":1,',
        '"task_id":9007199254740993123,',
      ),
    );
    const ids = ["-576460752303423485", '"9007199254740993"', "9007199254740993", "0", '""'];
    const list = (id: string) =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"find_calls","arguments":{"filter":{"taskIds":[9007199254740993123]}}}}`;
    const lines = (await printedFor(ids.map(list).join("\n"))).trim().split("\n");
    for (const id of ids) {
      const found = lines.filter((line) => line.includes(`"id":${id}`));
      expect([id, found]).toEqual([id, [expect.stringContaining('"sessionId":"large"')]]);
    }
  });

  it("prints each number of an answer as the gateway wrote it", async () => {
    const result = '{"structuredContent":{"total":9007199254740992,"share":1e+21,"id":"9007199254740993"}}';
    await using server = createServer((_, response) =>
      response.setHeader("content-type", "application/json").end(`{"jsonrpc":"2.0","id":1,"result":${result}}`),
    );
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const printed = await printedFor('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', url);
    expect(printed).toContain(result);
  });

  it("refuses a line that is nested too deeply, and answers the next one", async () => {
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
    const line = (own: string) => `{"jsonrpc":"2.0",${own},"method":"tools/list"}`;
    const answers = await answersTo([line(`"id":9007199254740993,"params":{"a":${deep}}`), line('"id":2')].join("\n"));
    expect(answers).toMatchObject([
      { id: null, error: { message: expect.stringContaining("levels") } },
      { id: 2, result: { tools: expect.any(Array) } },
    ]);
  });

  it("says that the key is wrong, and that no gateway answers", async () => {
    await expect(connect("legacy", "wrong")).rejects.toThrow("key or token");
    await expect(connect("legacy", "any", NO_SERVICE.url)).rejects.toThrow("No gateway answers");
  });
});
