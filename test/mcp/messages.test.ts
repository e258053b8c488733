// Messages as programs really write them, and what they get.
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, temporaryDirectory, NO_SERVICE, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";

const parts = new AsyncDisposableStack();
let gateway: TestGateway;

beforeAll(async () => {
  const directory = parts.use(await temporaryDirectory());
  const keys = await writeKeys(directory.path, { reader: ["calls:read"] });
  gateway = parts.use(await startGateway(NO_SERVICE, { MCP: "on", API_KEYS_FILE: keys }));
});
afterAll(() => parts.disposeAsync());

const BOTH = "application/json, text/event-stream";
const MODERN = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

async function post(body: unknown, headers: Record<string, string | undefined> = {}) {
  const all = { "content-type": "application/json", accept: BOTH, authorization: bearer("reader"), ...headers };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const response = await fetch(`${gateway.url}/mcp`, {
    method: "POST",
    headers: given,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const isEvents = response.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const messages = isEvents ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => data) : [text];
  return { status: response.status, isEvents, messages, text: messages.join("\n") };
}

const list = (own: object = {}) => ({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {}, ...own });
const call = (params: object, own: object = {}) => ({
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "call_statistics", arguments: {}, ...params },
  ...own,
});
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "plain", version: "1" } },
};

const handshake = (own: object) => ({ ...INITIALIZE, params: { ...INITIALIZE.params, ...own } });

describe("The form of an answer of /mcp", () => {
  it.each([
    // https://github.com/honojs/middleware/pull/1799, https://github.com/OpenLiberty/open-liberty/issues/35727
    ["application/json", false],
    ["*/*", false],
    // https://github.com/vectorize-io/hindsight/pull/571
    ["", false],
    ["text/event-stream", true],
    [BOTH, true],
  ])("suits a client of 2025 with Accept: %j", async (accept, isEvents) => {
    for (const message of [INITIALIZE, list(), call({})]) {
      const answer = await post(message, { accept });
      expect([answer.status, answer.isEvents]).toEqual([200, isEvents]);
      expect(JSON.parse(answer.text)).toMatchObject({ id: message.id, result: expect.anything() });
    }
  });

  it("is one message, also for a client that asks for progress", async () => {
    // https://github.com/twentyhq/twenty/issues/24559
    for (const progressToken of ["token", 7]) {
      const { messages } = await post(call({ _meta: { progressToken } }));
      expect(messages).toHaveLength(1);
      expect(JSON.parse(messages[0] ?? "")).toMatchObject({ id: 2, result: { structuredContent: {} } });
    }
  });
});

describe("The id of a message to /mcp", () => {
  it("comes back as it was written, in each revision, also beyond 2^53", async () => {
    // https://github.com/BloopAI/vibe-kanban/issues/3232, https://github.com/frontman-ai/frontman/issues/1552
    const ids = fc.oneof(
      fc.constantFrom("0", "-1", '""', '"0"', "1774232524389", "9007199254740993", "-576460752303423485"),
      fc.constantFrom('"9007199254740993"', "123456789012345678901234567890"),
      fc.maxSafeInteger().map(String),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }).map(String),
      fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
    );
    await fc.assert(
      fc.asyncProperty(ids, fc.boolean(), async (id, isModern) => {
        const params = { name: "call_statistics", arguments: { id: 1 }, ...(isModern && { _meta: MODERN }) };
        const body = `{"params":${JSON.stringify(params)},"id":${id},"method":"tools/call","jsonrpc":"2.0"}`;
        const headers = {
          "mcp-method": "tools/call",
          "mcp-name": "call_statistics",
          "mcp-protocol-version": "2026-07-28",
        };
        const { text, status } = await post(body, isModern ? headers : {});
        expect(status).toBe(200);
        expect(text).toContain(`"id":${id}`);
      }),
      { numRuns: 40 },
    );
  });

  it("is named by a refusal, too", async () => {
    const body = '{"jsonrpc":"2.0","id":9007199254740993,"method":"subscriptions/listen","params":{}}';
    expect((await post(body)).text).toContain('"id":9007199254740993');
  });

  it.each([["null"], ["1.5"], ["true"], ["{}"], ["[1]"]])(
    "is not %s: that is refused and not left unanswered",
    async (id) => {
      const { status, text } = await post(`{"jsonrpc":"2.0","id":${id},"method":"tools/list","params":{}}`);
      expect(status).toBe(400);
      expect(JSON.parse(text)).toMatchObject({ error: { code: -32_600 } });
    },
  );
});

describe("A message to /mcp", () => {
  it.each([
    // https://github.com/sipeed/picoclaw/pull/2579, https://github.com/github/github-mcp-server/pull/2680
    ["null for the arguments of a tool", call({ arguments: null })],
    ["no arguments", call({ arguments: undefined })],
    // https://github.com/chaitin/MonkeyCode/pull/1268
    ["null for its parameters", list({ params: null })],
    ["null for a cursor", list({ params: { cursor: null } })],
    ["null for its token of progress", call({ _meta: { progressToken: null } })],
    ["null for its _meta", call({ _meta: null })],
    ["no parameters", list({ params: undefined })],
    ["arguments as text", call({ arguments: '{"filter":{"taskIds":["7"]}}' })],
    // As PHP writes an object without members.
    ["an empty list for no arguments", call({ arguments: [] })],
    ["null for its capabilities", handshake({ capabilities: null })],
    ["null within its capabilities", handshake({ capabilities: { roots: null, sampling: null, experimental: null } })],
    ["null for the title of its program", handshake({ clientInfo: { name: "c", version: "1", title: null } })],
    ["members that nobody knows", call({ task_id: 1, _meta: { trace: {} } })],
  ])("may have %s", async (_, message) => {
    const { status, text } = await post(message);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toHaveProperty("result");
    expect(JSON.parse(text).result.isError).toBeUndefined();
  });

  it.each([
    ["arguments as a text that is no object", call({ arguments: "[]" })],
    ["arguments as a list", call({ arguments: [1] })],
    ["a name that is none", call({ name: 7 })],
    ["no name", call({ name: undefined })],
    ["parameters as a list", list({ params: [1] })],
    ["no version of JSON-RPC", list({ jsonrpc: undefined })],
    ["a member that is none of JSON-RPC", list({ extra: true })],
  ])("with %s gets an error of JSON-RPC", async (_, message) => {
    const { text } = await post(message);
    expect([-32_600, -32_602]).toContain(JSON.parse(text).error.code);
  });

  it.each([
    ["mcp__switchboard__call_statistics"],
    ["switchboard.call_statistics"],
    ["CALL_STATISTICS"],
    ["constructor"],
    ["__proto__"],
  ])("for the tool %s finds none", async (name) => {
    expect(JSON.parse((await post(call({ name }))).text)).toMatchObject({ id: 2, error: { code: -32_602 } });
  });

  it("for a method that nobody knows, or that the gateway does not have, gets -32601", async () => {
    const methods = [
      "prompts/list",
      "logging/setLevel",
      "completion/complete",
      "resources/subscribe",
      "tools/CALL",
      "",
    ];
    for (const method of methods) {
      const { text } = await post({ jsonrpc: "2.0", id: 3, method, params: {} });
      expect([method, JSON.parse(text)]).toMatchObject([method, { id: 3, error: { code: -32_601 } }]);
    }
  });

  it("that is a notification or an answer is taken without an answer", async () => {
    const messages = [
      { method: "notifications/initialized" },
      { method: "notifications/cancelled", params: { requestId: 99 } },
      { method: "notifications/nobody/knows/it", params: { any: 1 } },
      { id: 5, result: {} },
    ];
    for (const message of messages)
      expect([message, await post({ jsonrpc: "2.0", ...message })]).toMatchObject([message, { status: 202, text: "" }]);
  });

  it("may be a second handshake, and may name a session of another server", async () => {
    // https://github.com/datagouv/datagouv-mcp/issues/25
    const headers = { "mcp-session-id": "of another server", "last-event-id": "7" };
    for (const message of [INITIALIZE, INITIALIZE, list(), call({})])
      expect((await post(message, headers)).status).toBe(200);
  });

  it("of a handshake names any revision, in the header, too, and learns one that the gateway speaks", async () => {
    // https://github.com/Effect-TS/effect/pull/7388
    for (const protocolVersion of [
      "1999-01-01",
      "2024-11-05",
      "2025-03-26",
      "2025-06-18",
      "2025-11-25",
      "2099-01-01",
    ]) {
      const message = { ...INITIALIZE, params: { ...INITIALIZE.params, protocolVersion } };
      const isKnown = protocolVersion > "2024" && protocolVersion < "2026";
      const answers = [await post(message)];
      // A client of 2026 or later asks without a handshake, and learns the revisions from the refusal.
      if (protocolVersion < "2026") answers.push(await post(message, { "mcp-protocol-version": protocolVersion }));
      for (const { status, text } of answers) {
        const { result } = JSON.parse(text) as { result: { protocolVersion: string } };
        expect([status, result.protocolVersion]).toEqual([200, isKnown ? protocolVersion : "2025-11-25"]);
      }
    }
    const later = await post(
      list({ params: { _meta: { ...MODERN, "io.modelcontextprotocol/protocolVersion": "2099-01-01" } } }),
      {
        "mcp-protocol-version": "2099-01-01",
        "mcp-method": "tools/list",
      },
    );
    expect(later.status).toBe(400);
    expect(later.text).toContain("2026-07-28");
  });
});
