import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { blocksOf } from "../docs/blocks.ts";
import { emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { keyOf, writeKeys } from "../support/keys.ts";
import { startProgram } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";
import { until } from "../support/until.ts";
import { DAY, FAST, seedEnds } from "./imports.ts";

const days = (count: number) => Math.floor((Date.now() - count * DAY) / 1000) * 1000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

let directory: Directory;
let sandbox: Sandbox;
let gateway: TestGateway;
beforeAll(async () => {
  directory = await temporaryDirectory();
  sandbox = await emptySandbox();
  const keys = await writeKeys(directory.path, { ops: ["admin"], web: ["calls:read"] });
  gateway = await startGateway(sandbox, { ...FAST, API_KEYS_FILE: keys });
});
afterAll(async () => {
  for (const part of [gateway, sandbox, directory]) await part?.[Symbol.asyncDispose]();
});

const program = (key: string, ...args: string[]) =>
  startProgram([CLI, "import", ...args, "--url", gateway.url], { SWITCHBOARD_KEY: keyOf(key) });

async function run(key: string, ...args: string[]) {
  await using started = program(key, ...args);
  const code = await started.exited;
  return { code, lines: started.output.map((line) => JSON.parse(line) as unknown), stderr: started.stderr() };
}

describe("switchboard import", () => {
  it("says that nothing was imported yet", async () => {
    expect(await run("ops")).toMatchObject({ code: 1, lines: [], stderr: "There never was an import.\n" });
  });

  it("imports from a day by the service's clock, and prints the result as a line of JSON", async () => {
    const ids = seedEnds(sandbox, [days(20), days(10), days(3)]);
    const result = await run("ops", "--since", dayOf(days(30)), "--until", dayOf(days(5)));
    expect(result).toMatchObject({ code: 0, lines: [{ state: "DONE", calls: ids.length - 1, progress: 1 }] });
    // Midnight in Shanghai.
    expect(result.stderr).toContain(`Reading calls from ${dayOf(days(31))}T16:00:00.000Z`);
    expect((await run("ops", "--since", new Date(days(30)).toISOString())).lines).toMatchObject([{ calls: 1 }]);
  });

  it("shows the running import on Ctrl C and how to cancel it, and the import goes on", async () => {
    // It goes on until the service answers again.
    sandbox.control.addFault({ match: { path: "/openapi/calllog" }, kind: "status", status: 503 });
    await using started = program("ops", "--since", dayOf(days(40)));
    await until(() => started.stderr().includes("0 %"));
    started.process.kill("SIGINT");
    expect(await started.exited).toBe(0);
    expect(started.stderr()).toContain(
      "The import goes on in the gateway. Cancel it with: switchboard import --cancel\n",
    );
    await using other = program("ops", "--since", dayOf(days(10)));
    await until(() => other.stderr().includes("Another import runs"));
    sandbox.control.clearFaults();
    expect({ code: await other.exited, lines: other.output.map((line) => JSON.parse(line) as unknown) }).toMatchObject({
      code: 1,
      lines: [{ state: "DONE" }],
    });
  });

  it("succeeds in cancelling the import that runs, and says where none runs", async () => {
    expect(await run("ops", "--cancel")).toMatchObject({ code: 1, stderr: "No import runs.\n" });
    sandbox.control.addFault({ match: { path: "/openapi/calllog" }, kind: "status", status: 503 });
    await using started = program("ops", "--since", dayOf(days(40)));
    await until(() => started.stderr().includes("0 %"));
    expect(await run("ops", "--cancel")).toMatchObject({ code: 0, lines: [{ state: "CANCELLED" }] });
    expect(await started.exited).toBe(1);
    const none = { code: 1, lines: [{ state: "CANCELLED" }], stderr: "No import runs.\n" };
    expect(await run("ops", "--cancel")).toMatchObject(none);
    sandbox.control.clearFaults();
  });

  it("is run as docs/import.md shows it", async () => {
    const shown = blocksOf("docs/import.md").filter(({ language }) => language === "sh");
    const commands = shown.flatMap(({ code }) => code.match(/(?<=switchboard import).*$/gm) ?? []);
    expect(commands.length).toBe(3);
    for (const options of commands) {
      const { code, lines } = await run("ops", ...options.split(" ").filter(Boolean));
      // There is none to cancel.
      const expected = options.includes("--cancel") ? 1 : 0;
      expect({ code, lines }).toMatchObject({ code: expected, lines: [{ state: "DONE" }] });
    }
  });

  it("refuses what is no day, and keys without the scope admin", async () => {
    expect(await run("ops", "--since", "2026-02-30")).toMatchObject({ code: 64 });
    expect((await run("ops", "--since", "yesterday")).stderr).toMatch(/^BAD_USER_INPUT: .*since/);
    expect(await run("ops", "--until", "2026-02-01")).toMatchObject({ code: 64 });
    expect(await run("ops", "--cancel", "--since", "2026-02-01")).toMatchObject({ code: 64 });
    expect((await run("web", "--since", "2026-10-01")).stderr).toContain("FORBIDDEN");
    expect((await run("ops", "--since", "2999-01-01")).stderr).toContain("since must be earlier");
  });
});
