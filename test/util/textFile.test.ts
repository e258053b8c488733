import { writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { GraphQLSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readApiKeys } from "../../src/auth/apiKeys.ts";
import { readTokenPolicies } from "../../src/auth/tokenPolicies.ts";
import { readSecretFile } from "../../src/config/secretFiles.ts";
import { readTrustedDocuments } from "../../src/graphql/documents/trustedDocuments.ts";
import { schema } from "../../src/schema/schema.ts";
import { FinalError } from "../../src/util/start/finalError.ts";
import { readJsonFile } from "../../src/util/textFile.ts";
import { temporaryDirectory, type Directory } from "../support/gateway.ts";

let directory: Directory;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

const swapped = (bytes: Buffer) => Buffer.from(bytes).swap16();

/** How programs of Windows write a text: notepad, Set-Content -Encoding UTF8, `>` of Windows PowerShell, "Unicode big endian". */
const WRITERS: [string, (text: string) => Buffer][] = [
  ["UTF-8", (text) => Buffer.from(text)],
  ["UTF-8 with a byte order mark", (text) => Buffer.from(`\uFEFF${text}`)],
  ["UTF-8 with two byte order marks", (text) => Buffer.from(`\uFEFF\uFEFF${text}`)],
  ["UTF-16 with a byte order mark", (text) => Buffer.from(`\uFEFF${text}`, "utf16le")],
  ["UTF-16, the greater byte first", (text) => swapped(Buffer.from(`\uFEFF${text}`, "utf16le"))],
];

async function write(bytes: Buffer): Promise<string> {
  const file = join(directory.path, "file");
  await writeFile(file, bytes);
  return file;
}

const keys = [{ name: "网页", sha256: "a".repeat(64), scopes: ["calls:read"] }];
const policies = [{ issuer: "https://id.example/", group: "销售", limits: { tasksPerDay: 5 } }];

describe.each(WRITERS)("A file in %s", (_, bytesOf) => {
  it("holds keys and policies", async () => {
    expect(await readApiKeys(await write(bytesOf(JSON.stringify(keys))))).toEqual(keys);
    expect(
      (await readTokenPolicies(await write(bytesOf(JSON.stringify(policies))), policies[0]?.issuer)).entries,
    ).toEqual(policies);
  });

  it("holds trusted documents", async () => {
    const file = await write(bytesOf(JSON.stringify({ zone: "{ serviceTimeZone }" })));
    const find = await readTrustedDocuments([file], { schema, introspection: false });
    expect(find({ documentId: "zone" })).toMatchObject({ query: "{ serviceTimeZone }" });
  });

  it("holds a secret", async () => {
    expect(readSecretFile(await write(bytesOf("canary-tökén\r\n")))).toBe("canary-tökén");
  });
});

describe("A file that is no JSON in UTF-8", () => {
  it.each([
    ["a comma too much", Buffer.from('[\n  { "canary": 1, }\n]'), "is not JSON (line 2, column 18): in [ ]"],
    ["a missing end", Buffer.from('\uFEFF[\n"canary"'), "is not JSON (line 2, column 9): in [ ]"],
    ["nothing", Buffer.from(""), "is not JSON (line 1, column 1): in [ ]"],
    ["a text of another encoding", Buffer.from("canary \xe9", "latin1"), "is not text in UTF-8"],
    ["half a character", Buffer.from("\uFEFF[]", "utf16le").subarray(0, 5), "is not text in UTF-8"],
  ])("is named with the place: %s", async (_, bytes, message) => {
    const error = await readJsonFile(await write(bytes), "in [ ]").catch(String);
    expect(error).toContain(message);
    expect(error).not.toContain("canary");
  });
});

describe("A file that a program may still be writing", () => {
  const text = '[{"é\\u00e9":"a\\n","n":-12.5e+3,"t":true,"x":null,"l":[1,2],"e":""}]';
  const refusalOf = async (bytes: Buffer) => {
    const error = await readJsonFile(await write(bytes), "in [ ]").then(
      () => null,
      (refusal: unknown) => refusal,
    );
    return error instanceof FinalError ? "final" : error === null ? "none" : "may be mended";
  };

  it.each(WRITERS)("may be read later, wherever it ends, in %s", async (_, bytesOf) => {
    const whole = bytesOf(text);
    for (let end = 0; end < whole.length; end += 1)
      expect([end, await refusalOf(whole.subarray(0, end))]).toEqual([end, "may be mended"]);
    expect(await refusalOf(whole)).toBe("none");
  });

  it.each([
    ["a comma too much", "[1,]"],
    ["two lists", "[1] [2]"],
    ["a list without a comma", "[1 2"],
    ["a word", "keys"],
  ])("is none with %s", async (_, content) => {
    expect(await refusalOf(Buffer.from(content))).toBe("final");
  });
});

it("A manifest of trusted documents that is none is named with its entry", async () => {
  const file = join(directory.path, "manifest.json");
  const faultOf = (content: unknown) => {
    writeFileSync(file, JSON.stringify(content));
    return readTrustedDocuments([file], { schema: new GraphQLSchema({}), introspection: false }).catch(String);
  };
  const apollo = { format: "apollo-persisted-query-manifest", version: 1 };
  expect(await faultOf({ a: "{ a }", b: { query: "canary" } })).toContain('(the document "b" must be a text)');
  expect(await faultOf({ ...apollo, operations: [{ id: "a", body: "canary" }, { id: "b" }] })).toContain(
    "(body of operation 2 must be a text)",
  );
  expect(await faultOf({ ...apollo, operations: ["canary"] })).toContain("(operation 1 must be an object)");
  expect(await faultOf(["canary"])).toContain("TRUSTED_DOCUMENTS is no manifest: expected a JSON object");
});
