import { describe, expect, it } from "vitest";
import { fileURLToPath } from "node:url";
import { readVersion } from "../../src/util/version.ts";
import { MAIN } from "../support/gateway.ts";
import { startProgram, type Environment } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";

async function run(args: string[], env: Environment = {}) {
  await using program = startProgram([CLI, ...args], env);
  return { code: await program.exited, out: program.output.join("\n"), stderr: program.stderr() };
}
const bench = (name: string) => fileURLToPath(new URL(`../../bench/${name}.ts`, import.meta.url));

describe("the command line", () => {
  it("prints help for all commands, or for one", async () => {
    const [help, flag, both, ofEvents, asOption] = await Promise.all(
      [["help"], ["--help"], ["help", "--help"], ["help", "events"], ["events", "--help"]].map((args) => run(args)),
    );
    expect(help).toMatchObject({ code: 0, stderr: "" });
    expect([flag, both]).toEqual([help, help]);
    expect(help?.out).toContain("--reprocess ID|all");
    expect(ofEvents).toEqual(asOption);
    expect(ofEvents?.out).toMatch(/^switchboard events [^]*--follow[^]*--url/);
    expect(ofEvents?.out).not.toContain("--reprocess");
  });

  it("prints its version", async () => {
    expect(await run(["--version"])).toEqual({ code: 0, out: await readVersion(), stderr: "" });
  });

  it.each([
    [["start", "--bogus"], "Unknown option --bogus.", "switchboard start"],
    [["start", "--url", "x"], "Unknown option --url.", "switchboard start"],
    [["schema", "--json"], "Unknown option --json.", "--write | --check"],
    [["schema", "--write", "--check"], "Use either --write or --check, not both.", "--write | --check"],
    [["quarantine", "--reprocess", "canary", "--reprocess", "b"], "--reprocess is given twice.", "--reprocess ID|all"],
    [["key", "--name=canary", "--name=b"], "--name is given twice.", "--name NAME"],
    [["events", "more"], "Unexpected argument after the command.", "--follow"],
    [["backup"], "FILE is needed.", "backup FILE"],
    [["restore", "a.db", "b.db"], "Unexpected argument after the command.", "restore FILE"],
    [["nonsense"], "Unknown command nonsense.", "switchboard <command>"],
    [["quaratine"], "Unknown command quaratine. Did you mean quarantine?", "--reprocess ID|all"],
    [["submission"], "Did you mean submissions?", "switchboard submissions"],
    [["approve"], "ID is needed.", "approve ID"],
    [["forget"], "NUMBER is needed.", "forget NUMBER"],
    [["--bogus=canary"], "Unknown option --bogus.", "switchboard <command>"],
    [[], "A command is needed.", "switchboard <command>"],
    [["events", "--url", "nope"], "--url must be an http or https address", "--url URL"],
    [["events", "--url", "http://user:canary@127.0.0.1:4000"], "without credentials", "--url URL"],
  ])("refuses %j with 64 and the usage", async (args, problem, hint) => {
    const { code, out, stderr } = await run(args);
    expect([code, out]).toEqual([64, ""]);
    expect(stderr.split("\n")[0]).toContain(problem);
    expect(stderr).toContain(hint);
    expect(stderr).not.toContain("canary");
  });

  it.each([
    ["PORT must be a whole number", { PORT: "canary" }],
    ["PORT is 0", { PORT: "0" }],
    ["SWITCHBOARD_KEY must not have a line break", { SWITCHBOARD_KEY: "can\nary" }],
    ["SWITCHBOARD_KEY must be printable ASCII", { SWITCHBOARD_KEY: "canäry" }],
  ])("refuses a bad variable with 78: %s", async (problem, env) => {
    const { code, stderr } = await run(["events"], env);
    expect(code).toBe(78);
    expect(stderr).toContain(problem);
    expect(stderr).not.toContain("canary");
  });

  it("refuses options of npm start", async () => {
    await using program = startProgram([MAIN, "--port", "4001"], {});
    expect(await program.exited).toBe(64);
    expect(program.stderr()).toContain("settings are environment variables");
  });

  it.each(["run", "durability", "peers"])("prints the usage of the benchmark %s", async (name) => {
    const runBench = async (...args: string[]) => {
      await using program = startProgram([bench(name), ...args], {});
      return { code: await program.exited, out: program.output.join("\n"), stderr: program.stderr() };
    };
    expect(await runBench("--help")).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Usage: npm run bench/),
      stderr: "",
    });
    const unknown = await runBench("--bogus");
    expect([unknown.code, unknown.stderr.split("\n")[0]]).toEqual([64, "Unknown option --bogus."]);
    expect((await runBench("bogus")).stderr).toMatch(/^Unknown benchmark: bogus\.\n\nUsage: /);
  });

  it.each([
    ["--servers", "Switchboard,nobody", '"nobody" is not known.'],
    ["--work", "q1,q9", '"q9" is not known.'],
    ["--latency", "0,soon", "--latency takes milliseconds, such as 0,20."],
  ])("refuses %s=%s of the comparison with other servers", async (option, value, problem) => {
    await using program = startProgram([bench("peers"), "queries", option, value], {});
    expect([await program.exited, program.stderr().split("\n")[0]]).toEqual([64, problem]);
  });
});
