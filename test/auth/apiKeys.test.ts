import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createApiKey, readApiKeys } from "../../src/auth/apiKeys.ts";
import { openKeyRing } from "../../src/auth/keyRing.ts";
import { silentLog } from "../support/silentLog.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";
import { combine } from "../support/policies.ts";

const SHA = "a".repeat(64);
const entry = { name: "web", sha256: SHA, scopes: ["calls:read"] };

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "switchboard-keys-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(content: unknown) {
  const file = join(folder, "keys.json");
  await writeFile(file, typeof content === "string" ? content : JSON.stringify(content));
  return readApiKeys(file);
}

describe("readApiKeys()", () => {
  it("reads each key's name, digest and scopes", async () => {
    const two = [entry, { name: "ops", sha256: "B".repeat(64), scopes: ["admin", "tasks:create"] }];
    expect(await read(two)).toEqual(two);
  });

  it("reads the limits of a key", async () => {
    const hours = { from: "09:00", to: "20:00" };
    const calledHours = [{ prefix: "+1", timeZone: "America/New_York", ...hours }];
    const limits = { numbersPerDay: 1000, prefixes: ["+86", "1"], callingHours: hours, calledHours };
    expect(await read([{ ...entry, limits }])).toEqual([{ ...entry, limits }]);
  });

  it("accepts a key without scopes", async () => {
    expect(await read([{ ...entry, scopes: [] }])).toEqual([{ ...entry, scopes: [] }]);
  });
});

describe("readApiKeys() of an invalid file", () => {
  const files: [string, unknown, string][] = [
    ["no JSON", "canary {", "is not JSON: its entries must be in [ ]"],
    ["nothing", "", "is not JSON"],
    ["entries without a list around them", `${JSON.stringify(entry)}\n${JSON.stringify(entry)}`, "is not JSON"],
    ["one entry alone", entry, "is not a list: its entries must be in [ ]"],
    ["no list", { canary: entry }, "is not a list"],
    ["an empty list", [], "see the list (it is empty)"],
    ["an entry that is none", [entry, "canary"], "see 1"],
    ["no name", [{ ...entry, name: "" }], "see 0.name"],
    ["a name that no database can hold", [{ ...entry, name: "canary\0" }], "see 0.name"],
    ["a name with half a character", [entry, { ...entry, name: "canary\ud800" }], "see 1.name"],
    ["a key instead of its digest", [{ ...entry, sha256: "swb_canary" }], "see 0.sha256"],
    ["a scope that is none", [{ ...entry, scopes: ["calls:read", "canary"] }], "see 0.scopes.1"],
    ["a field that is none", [{ ...entry, key: "swb_canary" }], "see 0"],
    ["a limit that is none", [{ ...entry, limits: { canary: 1 } }], "see 0.limits"],
    ["a limit of nothing", [{ ...entry, limits: { tasksPerDay: 0 } }], "see 0.limits.tasksPerDay"],
    ["an empty list of lines", [{ ...entry, limits: { lineIds: [] } }], "see 0.limits.lineIds"],
    ["a prefix that is none", [{ ...entry, limits: { prefixes: ["+86", "canary"] } }], "see 0.limits.prefixes.1"],
    ["hours that end first", [{ ...entry, limits: { callingHours: { from: "20:00", to: "09:00" } } }], "callingHours"],
    [
      "hours by a zone that is none",
      [
        {
          ...entry,
          limits: { calledHours: [{ prefix: "+1", timeZone: "Canary/Town", from: "09:00", to: "20:00" }] },
        },
      ],
      "see 0.limits.calledHours.0.timeZone",
    ],
    ["access to no rows", [{ ...entry, access: { taskIds: [] } }], "see 0.access.taskIds"],
    ["access by no line", [{ ...entry, access: { lineIds: [] } }], "see 0.access.lineIds"],
    [
      "access by the submissions of others",
      [{ ...entry, access: { submittedBy: "canary" } }],
      "see 0.access.submittedBy",
    ],
    ["one name twice", [entry, { ...entry, sha256: "b".repeat(64) }], "two keys have the same name"],
    ["one key twice", [entry, { ...entry, name: "b", sha256: SHA.toUpperCase() }], "a key occurs twice"],
  ];

  it.each(files)("names the position of the fault: %s", async (_, content, message) => {
    const error = await read(content).catch((error: unknown) => error);
    expect(String(error)).toContain(message);
    expect(String(error)).not.toMatch(/canary|aaaa|bbbb/i);
    expect(String(error)).not.toContain("\n");
  });

  it("names the cause for a missing file", async () => {
    await expect(readApiKeys(join(folder, "missing.json"))).rejects.toThrow("cannot be read (ENOENT)");
    await expect(readApiKeys(folder)).rejects.toThrow("cannot be read (EISDIR)");
  });
});

describe("a new key", () => {
  it("is accepted by its entry, which does not contain it", async () => {
    const { key, entry } = createApiKey("web", ["calls:read", "people:read"]);
    expect(JSON.stringify(entry)).not.toContain(key);
    await read([entry]);
    await using ring = await openKeyRing({ file: join(folder, "keys.json"), combine, log: silentLog });
    expect(ring.find(key)?.viewer()).toEqual({
      name: "web",
      scopes: new Set(["calls:read", "people:read"]),
      ...unrestricted,
    });
  });

  it("differs each time", () => {
    const keys = Array.from({ length: 100 }, () => createApiKey("web", []).key);
    expect(new Set(keys).size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^swb_[\w-]{43}$/);
  });
});
