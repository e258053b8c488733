import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExecutionResult } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mergeParts, type Part } from "../graphql/executor/mergeParts.ts";
import { NO_SERVICE, startGateway, temporaryDirectory, type TestGateway } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { startSandbox } from "../support/sandbox.ts";
import { openSocket } from "../support/streams.ts";

type Body = { query?: string; extensions?: unknown };

const post = (url: string, body: Body, accept: string, authorization?: string) =>
  fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", accept, ...(authorization ? { authorization } : {}) },
    body: JSON.stringify(body),
  }).then((response) => response.text());

/** All that a client gets for an operation, over each transport that can bring parts. */
const WAYS: Record<string, (url: string, body: Body, authorization?: string) => Promise<Part[]>> = {
  async "server-sent events"(url, body, authorization) {
    const text = await post(url, body, "text/event-stream", authorization);
    return [...text.matchAll(/^event: next\ndata: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json) as Part);
  },
  async "multipart/mixed"(url, body, authorization) {
    const text = await post(url, body, "multipart/mixed, application/json", authorization);
    if (text.startsWith("{")) return [JSON.parse(text) as Part];
    return text
      .split(/\r\n---(?:--)?\r\n/)
      .filter((part) => part !== "")
      .map((part) => JSON.parse(part.split("\r\n\r\n")[1] ?? "") as Part);
  },
  async WebSocket(url, body, authorization) {
    const client = openSocket(url, authorization);
    const parts: Part[] = [];
    try {
      for await (const part of client.iterate({ query: "", ...body } as never)) parts.push(part as Part);
    } catch (errors) {
      parts.push({ errors: errors as NonNullable<ExecutionResult["errors"]> });
    } finally {
      await client.dispose();
    }
    return parts;
  },
};
const codesOf = (parts: readonly Part[]) =>
  parts.flatMap(({ errors = [] }) => errors.map((each) => each.extensions?.["code"]));

const WHOLE = "{ viewer { name } serviceTimeZone }";
const DIVIDED = "{ viewer { name } ... @defer { serviceTimeZone } }";
const DATA = { viewer: { name: "anyone" }, serviceTimeZone: "Asia/Shanghai" };
const named = (id: string, query?: string): Body => ({
  extensions: { persistedQuery: { version: 1, sha256Hash: id } },
  ...(query === undefined ? {} : { query }),
});

describe("A84: trusted documents and @defer", () => {
  const parts = new AsyncDisposableStack();
  let gateway: TestGateway;
  beforeAll(async () => {
    const { path } = parts.use(await temporaryDirectory());
    const TRUSTED_DOCUMENTS = join(path, "documents.json");
    await writeFile(TRUSTED_DOCUMENTS, JSON.stringify({ whole: WHOLE, divided: DIVIDED }));
    gateway = parts.use(await startGateway(NO_SERVICE, { TRUSTED_DOCUMENTS }));
  });
  afterAll(() => parts.disposeAsync());

  describe.each(Object.entries(WAYS))("over %s", (_, ask) => {
    it("answers a document that names @defer in parts, by its ID and by its text", async () => {
      for (const body of [named("divided"), { query: DIVIDED }, named("divided", DIVIDED)]) {
        const came = await ask(gateway.url, body);
        expect(came.length).toBeGreaterThan(1);
        expect(mergeParts(came)).toEqual({ data: DATA, left: 0 });
      }
    });

    it("answers a document that does not name it in one piece", async () => {
      for (const body of [named("whole"), { query: WHOLE }])
        expect(await ask(gateway.url, body)).toEqual([{ data: DATA }]);
    });

    it("refuses @defer and @stream that a client adds to a trusted document", async () => {
      const added = [
        "{ viewer { name } ... @defer { serviceTimeZone } } ",
        "{ ... @defer { viewer { name } } serviceTimeZone }",
        DIVIDED.replace("@defer", "@defer(if: true)"),
      ];
      for (const query of added) expect(codesOf(await ask(gateway.url, { query }))).toEqual(["DOCUMENT_NOT_TRUSTED"]);
      expect(codesOf(await ask(gateway.url, named("whole", DIVIDED)))).toEqual(["DOCUMENT_NOT_TRUSTED"]);
    });
  });
});

const OWN = "910001";
const OTHER = "910002";
const ROWS = `{
  callLogs(first: 10, filter: { since: "2020-01-01T00:00:00Z", until: "2020-01-03T00:00:00Z" }) {
    totalCount
    nodes @stream(initialCount: 1) { sessionId ... @defer { caller task { name callLogs(first: 3) { nodes { sessionId } } } } }
  }
  tasksByIds(taskIds: ["${OWN}", "${OTHER}"]) @stream { taskId ... @defer { name callLogs(first: 3) { nodes { sessionId } } } }
  ... @defer(label: "other") { task(taskId: "${OTHER}") { name } callLog(sessionId: "call-of-other") { sessionId } }
}`;

describe("A84: rows of one's own and @defer", () => {
  const parts = new AsyncDisposableStack();
  let gateway: TestGateway;
  beforeAll(async () => {
    const { path } = parts.use(await temporaryDirectory());
    const sandbox = parts.use(await startSandbox({ traffic: false }));
    await sandbox.control("POST", "seed", {
      tasks: [OWN, OTHER].map((id) => ({ id, name: id === OWN ? "Task of one" : "Task of other" })),
      calls: [
        { sessionId: "call-of-one", taskId: OWN, startAt: "2020-01-02 10:00:00" },
        { sessionId: "call-of-other", taskId: OTHER, startAt: "2020-01-02 10:05:00" },
      ],
    });
    const scopes = ["calls:read", "people:read"];
    const API_KEYS_FILE = await writeKeys(path, { all: scopes, one: scopes }, { one: { taskIds: [OWN] } });
    gateway = parts.use(await startGateway(sandbox, { API_KEYS_FILE }));
  });
  afterAll(() => parts.disposeAsync());

  it.each(Object.entries(WAYS))("over %s, no part shows more than the answer in one piece", async (_, ask) => {
    for (const viewer of ["all", "one"]) {
      const whole = await gateway.ask(ROWS, {}, { authorization: bearer(viewer) });
      const came = await ask(gateway.url, { query: ROWS }, bearer(viewer));
      expect(came.length).toBeGreaterThan(1);
      const { data, errors = [], left } = mergeParts(came);
      expect([data, left]).toEqual([whole.data, 0]);
      const placesOf = (failed: typeof whole.errors = []) =>
        failed.map(({ path, extensions }) => `${path?.join()} ${String(extensions["code"])}`).sort();
      expect(placesOf(errors as never)).toEqual(placesOf(whole.errors));
      const text = JSON.stringify(came);
      expect(text).toContain("Task of one");
      expect(/Task of other|call-of-other/.test(text)).toBe(viewer === "all");
    }
  });
});
