import { expect, it } from "vitest";
import { callEndedEvent } from "../../support/events.ts";
import { NO_SERVICE, startGateway, temporaryDirectory } from "../../support/gateway.ts";
import { keyOf, writeKeys } from "../../support/keys.ts";
import { startProgram } from "../../support/program.ts";
import { CLI } from "../../support/sandbox.ts";

it("switchboard projections prints the builds, makes one anew and waits for it, and refuses other names and keys", async () => {
  await using directory = await temporaryDirectory();
  const keys = await writeKeys(directory.path, { ops: ["admin"], web: ["calls:read"] });
  await using gateway = await startGateway(NO_SERVICE, { API_KEYS_FILE: keys });
  expect((await gateway.deliver(callEndedEvent({ session_id: "a", task_id: 7 }))).status).toBe(200);
  async function run(key: string, ...args: string[]) {
    const env = { SWITCHBOARD_KEY: keyOf(key) };
    await using started = startProgram([CLI, "projections", ...args, "--url", gateway.url], env);
    const code = await started.exited;
    return { code, lines: started.output.map((line) => JSON.parse(line) as unknown), stderr: started.stderr() };
  }
  expect(await run("ops")).toMatchObject({ code: 0, lines: [{ name: "recipients", build: 1, state: "LIVE" }] });
  const made = [{ name: "recipients", build: 2, state: "LIVE", behind: 0 }];
  expect(await run("ops", "rebuild", "recipients")).toMatchObject({ code: 0, lines: made });
  expect((await run("ops")).lines).toContainEqual(expect.objectContaining({ build: 2, state: "LIVE" }));
  const other = await run("ops", "rebuild", "recipient");
  expect([other.code, other.lines, other.stderr]).toEqual([1, [], expect.stringContaining("BAD_USER_INPUT")]);
  expect((await run("ops", "rebuild")).code).toBe(64);
  for (const args of [[], ["rebuild", "recipients"]]) expect((await run("web", ...args)).stderr).toContain("FORBIDDEN");
});
