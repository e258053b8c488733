import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { WebSocket } from "ws";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { callEndedEvent } from "../support/events.ts";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { openSocket, openSse, type StreamResult } from "../support/streams.ts";

let sandbox: TestSandbox;
let gateway: TestGateway;
let directory: Directory;

const keys: Record<string, string[]> = {
  reader: ["calls:read"],
  caller: ["tasks:create"],
  nobody: [],
  everything: ["calls:read", "tasks:create", "people:read", "assistants:prompts", "recordings:read", "admin"],
};

beforeAll(async () => {
  directory = await temporaryDirectory();
  const file = join(directory.path, "keys.json");
  const sha256 = (key: string) => createHash("sha256").update(key).digest("hex");
  const entries = Object.entries(keys).map(([name, scopes]) => ({ name, sha256: sha256(`key-of-${name}`), scopes }));
  await writeFile(file, JSON.stringify(entries));
  sandbox = await startSandbox();
  gateway = await startGateway(sandbox, { API_KEYS_FILE: file, CORS_ORIGINS: "https://app.example" });
  await gateway.deliver(callEndedEvent({ session_id: "masked", task_id: 0 }));
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});
beforeEach(() => sandbox.forget());

interface Verdict {
  data?: unknown;
  code?: unknown;
  message?: string | undefined;
}
type Transport = (query: string, authorization: string, variables?: Record<string, unknown>) => Promise<Verdict>;

function verdict({ data, errors }: StreamResult<unknown>): Verdict {
  const [error] = errors ?? [];
  return { data, code: error?.extensions?.["code"], message: error?.message };
}

const transports: [string, Transport][] = [
  ["POST", async (query, authorization, variables) => verdict(await gateway.ask(query, variables, { authorization }))],
  [
    "GET",
    async (query, authorization, variables = {}) => {
      const search = new URLSearchParams({ query, variables: JSON.stringify(variables) });
      const response = await fetch(`${gateway.url}/graphql?${search}`, { headers: { authorization } });
      return verdict((await response.json()) as object);
    },
  ],
  [
    "server-sent events",
    async (query, authorization, variables) => {
      await using stream = await openSse(gateway.url, { query, variables }, { authorization });
      return verdict(await stream.next());
    },
  ],
  [
    "WebSocket",
    async (query, authorization, variables) => {
      const client = openSocket(gateway.url, authorization);
      try {
        const { value } = await client.iterate({ query, ...(variables ? { variables } : {}) }).next();
        return verdict(value as object);
      } catch (errors) {
        return verdict({ errors: errors as NonNullable<StreamResult<unknown>["errors"]> });
      } finally {
        await client.dispose();
      }
    },
  ],
];

const bearer = (name: string) => `Bearer key-of-${name}`;

describe.each(transports)("A64: scopes on %s", (_, ask) => {
  it.each([
    ["CallLog.recordFile", "{ callLogs { nodes { recordFile } } }", "recordings:read"],
    ["Assistant.prompt", `{ task(taskId: "1") { assistant { prompt } } }`, "assistants:prompts"],
    [
      "Assistant.creatorEmail",
      `{ task(taskId: "1") { ...F } } fragment F on Task { assistant { creatorEmail } }`,
      "people:read",
    ],
    ["CallEndedFilter.phone", `{ callStats(filter: { phone: "138" }) { calls } }`, "people:read"],
    ["Query.gateway", "{ gateway { version } }", "admin"],
    ["Query.quarantinedDeliveries", "{ quarantinedDeliveries { nodes { id } } }", "admin"],
    ["Mutation.reprocessQuarantined", `mutation { reprocessQuarantined(id: "x") { reason } }`, "admin"],
    ["Mutation.discardQuarantined", `mutation { discardQuarantined(id: "x") { delivery { id } } }`, "admin"],
    ["Query.auditEvents", "{ auditEvents { nodes { id } } }", "admin"],
    ["QuarantinedDelivery.body", `{ node(id: "x") { ... on QuarantinedDelivery { body } } }`, "admin"],
    ["CallEnded.extra", `{ node(id: "x") { ... on CallEnded { extra } } }`, "people:read"],
    ["CallLogFilter.phone", `{ callLogs(filter: { phone: "138" }) { totalCount } }`, "people:read"],
    [
      "TaskCallLogFilter.phone",
      `{ task(taskId: "1") { callLogs(filter: { phone: "138" }) { totalCount } } }`,
      "people:read",
    ],
  ])("refuse %s with FORBIDDEN and its name before any request", async (field, query, scope) => {
    const { code, message, data } = await ask(query, bearer("reader"));
    expect(code).toBe("FORBIDDEN");
    expect(message).toContain(field);
    expect(message).toContain(scope);
    expect(data ?? null).toBeNull();
    expect(await sandbox.requests()).toEqual([]);
  });

  it("refuse a filter in a variable", async () => {
    const query = "query($filter: CallLogFilter) { callLogs(filter: $filter) { totalCount } }";
    expect((await ask(query, bearer("reader"), { filter: { phone: "+8613800010001" } })).code).toBe("FORBIDDEN");
    expect((await ask(query, bearer("reader"), { filter: { phone: null } })).code).toBeUndefined();
  });

  it("ignore fields that @skip and @include leave out", async () => {
    const query = `query($with: Boolean!) { callLogs(first: 1) { nodes { sessionId recordFile @include(if: $with) } } }`;
    expect((await ask(query, bearer("reader"), { with: true })).code).toBe("FORBIDDEN");
    expect((await ask(query, bearer("reader"), { with: false })).code).toBeUndefined();
  });

  it("allow a viewer without scopes to read only its own name", async () => {
    const { data } = await ask("{ __typename viewer { name scopes } serviceTimeZone }", bearer("nobody"));
    expect(data).toEqual({
      __typename: "Query",
      viewer: { name: "nobody", scopes: [] },
      serviceTimeZone: "Asia/Shanghai",
    });
    expect((await ask("{ callEndedEvents { headCursor } }", bearer("nobody"))).code).toBe("FORBIDDEN");
  });

  it("show phone numbers masked without people:read", async () => {
    const query = `{ callEnded(sessionId: "masked") { caller callee } }`;
    expect((await ask(query, bearer("reader"))).data).toEqual({
      callEnded: { caller: "A068", callee: "+8613****0001" },
    });
    expect((await ask(query, bearer("everything"))).data).toEqual({
      callEnded: { caller: "A068", callee: "+8613800010001" },
    });
  });
});

describe("createTask", () => {
  const mutation = `mutation($input: CreateTaskInput!) { createTask(input: $input) { errors { code } submission { id } } }`;
  const input = {
    idempotencyKey: "scopes",
    name: "x",
    assistantId: "1",
    numbers: [],
    option: {
      lineIds: [],
      periods: [],
      startDate: "",
      retryCount: 0,
      retryIntervalSeconds: 0,
      numberFileMeta: { number: 0, name: 0, gender: 0, salesPersonName: 0 },
    },
  };
  it("needs only the scope tasks:create", async () => {
    const refused = await gateway.ask(mutation, { input }, { authorization: bearer("reader") });
    expect(refused.errors?.[0]?.extensions["code"]).toBe("FORBIDDEN");
    const taken = await gateway.ask<{ createTask: { errors: object[] } }>(
      mutation,
      { input },
      { authorization: bearer("caller") },
    );
    expect(taken.errors).toBeUndefined();
    expect(taken.data?.createTask.errors.length).toBeGreaterThan(0);
    expect(await sandbox.requests()).toEqual([]);
  });

  it("is refused by GET without the scope, and asks for a POST with it", async () => {
    const search = new URLSearchParams({ query: mutation, variables: JSON.stringify({ input }) });
    const byGet = async (name: string, accept: string) => {
      const headers = { authorization: bearer(name), accept };
      const { status } = await fetch(`${gateway.url}/graphql?${search}`, { headers });
      return status;
    };
    const media = ["application/json", "application/graphql-response+json"];
    const statuses = (name: string) => Promise.all(media.map((accept) => byGet(name, accept)));
    expect(await statuses("reader")).toEqual([200, 403]);
    expect(await statuses("caller")).toEqual([405, 405]);
  });
});

describe("An unknown client", () => {
  it.each([
    ["no credentials", {}],
    ["a wrong key", { authorization: "Bearer wrong" }],
    ["a key without its scheme", { authorization: "key-of-reader" }],
  ])("gets 401 over HTTP with %s", async (_, headers) => {
    const { status, errors } = await gateway.ask("{ serviceTimeZone }", {}, headers);
    expect(status).toBe(401);
    expect(errors?.[0]?.extensions["code"]).toBe("UNAUTHENTICATED");
  });

  it.each([
    ["no credentials", undefined],
    ["a wrong key", "Bearer wrong"],
  ])("is closed with 4403 over WebSocket with %s", async (_, authorization) => {
    const client = openSocket(gateway.url, authorization);
    const failed = client.iterate({ query: "{ serviceTimeZone }" }).next();
    await expect(failed).rejects.toMatchObject({ code: 4403 });
    await client.dispose();
  });
});

describe("A27: browsers of other sites", () => {
  const upgrade = (origin: string | undefined) =>
    new Promise<number | "open">((resolve) => {
      const socket = new WebSocket(
        `${gateway.url.replace("http", "ws")}/graphql`,
        "graphql-transport-ws",
        origin === undefined ? {} : { origin },
      );
      socket.on("open", () => (socket.close(), resolve("open")));
      socket.on("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
      socket.on("error", () => undefined);
    });

  it.each([
    ["https://evil.example", 403],
    ["null", 403],
    ["https://app.example.evil.example", 403],
    ["https://app.example", "open"],
    [undefined, "open"],
  ])("an upgrade from %s: %s", async (origin, expected) => {
    expect(await upgrade(origin)).toBe(expected);
  });

  it("get no CORS headers unless they are configured", async () => {
    const granted = async (origin: string) => {
      const headers = { origin, "access-control-request-method": "POST" };
      const response = await fetch(`${gateway.url}/graphql`, { method: "OPTIONS", headers });
      return response.headers.get("access-control-allow-origin");
    };
    expect(await granted("https://evil.example")).toBeNull();
    expect(await granted("null")).toBeNull();
    expect(await granted("https://app.example")).toBe("https://app.example");
    expect(await granted(gateway.url)).toBe(gateway.url);
  });
});
