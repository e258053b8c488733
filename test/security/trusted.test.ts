import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { GraphQLSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Directory,
  type TestGateway,
  MAIN,
  NO_SERVICE,
  startGateway,
  temporaryDirectory,
} from "../support/gateway.ts";
import { readTrustedDocuments } from "../../src/graphql/documents/trustedDocuments.ts";
import { buildConsole } from "../console/consoleStage.ts";
import { startProgram } from "../support/program.ts";
import { sessionDocument } from "../../console/src/session/documents.ts";
import { attacks } from "./corpus.ts";
import { transports } from "./transports.ts";

const CONSOLE_MANIFEST = fileURLToPath(new URL("../../console/dist/documents.json", import.meta.url));
const ZONE = "{ serviceTimeZone }";
const LONG = `{ viewer { ${"...F ".repeat(1200)} } } fragment F on Viewer { name }`;
const manifest = { zone: ZONE, long: LONG, ["a".repeat(64)]: "query Me { viewer { name } }" };

let directory: Directory;
let gateway: TestGateway;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const file = join(directory.path, "documents.json");
  await writeFile(file, JSON.stringify(manifest));
  await buildConsole();
  gateway = await startGateway(NO_SERVICE, { TRUSTED_DOCUMENTS: `${file},${CONSOLE_MANIFEST}` });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const named = (persistedQuery: unknown, query = "") => ({ query, extensions: { persistedQuery } });
const data = { serviceTimeZone: "Asia/Shanghai" };

describe.each(transports)("A24: with trusted documents, over %s", (_, open) => {
  it("a document of the manifest runs by its hash or its text", async () => {
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

  it("the console's operations run beside them, by the text that its pages send", async () => {
    await using transport = await open(gateway.url);
    const session = await transport.ask({ query: String(sessionDocument) });
    expect(session).toEqual({
      data: { viewer: { name: "anyone", scopes: expect.arrayContaining(["admin"]) }, serviceTimeZone: "Asia/Shanghai" },
    });
  });

  it("a document of the manifest may have 5,000 tokens", async () => {
    await using transport = await open(gateway.url);
    const { errors } = await transport.ask(named("long"));
    expect(errors?.map(({ extensions }) => extensions?.["code"]) ?? []).not.toContain("GRAPHQL_PARSE_FAILED");
  });

  it("anything else is refused: another text, another hash, another text with a hash, introspection", async () => {
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

describe("A24: a manifest with documents that cannot run", () => {
  async function startWith(documents: unknown) {
    await using folder = await temporaryDirectory();
    const file = join(folder.path, "documents.json");
    await writeFile(file, JSON.stringify(documents));
    const env = { TRUSTED_DOCUMENTS: file, PORT: "0", SANDBOX_PORT: "0", DATABASE_URL: folder.database };
    await using program = startProgram([MAIN], { ...env, INTROSPECTION: "off" }, folder.path);
    return {
      code: await program.exited,
      stderr: program.stderr(),
      databaseExists: existsSync(join(folder.path, "switchboard.db")),
    };
  }

  it("stops the start with exit 78 and names each by its hash, without touching the database", async () => {
    const { code, stderr, databaseExists } = await startWith({
      right: ZONE,
      broken: "{ viewer {",
      "other graph": "{\n  canary13800010001\n}",
      deep: `{ task(taskId: 1) ${"{ callLogs { nodes { task ".repeat(5)}{ name } ${"} } }".repeat(5)} }`,
      curious: "{ __schema { queryType { name } } }",
    });
    expect([code, databaseExists]).toEqual([78, false]);
    for (const hash of ["broken", "other graph", "deep", "curious"])
      expect(stderr).toContain(`TRUSTED_DOCUMENTS: "${hash}" cannot run`);
    expect(stderr).toContain('"other graph" cannot run (2:3): Cannot query field');
    expect(stderr).not.toMatch(/"right"|canary|13800010001/);
  });

  it.each([
    ["an array", [ZONE]],
    ["an object of other values", { zone: { query: ZONE } }],
    ["a text", ZONE],
    ["another version of Apollo's", { format: "apollo-persisted-query-manifest", version: 2, operations: [] }],
    ["Apollo's without texts", { format: "apollo-persisted-query-manifest", version: 1, operations: [{ id: "zone" }] }],
  ])("stops the start with exit 78 and says what was expected instead of %s", async (_, documents) => {
    const { code, stderr, databaseExists } = await startWith(documents);
    expect([code, databaseExists]).toEqual([78, false]);
    expect(stderr).toMatch(
      /TRUSTED_DOCUMENTS is no manifest( \(.+\))?: expected a JSON object of id → document, as graphql-codegen/,
    );
    expect(stderr).toContain('Apollo\'s { "format": "apollo-persisted-query-manifest", "version": 1, "operations"');
    expect(stderr).not.toContain("serviceTimeZone");
  });

  it("stops the start with exit 78 if an ID stands for two documents, with the prefix and without it", async () => {
    const { code, stderr } = await startWith({ "sha256:zone": ZONE, zone: "{ viewer { name } }", other: ZONE });
    expect(code).toBe(78);
    expect(stderr).toContain('TRUSTED_DOCUMENTS: "zone" stands for two different documents');
    expect(stderr.match(/stands for/g)).toHaveLength(1);
  });

  it("says which of several files cannot be read", async () => {
    const schema = new GraphQLSchema({});
    const reading = readTrustedDocuments([CONSOLE_MANIFEST, "missing.json"], { schema, introspection: false });
    await expect(reading).rejects.toThrow("TRUSTED_DOCUMENTS: file 2 cannot be read (ENOENT)");
  });

  it("has a short message also for many such documents", async () => {
    const documents = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`h${at}\n${"x".repeat(200)}`, "{"]));
    const { stderr } = await startWith(documents);
    expect(stderr.match(/cannot run/g)).toHaveLength(21);
    expect(stderr).toContain("TRUSTED_DOCUMENTS has 80 more documents that cannot run");
  });
});

describe("A24: with trusted documents, over GET", () => {
  const headers = { "x-switchboard-preflight": "1" };
  const get = async (search: string) => (await fetch(`${gateway.url}/graphql?${search}`, { headers })).json();

  it("a document is named by documentId or by extensions", async () => {
    expect(await get("documentId=zone")).toEqual({ data });
    expect(await get(`extensions=${encodeURIComponent('{"persistedQuery":{"sha256Hash":"zone"}}')}`)).toEqual({ data });
    expect(await get("documentId=other")).toMatchObject({ errors: [{ extensions: { code: "DOCUMENT_NOT_TRUSTED" } }] });
  });

  it("a POST may name a document without its text", async () => {
    const body = JSON.stringify({ documentId: "sha256:zone" });
    const post = { method: "POST", body, headers: { "content-type": "application/json" } };
    expect(await (await fetch(`${gateway.url}/graphql`, post)).json()).toEqual({ data });
  });

  it("a browser gets no GraphiQL", async () => {
    const page = await fetch(`${gateway.url}/graphql`, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([403, "application/json"]);
  });
});
