// The commands that look at tasks, decide on them, and forget a person.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { startProgram } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";
import { onSameClock } from "../support/sameClock.ts";
import { until } from "../support/until.ts";
import { submit, taskInput } from "./submitting.ts";

const VIEWERS = { ops: ["admin", "calls:read", "tasks:approve"], web: ["tasks:propose", "calls:read"] };
const PERSON = "13800010001";

let directory: Directory;
let sandbox: Sandbox;
let gateway: TestGateway;
beforeAll(async () => {
  directory = await temporaryDirectory();
  sandbox = await emptySandbox();
  gateway = await startGateway(sandbox, { API_KEYS_FILE: await writeKeys(directory.path, VIEWERS) });
  connectSandbox(sandbox, gateway);
});
afterAll(async () => {
  for (const part of [gateway, sandbox, directory]) await part?.[Symbol.asyncDispose]();
});

async function run(...args: string[]) {
  await using program = startProgram([CLI, ...args, "--url", gateway.url], { SWITCHBOARD_KEY: keyOf("ops") });
  const code = await program.exited;
  return { code, lines: program.output.map((line) => JSON.parse(line) as unknown), stderr: program.stderr() };
}

async function propose(): Promise<string> {
  const { submission } = await submit(gateway, taskInput(sandbox), { authorization: bearer("web") });
  return submission?.id ?? "";
}

async function endCallOfPerson(): Promise<void> {
  const { sessionId } = sandbox.control.endCall({ caller: PERSON });
  const query = "query ($sessionId: ID!) { callEnded(sessionId: $sessionId) { id } }";
  await until(
    async () => (await gateway.ask(query, { sessionId }, { authorization: bearer("ops") })).data?.["callEnded"] != null,
  );
}

describe("switchboard", () => {
  it("approve sends a proposed task once, and submissions lists it", async () => {
    const id = await propose();
    expect((await run("submissions")).lines[0]).toMatchObject({ id, status: "PROPOSED", numberCount: 2 });
    const approved = await run("approve", id);
    expect(approved).toMatchObject({ code: 0, stderr: "" });
    expect(approved.lines).toMatchObject([{ replayed: false, errors: [], submission: { id } }]);
    expect((await run("approve", id)).lines).toMatchObject([{ replayed: true, submission: { id } }]);
    expect(sandbox.control.state().tasks).toBe(1);
  });

  it("tasks lists the tasks that the gateway has met", async () => {
    sandbox.control.seed({ tasks: [{ id: 7, name: "Survey" }] });
    await gateway.ask(`{ task(taskId: "7") { name } }`, {}, { authorization: bearer("ops") });
    expect(await run("tasks")).toMatchObject({ code: 0, lines: [{ taskId: "7", name: "Survey" }] });
  });

  it("decline says why, and a declined task cannot be approved", async () => {
    const sent = sandbox.control.state().tasks;
    const id = await propose();
    expect(await run("decline", id, "--reason", "The list is old")).toMatchObject({
      code: 0,
      lines: [{ submission: { id, status: "DECLINED" } }],
    });
    expect(await run("approve", id)).toMatchObject({ code: 1 });
    expect(sandbox.control.state().tasks).toBe(sent);
  });

  it("approve fails for an ID of no proposal", async () => {
    const { code, lines, stderr } = await run("approve", "nobody");
    expect([code, lines, stderr]).toEqual([1, [], expect.stringContaining("BAD_USER_INPUT")]);
  });

  it("forget counts with --dry-run, then erases the calls of a person, and --never-call keeps later tasks from calling them", async () => {
    await endCallOfPerson();
    const contains = "query($number: String!) { doNotCall { contains(number: $number) } }";
    const isListed = async () =>
      (await gateway.ask(contains, { number: PERSON }, { authorization: bearer("ops") })).data?.["doNotCall"];
    const dryRun = await run("forget", "+86 138 0001 0001", "--dry-run", "--never-call");
    expect(dryRun).toMatchObject({ code: 0, lines: [{ calls: 1, events: 1 }] });
    expect(await isListed()).toEqual({ contains: false });
    expect(await run("forget", "+86 138 0001 0001")).toMatchObject({ code: 0, lines: [{ events: 1 }] });
    expect(await isListed()).toEqual({ contains: false });
    expect(await run("forget", PERSON, "--never-call")).toMatchObject({ code: 0, lines: [{ events: 0 }] });
    expect(await isListed()).toEqual({ contains: true });
  });

  it("forget reads the number from standard input, so that no list of processes shows it", async () => {
    await endCallOfPerson();
    const env = onSameClock({ PATH: process.env["PATH"] ?? "", SWITCHBOARD_KEY: keyOf("ops") });
    const running = promisify(execFile)(process.execPath, [CLI, "forget", "-", "--url", gateway.url], { env });
    running.child.stdin?.end(`${PERSON}\n`);
    expect(JSON.parse((await running).stdout)).toMatchObject({ events: 1 });
  });

  it("forget refuses what is no phone number", async () => {
    const { code, stderr } = await run("forget", "nobody");
    expect([code, stderr]).toEqual([1, expect.stringContaining("BAD_USER_INPUT")]);
  });
});
