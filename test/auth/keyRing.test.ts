import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openKeyRing } from "../../src/auth/keyRing.ts";
import { createLog, silentLog } from "../../src/log.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { keyOf, writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";

const LOOK = { log: silentLog, lookMs: 5 };

describe("the file of keys holds as it is now", () => {
  it("a key that is added is let in, and one that is removed is not, which its grant is told", async () => {
    await using directory = await temporaryDirectory();
    const file = await writeKeys(directory.path, { web: ["calls:read"], ops: ["admin"] });
    await using ring = await openKeyRing({ file, ...LOOK });
    const web = ring.find(keyOf("web"));
    let told = 0;
    web?.onChange(() => (told += 1));
    await writeKeys(directory.path, { ops: ["admin"], late: ["calls:read"] });
    await until(() => ring.find(keyOf("late"))?.viewer());
    expect([web?.viewer(), ring.find(keyOf("web")), ring.has("web"), told]).toEqual([null, null, false, 1]);
    expect(ring.find(keyOf("ops"))?.viewer()?.name).toBe("ops");
  });

  it("with the scopes that a key has by now", async () => {
    await using directory = await temporaryDirectory();
    const file = await writeKeys(directory.path, { web: ["calls:read", "people:read"] });
    await using ring = await openKeyRing({ file, ...LOOK });
    const web = ring.find(keyOf("web"));
    await writeKeys(directory.path, { web: ["calls:read"] });
    await until(() => web?.viewer()?.scopes.size === 1);
  });

  it("also where another file is moved to its place, as a mounted secret is", async () => {
    await using directory = await temporaryDirectory();
    const file = await writeKeys(directory.path, { web: [] });
    await using ring = await openKeyRing({ file, ...LOOK });
    await rename(file, join(directory.path, "old.json"));
    await writeKeys(directory.path, { eve: [] });
    await until(() => ring.has("eve"));
  });
});

describe("a file that cannot be used changes nothing", () => {
  it("and is logged without a word of it, until it can", async () => {
    await using directory = await temporaryDirectory();
    const lines: string[] = [];
    const log = createLog({ level: "info", secrets: [], write: (line) => lines.push(line) });
    const file = await writeKeys(directory.path, { web: [] });
    await using ring = await openKeyRing({ file, log, pollIntervalMs: 5 });
    await writeFile(file, '[{ "name": "canary" ');
    await until(() => lines.length === 1);
    await rm(file);
    await until(() => lines.length === 2);
    expect(ring.find(keyOf("web"))?.viewer()?.name).toBe("web");
    expect(lines.join()).not.toContain("canary");
    await writeKeys(directory.path, { web: [], ops: [] });
    await until(() => ring.has("ops"));
  });
});
