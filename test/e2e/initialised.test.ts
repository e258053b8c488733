// From `switchboard init` to the first webhook, as a new user goes: in a folder of one's own, by npm, with a service elsewhere.
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { gatewayAt, temporaryDirectory } from "../support/gateway.ts";
import { npmCli } from "../support/npm.ts";
import { startProgram, type Environment } from "../support/program.ts";
import { startSandbox, TIME_ZONE, TOKEN } from "../support/sandbox.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Programs read .env then. */
const READS_FILE = { SWITCHBOARD_ENV_FILE: "" };

/** A copy of the checkout, whose sources are the same. */
async function checkout() {
  const directory = await temporaryDirectory();
  for (const name of ["bin", "package.json"]) cpSync(join(ROOT, name), join(directory.path, name), { recursive: true });
  for (const name of ["src", "sandbox", "console", "client", "ops", "node_modules"])
    symlinkSync(join(ROOT, name), join(directory.path, name));
  return directory;
}

/** A command in the folder, to its end. */
async function run(folder: string, args: readonly string[], env: Environment = {}) {
  await using program = startProgram([join(ROOT, "bin/switchboard.js"), ...args], { ...READS_FILE, ...env }, folder);
  return { code: await program.exited, out: program.output.join("\n"), stderr: program.stderr() };
}

describe("A gateway that switchboard init has set up", () => {
  it("passes the check, starts by npm start, takes the service's webhook, and the doctor sees it", async () => {
    await using sandbox = await startSandbox({ traffic: false });
    await using folder = await checkout();
    const { path } = folder;
    const args = ["init", "--yes", "--service", sandbox.url, "--time-zone", TIME_ZONE];
    const made = await run(path, args, { UPSTREAM_TOKEN: TOKEN });
    expect([made.code, made.stderr]).toEqual([0, ""]);
    expect(made.out).toContain("\n  npm start\n");
    const [key = ""] = /swb_[\w-]{43}/.exec(made.out) ?? [];

    const checked = await run(path, ["check"]);
    expect(checked.out).not.toMatch(/warning|FAILED/);
    expect(checked.out).toContain(".env gives UPSTREAM_URL, UPSTREAM_TIME_ZONE, UPSTREAM_TOKEN_FILE");
    expect(checked.code).toBe(0);

    const env = { ...READS_FILE, HOME: path, PORT: "0", CONSOLE: "off" };
    await using npm = startProgram([npmCli(), "start"], env, path);
    const { url } = (await npm.line(({ msg }) => msg === "the gateway listens")) as { url: string };
    // It names variables, and no value.
    expect(npm.output.join("\n")).toContain('"variables":["UPSTREAM_URL"');
    const authorization = readFileSync(join(path, "secrets/webhook-authorization"), "utf8").trim();
    expect(npm.output.join("\n")).not.toContain(authorization);
    await sandbox.control("PUT", "webhook", { url: `${url}/calllog`, authorization });
    const sessionId = await sandbox.endCall();
    const seen = await run(path, ["doctor", "--webhook", "--url", url], { SWITCHBOARD_KEY: key });
    expect([seen.code, seen.out]).toEqual([
      0,
      expect.stringMatching(/^arrived {2}A webhook was accepted and read at /),
    ]);
    const calls = "{ callEndedEvents(first: 100) { nodes { sessionId } } }";
    const unknown = await gatewayAt(url).ask(calls);
    expect(unknown.errors?.[0]?.extensions["code"]).toBe("UNAUTHENTICATED");
    const { data } = await gatewayAt(url).ask(calls, {}, { authorization: `Bearer ${key}` });
    expect(JSON.stringify(data)).toContain(sessionId);
  });
});

describe("The file .env of the working folder", () => {
  it("gives npm start and commands their settings, where the environment has none of the name", async () => {
    await using folder = await checkout();
    writeFileSync(join(folder.path, ".env"), "\uFEFFPORT=1\r\nLOG_LEVEL=warn # quiet\r\nexport SANDBOX_PORT='0'\r\n");
    const env = { ...READS_FILE, PORT: "0", LOG_LEVEL: "info", CONSOLE: "off", HOME: folder.path };
    await using npm = startProgram([npmCli(), "start"], { ...env, DATABASE_URL: folder.database }, folder.path);
    const line = await npm.line(({ msg }) => msg === "settings come from a file");
    expect(line).toMatchObject({ file: ".env", variables: ["SANDBOX_PORT"] });
    await npm.line(({ msg }) => msg === "the gateway listens");
    const { code, stderr } = await run(folder.path, ["health"]);
    expect([code, stderr]).toEqual([1, "No gateway answers at http://127.0.0.1:1/livez.\n"]);
  });

  it("ends a command with 78 and the number of the line that cannot be read, and keeps help", async () => {
    await using folder = await checkout();
    writeFileSync(join(folder.path, ".env"), "PORT=0\nUPSTREAM_TOKEN=canary#1\n");
    await using npm = startProgram([npmCli(), "start"], { ...READS_FILE, HOME: folder.path }, folder.path);
    expect(await npm.exited).toBe(78);
    expect(npm.stderr()).toContain(".env cannot be used:\n  line 2 (UPSTREAM_TOKEN) has a #");
    expect((await run(folder.path, ["check"])).code).toBe(78);
    expect((await run(folder.path, ["help", "check"])).code).toBe(0);
    expect((await run(folder.path, ["check", "--help"])).code).toBe(0);
  });

  it("changes no program that a test starts", async () => {
    await using folder = await checkout();
    writeFileSync(join(folder.path, ".env"), "PORT=canary\n");
    await using program = startProgram([join(ROOT, "src/cli.ts"), "health"], { PORT: "1" }, folder.path);
    expect(await program.exited).toBe(1);
  });
});
