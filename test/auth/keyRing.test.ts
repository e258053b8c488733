import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openKeyRing } from "../../src/auth/keyRing.ts";
import { createLogger } from "../../src/logger.ts";
import { silentLog } from "../support/silentLog.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { keyOf, writeKeys } from "../support/keys.ts";
import { combine } from "../support/policies.ts";
import { until } from "../support/until.ts";

const FAST_POLL = { combine, log: silentLog, pollIntervalMs: 5 };

describe("a change of API_KEYS_FILE", () => {
  it("adds and removes keys, and notifies the grants of removed ones", async () => {
    await using directory = await temporaryDirectory();
    const file = await writeKeys(directory.path, { web: ["calls:read"], ops: ["admin"] });
    await using ring = await openKeyRing({ file, ...FAST_POLL });
    const web = ring.find(keyOf("web"));
    let notifications = 0;
    web?.onChange(() => (notifications += 1));
    await writeKeys(directory.path, { ops: ["admin"], late: ["calls:read"] });
    await until(() => ring.find(keyOf("late"))?.viewer());
    expect([web?.viewer(), ring.find(keyOf("web")), ring.has("web"), notifications]).toEqual([null, null, false, 1]);
    expect(ring.find(keyOf("ops"))?.viewer()?.name).toBe("ops");
  });

  it("changes the scopes of a key", async () => {
    await using directory = await temporaryDirectory();
    const file = await writeKeys(directory.path, { web: ["calls:read", "people:read"] });
    await using ring = await openKeyRing({ file, ...FAST_POLL });
    const web = ring.find(keyOf("web"));
    await writeKeys(directory.path, { web: ["calls:read"] });
    await until(() => web?.viewer()?.scopes.size === 1);
    expect([...(web?.viewer()?.scopes ?? [])]).toEqual(["calls:read"]);
  });

  it("is noticed if another file is moved to its place, like a mounted secret", async () => {
    await using directory = await temporaryDirectory();
    const file = await writeKeys(directory.path, { web: [] });
    await using ring = await openKeyRing({ file, ...FAST_POLL });
    await rename(file, join(directory.path, "old.json"));
    await writeKeys(directory.path, { eve: [] });
    await until(() => ring.has("eve"));
    expect([ring.find(keyOf("eve"))?.viewer()?.name, ring.has("web")]).toEqual(["eve", false]);
  });
});

describe("an invalid version of API_KEYS_FILE", () => {
  it("is logged without its content, and the previous keys stay valid", async () => {
    await using directory = await temporaryDirectory();
    const lines: string[] = [];
    const log = createLogger({ level: "info", secrets: [], write: (line) => lines.push(line) });
    const file = await writeKeys(directory.path, { web: [] });
    await using ring = await openKeyRing({ file, combine, log, pollIntervalMs: 5 });
    await writeFile(`${file}.new`, '[{ "name": "canary" ');
    await rename(`${file}.new`, file);
    await until(() => lines.length === 1);
    await rm(file);
    await until(() => lines.length === 2);
    expect(ring.find(keyOf("web"))?.viewer()?.name).toBe("web");
    expect(lines.join()).not.toContain("canary");
    await writeKeys(directory.path, { web: [], ops: [] });
    await until(() => ring.has("ops"));
  });
});
