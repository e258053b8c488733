import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  NO_SERVICE,
  startGateway,
  temporaryDirectory,
  type Directory,
  type TestGateway,
} from "../../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../../support/keys.ts";
import { startProgram } from "../../support/program.ts";
import { CLI } from "../../support/sandbox.ts";

let directory: Directory;
let gateway: TestGateway;
beforeAll(async () => {
  directory = await temporaryDirectory();
  const keys = await writeKeys(directory.path, { ops: ["admin"], desk: ["admin"], web: ["calls:read"] });
  gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: keys });
  const ask = (viewer: string, query: string) => gateway.ask(query, {}, { authorization: bearer(viewer) });
  await ask("ops", 'mutation { addToDoNotCall(numbers: ["+12025550101"]) { changed } }');
  await ask("desk", 'mutation { forgetPhone(number: "+12025550102") { calls } }');
});
afterAll(async () => {
  for (const part of [gateway, directory]) await part?.[Symbol.asyncDispose]();
});

async function audit(key: string, ...args: string[]) {
  await using started = startProgram([CLI, "audit", ...args, "--url", gateway.url], { SWITCHBOARD_KEY: keyOf(key) });
  const code = await started.exited;
  const entries = started.output.map((line) => JSON.parse(line) as { actor: string; action: string });
  return { code, entries: entries.map(({ actor, action }) => `${actor} ${action}`), stderr: started.stderr() };
}

const [LISTED, FORGOTTEN] = ["ops DO_NOT_CALL_ADDED", "desk PHONE_FORGOTTEN"];

describe("switchboard audit", () => {
  it.each<[string, string[], string[]]>([
    ["all entries, the newest first", [], [FORGOTTEN, LISTED]],
    ["what one viewer did", ["--actor", "ops"], [LISTED]],
    ["one action, in small letters, too", ["--action", "phone_forgotten"], [FORGOTTEN]],
    ["a viewer's other action: nothing", ["--actor", "ops", "--action", "PHONE_FORGOTTEN"], []],
    ["from a day on", ["--since", "2026-01-01"], [FORGOTTEN, LISTED]],
    ["before an instant", ["--until", "2026-01-01T00:00:00Z"], []],
  ])("prints %s", async (_, args, entries) => {
    expect(await audit("ops", ...args)).toEqual({ code: 0, entries, stderr: "" });
  });

  it.each<[string, string[], string]>([
    ["an unknown action", ["--action", "PHONED"], "AuditAction"],
    ["a day that is none", ["--since", "2026-02-30"], "--since names no day of the calendar."],
    ["a key without admin", [], "FORBIDDEN"],
  ])("refuses %s with the reason", async (what, args, reason) => {
    const { code, entries, stderr } = await audit(what.startsWith("a key") ? "web" : "ops", ...args);
    expect([code === 0, entries]).toEqual([false, []]);
    expect(stderr).toContain(reason);
  });
});
