import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, temporaryDirectory, type Directory, type GatewayProgram } from "../support/gateway.ts";
import { attacks } from "./corpus.ts";
import { transports } from "./transports.ts";

const ZONE = "{ serviceTimeZone }";
const LONG = `{ viewer { ${"...F ".repeat(1200)} } } fragment F on Viewer { name }`;
const manifest = { zone: ZONE, long: LONG, ["a".repeat(64)]: "query Me { viewer { name } }" };

let directory: Directory;
let gateway: GatewayProgram;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const file = join(directory.path, "documents.json");
  await writeFile(file, JSON.stringify(manifest));
  gateway = await startGateway({ url: "http://127.0.0.1:9" }, { TRUSTED_DOCUMENTS: file });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const named = (persistedQuery: unknown, query = "") => ({ query, extensions: { persistedQuery } });
const data = { serviceTimeZone: "Asia/Shanghai" };

describe.each(transports)("A24: only documents of the manifest run, over %s", (_, open) => {
  it("by their hash, or as they stand there", async () => {
    await using transport = await open(gateway.url);
    for (const request of [
      named("zone"),
      named({ version: 1, sha256Hash: "zone" }),
      named("zone", ZONE),
      { query: ZONE },
    ])
      expect(await transport.ask(request)).toEqual({ data });
    expect(await transport.ask(named("a".repeat(64)))).toEqual({ data: { viewer: { name: "anyone" } } });
  });

  it("with up to 5,000 tokens", async () => {
    await using transport = await open(gateway.url);
    const { errors } = await transport.ask(named("long"));
    expect(errors?.map(({ extensions }) => extensions?.["code"]) ?? []).not.toContain("GRAPHQL_PARSE_FAILED");
  });

  it("and nothing else: another text, another hash, another text with a hash, introspection", async () => {
    await using transport = await open(gateway.url);
    const refused = [
      { query: "{ __typename }" },
      { query: "{ __schema { queryType { name } } }" },
      { query: `${ZONE} ` },
      { query: "" },
      named("unknown"),
      named("__proto__"),
      named({ sha256Hash: "constructor" }),
      named("zone", "{ viewer { name } }"),
      named("unknown", ZONE),
      ...attacks.slice(0, 20).map(({ request }) => request),
    ];
    for (const request of refused) {
      const { errors, data: shown } = await transport.ask(request);
      expect(errors?.map(({ extensions }) => extensions?.["code"])).toEqual(["DOCUMENT_NOT_TRUSTED"]);
      expect(shown ?? null).toBeNull();
    }
  });
});

describe("A24: and over GET, where no page of GraphiQL is served", () => {
  const headers = { "x-switchboard-preflight": "1" };
  const get = async (search: string) => (await fetch(`${gateway.url}/graphql?${search}`, { headers })).json();

  it("by documentId or by extensions", async () => {
    expect(await get("documentId=zone")).toEqual({ data });
    expect(await get(`extensions=${encodeURIComponent('{"persistedQuery":{"sha256Hash":"zone"}}')}`)).toEqual({ data });
    expect(await get("documentId=other")).toMatchObject({ errors: [{ extensions: { code: "DOCUMENT_NOT_TRUSTED" } }] });
  });

  it("and a POST may name it alone", async () => {
    const body = JSON.stringify({ documentId: "sha256:zone" });
    const post = { method: "POST", body, headers: { "content-type": "application/json" } };
    expect(await (await fetch(`${gateway.url}/graphql`, post)).json()).toEqual({ data });
  });

  it("and a browser gets no GraphiQL", async () => {
    const page = await fetch(`${gateway.url}/graphql`, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([403, "application/json"]);
  });
});
