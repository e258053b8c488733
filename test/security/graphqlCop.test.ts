// The checks of graphql-cop (github.com/dolevf/graphql-cop) against a gateway as in production: with keys and
// without introspection.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Directory, type TestGateway, NO_SERVICE, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { bearer, writeKeys } from "../support/keys.ts";

let directory: Directory;
let gateway: TestGateway;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const keys = await writeKeys(directory.path, { web: ["calls:read", "tasks:create"] });
  gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: keys, INTROSPECTION: "off" });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const post = (
  body: unknown,
  type = "application/json",
  headers: Record<string, string> = { authorization: bearer("web") },
) =>
  fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": type, ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
const get = (query: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}/graphql?query=${encodeURIComponent(query)}`, { headers });
async function answer(query: string): Promise<{ data?: object | null; text: string }> {
  const text = await (await post({ query })).text();
  return { ...(JSON.parse(text) as { data?: object | null }), text };
}
const times = (count: number, one: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => one(at)).join(" ");
const INTROSPECTION = "{ __schema { types { name fields { type { name fields { name } } } } } }";

describe("graphql-cop, denial of service", () => {
  it.each([
    ["alias overloading", `{ ${times(101, (at) => `alias${at}: __typename`)} }`],
    ["directive overloading", `{ __typename ${times(10, () => "@aa")} }`],
    ["field duplication", `{ ${times(500, () => "__typename")} }`],
    [
      "circular introspection",
      `{ __schema { types { fields { type { fields { type { fields { type { name } } } } } } } } }`,
    ],
  ])("finds no %s", async (_, query) => {
    const { data, text } = await answer(query);
    expect(data ?? null).toBeNull();
    expect(text.length).toBeLessThan(4096);
  });

  it("finds no array-based batching", async () => {
    const response = await post(Array.from({ length: 10 }, () => ({ query: "{ __typename }" })));
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain("__typename");
  });
});

describe("graphql-cop, information leakage", () => {
  it("finds no introspection", async () => {
    expect((await answer(INTROSPECTION)).data ?? null).toBeNull();
  });

  it("finds no field suggestions", async () => {
    expect((await answer("{ __schem { directives { name } } callLog { nodes } }")).text).not.toMatch(
      /did you mean|callLogs/i,
    );
  });

  it.each(["/graphql", "/", "/graphiql", "/playground", "/console", "/altair"])(
    "a page to ask from at %s",
    async (path) => {
      const headers = { accept: "text/html", authorization: bearer("web") };
      const response = await fetch(gateway.url + path, { headers, redirect: "manual" });
      const text = await response.text();
      expect(text).not.toMatch(/graphiql|playground|altair/i);
      // The console's page loads its script; it does not offer to ask whatever the graph has. A browser gets it, with 404, where there
      // is nothing.
      const home = await fetch(gateway.url, { headers });
      if (text !== (await home.text())) expect(text).not.toMatch(/<script/i);
      if (!["/", "/graphql"].includes(path)) expect(response.status).toBe(404);
    },
  );

  it("finds no trace mode", async () => {
    const { text } = await answer("{ __typename }");
    expect(JSON.parse(text)).toEqual({ data: { __typename: "Query" } });
    const traced = await post({ query: "{ __typename }" }, "application/json", {
      authorization: bearer("web"),
      "x-apollo-tracing": "1",
      "apollo-federation-include-trace": "ftv1",
    });
    expect(await traced.text()).toBe(text);
  });

  it("finds no unhandled errors", async () => {
    for (const query of ["qwerty cop { abc }", "{ ", "", "{ task(taskId: 1) { name } }"]) {
      expect((await answer(query)).text).not.toMatch(/exception|stacktrace|node_modules|\.ts|at .*\(/i);
    }
  });
});

describe("graphql-cop, requests of other sites", () => {
  it("finds no mutation over GET", async () => {
    const response = await get("mutation { __typename }", { authorization: bearer("web") });
    expect(response.status).toBe(405);
  });

  it("finds no query over GET", async () => {
    expect((await get("{ __typename }")).status).toBe(401);
  });

  it("finds no query as a form", async () => {
    const form = await post("query=%7B__typename%7D", "application/x-www-form-urlencoded");
    expect([form.status, await form.text()]).toEqual([415, expect.not.stringContaining("Query")]);
    expect((await post("query=%7B__typename%7D", "text/plain")).status).toBe(415);
  });
});
