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
  const calledHours = (changes: object) => ({
    limits: { calledHours: [{ prefix: "+1", timeZone: "UTC", from: "09:00", to: "20:00", ...changes }] },
  });
  const files: [string, unknown, string][] = [
    ["no JSON", "canary {", "is not JSON: its entries must be in [ ]"],
    ["nothing", "", "is not JSON"],
    ["entries without a list around them", `${JSON.stringify(entry)}\n${JSON.stringify(entry)}`, "is not JSON (line 2"],
    ["one entry alone", entry, "is not a list: its entries must be in [ ]"],
    ["no list", { canary: entry }, "is not a list"],
    ["an empty list", [], "the list must not be empty"],
    ["an entry that is none", [entry, "canary"], "entry 2: it must be an object"],
    ["no name", [{ ...entry, name: "" }], "entry 1: name must have 1 to 255 characters"],
    ["a name that no database can hold", [{ ...entry, name: "canary\0" }], "entry 1: name must have"],
    ["a name with half a character", [entry, { ...entry, name: "canary\ud800" }], "entry 2: name must have"],
    ["a missing member", [{ name: "web", sha256: SHA }], "entry 1 (web): scopes is missing"],
    ["a key instead of its digest", [{ ...entry, sha256: "swb_canary" }], "entry 1 (web): sha256 must be the SHA-256"],
    ["a key as the name, and no digest", [{ ...entry, name: `swb_canary`, sha256: "" }], "entry 1: sha256 must be"],
    ["a misspelt scope", [{ ...entry, scopes: ["calls:raed"] }], "entry 1 (web): unknown scope calls:raed"],
    ["a scope that may be a secret", [{ ...entry, scopes: ["swb_canary"] }], "entry 1 (web): unknown scope"],
    ["a scope that is no text", [{ ...entry, scopes: ["admin", 7] }], "entry 1 (web): item 2 of scopes must be a text"],
    ["scopes that are no list", [{ ...entry, scopes: "canary" }], "entry 1 (web): scopes must be a list"],
    ["a misspelt member", [{ ...entry, scope: ["canary"] }], "entry 1 (web): unknown member scope"],
    ["a member that may be a secret", [{ ...entry, swb_canary: 1 }], "entry 1 (web): unknown member"],
    ["a limit that is none", [{ ...entry, limits: { tasksPerWeek: 1 } }], "unknown member tasksPerWeek of limits"],
    [
      "a limit of nothing",
      [{ ...entry, limits: { tasksPerDay: 0 } }],
      "limits.tasksPerDay must be a whole number from 1",
    ],
    ["an empty list of lines", [{ ...entry, limits: { lineIds: [] } }], "limits.lineIds must not be empty"],
    [
      "too many lines",
      [{ ...entry, limits: { lineIds: Array.from({ length: 1001 }, (_, at) => String(at)) } }],
      "entry 1 (web): limits.lineIds must have at most 1000",
    ],
    ["an id as a number", [{ ...entry, limits: { lineIds: ["60", 61] } }], "item 2 of limits.lineIds must be a text"],
    ["an id that is none", [{ ...entry, limits: { lineIds: ["canary"] } }], "item 1 of limits.lineIds must be an ID"],
    [
      "a prefix that is none",
      [{ ...entry, limits: { prefixes: ["+86", "canary"] } }],
      "item 2 of limits.prefixes must be",
    ],
    [
      "hours that end first",
      [{ ...entry, limits: { callingHours: { from: "20:00", to: "09:00" } } }],
      "entry 1 (web): limits.callingHours must end after it begins",
    ],
    [
      "hours by a zone that is none",
      [{ ...entry, ...calledHours({ timeZone: "Canary/Town" }) }],
      "timeZone of item 1 of limits.calledHours must be an IANA time zone",
    ],
    [
      "an hour that is none",
      [{ ...entry, ...calledHours({ from: "canary" }) }],
      "from of item 1 of limits.calledHours must be a time of day",
    ],
    ["access to no rows", [{ ...entry, access: { taskIds: [] } }], "access.taskIds must not be empty"],
    ["access by others", [{ ...entry, access: { submittedBy: "canary" } }], "access.submittedBy must be self"],
    ["one name twice", [entry, { ...entry, sha256: "b".repeat(64) }], "entry 2 (web): name is that of entry 1, too"],
    [
      "one key twice",
      [entry, { ...entry, name: "b", sha256: SHA.toUpperCase() }],
      "entry 2 (b): sha256 is that of entry 1, too",
    ],
    [
      "many faults",
      Array.from({ length: 9 }, () => ({ ...entry, scopes: 1 })),
      "entry 5 (web): scopes must be a list; and 4 more",
    ],
  ];

  it.each(files)("names the entry, the member and the rule: %s", async (_, content, message) => {
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
