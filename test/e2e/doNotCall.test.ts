import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startGateway, temporaryDirectory, type Directory, type TestGateway } from "../support/gateway.ts";
import { bearer, keyOf, writeKeys } from "../support/keys.ts";
import { startProgram } from "../support/program.ts";
import { CLI, startSandbox, type TestSandbox } from "../support/sandbox.ts";
import { taskInputFor, type Payload } from "./submitting.ts";

let directory: Directory;
let sandbox: TestSandbox;
let gateway: TestGateway;
beforeAll(async () => {
  directory = await temporaryDirectory();
  sandbox = await startSandbox();
  const keys = { ops: ["admin"], web: ["tasks:create"] };
  gateway = await startGateway(sandbox, { API_KEYS_FILE: await writeKeys(directory.path, keys) });
});
afterAll(async () => {
  for (const part of [gateway, sandbox, directory]) await part?.[Symbol.asyncDispose]();
});

const ask = async (query: string, variables: object = {}, viewer = "ops") =>
  gateway.ask<Record<string, never>>(query, variables, { authorization: bearer(viewer) });
const ADD = `mutation($numbers: [String!]!) { addToDoNotCall(numbers: $numbers) { changed unreadable reasons } }`;
const REMOVE = `mutation($numbers: [String!]!) { removeFromDoNotCall(numbers: $numbers) { changed unreadable } }`;
const CONTAINS = `query($number: String!) { doNotCall { count contains(number: $number) } }`;
const SUBMIT = `mutation($input: CreateTaskInput!) { createTask(input: $input) {
  replayed submission { numberCount leftOutCount } errors { code path message } } }`;

interface Sent extends Omit<Payload, "submission"> {
  submission: { numberCount: number; leftOutCount: number } | null;
}

async function submit(own: object): Promise<Sent> {
  const { assistants } = await sandbox.control<{ assistants: { id: string }[] }>("GET", "");
  const input = { ...taskInputFor(assistants[0]?.id), ...own };
  const { data, errors } = await gateway.ask<{ createTask: Sent }>(SUBMIT, { input }, { authorization: bearer("web") });
  if (!data?.createTask) throw new Error(JSON.stringify(errors));
  return data.createTask;
}
const numbers = (...texts: string[]) => ({ numbers: texts.map((number) => ({ number })) });
const LISTED = "+86 138-0001-0001";
const SPELLINGS = ["13800010001", "+8613800010001", "8613800010001", "0086 138 0001 0001", "１３８００010001"];
/** The same number as programs write it, or with something beside it. */
const BESIDE = [
  "13800010001.0",
  '="13800010001"',
  "'+8613800010001",
  "13800010001转801",
  "13800010001-801",
  "17951 13800010001",
];

async function runCommand(...args: string[]) {
  const env = { SWITCHBOARD_KEY: keyOf("ops") };
  await using program = startProgram([CLI, "do-not-call", ...args, "--url", gateway.url], env, directory.path);
  return { code: await program.exited, output: program.output, stderr: program.stderr() };
}

describe("The never-call list", () => {
  it("holds a number in every spelling, and takes nothing that is no number", async () => {
    const { data } = await ask(ADD, { numbers: [LISTED, "A068", "", LISTED, "13800010002 / 13800010003"] });
    expect(data).toEqual({
      addToDoNotCall: {
        changed: 1,
        unreadable: [1, 2, 4],
        reasons: [
          "must be a phone number of 7 to 15 digits",
          "must not be empty",
          "holds several phone numbers: give each an entry of its own",
        ],
      },
    });
    for (const number of SPELLINGS)
      expect((await ask(CONTAINS, { number })).data).toEqual({ doNotCall: { count: 1, contains: true } });
    expect((await ask(CONTAINS, { number: "13800010002" })).data).toMatchObject({ doNotCall: { contains: false } });
    expect((await ask(CONTAINS, { number: "A068" })).errors?.[0]?.extensions["code"]).toBe("BAD_USER_INPUT");
  });

  it("refuses a task with a listed number, by its place, and sends nothing", async () => {
    const before = await sandbox.control<{ tasks: number }>("GET", "");
    for (const spelling of [...SPELLINGS, ...BESIDE]) {
      const { submission, errors } = await submit(numbers("+12025550101", spelling));
      expect([submission, errors.map(({ code, path }) => [code, path.join(".")])]).toEqual([
        null,
        [["DO_NOT_CALL", "numbers.1.number"]],
      ]);
    }
    expect((await sandbox.control<{ tasks: number }>("GET", "")).tasks).toBe(before.tasks);
  });

  it("leaves a listed number out where the input says so, and tells how many", async () => {
    const input = { ...numbers("+12025550101", "13800010001", "A068"), skipDoNotCall: true, idempotencyKey: "skips" };
    const sent = await submit({ ...input, name: "Skips" });
    expect(sent).toMatchObject({ submission: { numberCount: 2, leftOutCount: 1 }, errors: [] });
    const all = await submit({ ...numbers("13800010001"), skipDoNotCall: true });
    expect([all.submission, all.errors[0]?.code]).toEqual([null, "DO_NOT_CALL"]);
  });

  it("replays a task that was sent before its number was listed", async () => {
    const input = { ...numbers("+12025550177"), idempotencyKey: "before", name: "Before" };
    const first = await submit(input);
    expect(first.errors).toEqual([]);
    await ask(ADD, { numbers: ["+12025550177"] });
    expect(await submit(input)).toEqual({ ...first, replayed: true });
    expect((await ask(REMOVE, { numbers: ["+1 202 555 0177"] })).data).toMatchObject({
      removeFromDoNotCall: { changed: 1 },
    });
  });

  it("gets a number that is forgotten, if that is asked for", async () => {
    const forget = `mutation { forgetPhone(number: "+12025550188", addToDoNotCall: true) { events } }`;
    expect((await ask(forget)).errors).toBeUndefined();
    expect((await ask(CONTAINS, { number: "(202) 555-0188" })).data).toMatchObject({ doNotCall: { contains: true } });
  });

  it("is only for admin, and its changes are in the audit log without a number", async () => {
    for (const [query, variables] of [[ADD, { numbers: [LISTED] }] as const, ["{ doNotCall { count } }", {}] as const])
      expect((await ask(query, variables, "web")).errors?.[0]?.extensions["code"]).toBe("FORBIDDEN");
    const { data } = await ask("{ auditEvents(first: 100) { nodes { actor action subjectId count } } }");
    const { nodes } = (data as never as { auditEvents: { nodes: { action: string }[] } }).auditEvents;
    expect(nodes.filter(({ action }) => action.startsWith("DO_NOT_CALL"))).toContainEqual({
      actor: "ops",
      action: "DO_NOT_CALL_REMOVED",
      subjectId: null,
      count: 1,
    });
    expect(JSON.stringify(nodes)).not.toMatch(/1380001|2025550/);
  });

  it("is imported from the first column of a file under its head", async () => {
    const lines = Array.from({ length: 1500 }, (_, at) => `"+1 303 ${5_550_000 + at}",Li`);
    const file = join(directory.path, "list.csv");
    await writeFile(file, `\uFEFF${["phone,name", ...lines, ""].join("\r\n")}`);
    const imported = await runCommand("import", file);
    expect([imported.code, imported.stderr]).toEqual([0, ""]);
    expect(JSON.parse(imported.output[0] ?? "")).toEqual({ read: 1500, changed: 1500, unreadable: 0 });
    expect((await ask(CONTAINS, { number: "3035551499" })).data).toMatchObject({ doNotCall: { contains: true } });
    await writeFile(file, lines.join("\n"));
    const removed = await runCommand("remove", file);
    expect([removed.code, JSON.parse(removed.output[0] ?? "")]).toEqual([
      0,
      { read: 1500, changed: 1500, unreadable: 0 },
    ]);
  });

  it("is imported from a column that is named, and each line that protects nobody is named with its reason", async () => {
    const file = join(directory.path, "named.csv");
    const rows = ["id;name;mobile", "1;Li;13800010011", '2;Han;"13800010012;13800010013"', "3;Wu;2026-11-20", "4;Xu;"];
    await writeFile(file, rows.join("\n"));
    const imported = await runCommand("import", file, "--column", "Mobile");
    expect([imported.code, imported.stderr.trim().split("\n")]).toEqual([
      1,
      [
        "Line 3 has no phone number: it holds several phone numbers: give each an entry of its own.",
        "Line 4 has no phone number: it is a date, not a phone number.",
        "Line 5 has no phone number: it must not be empty.",
      ],
    ]);
    expect(JSON.parse(imported.output[0] ?? "")).toEqual({ read: 4, changed: 1, unreadable: 3 });
    await writeFile(file, "13800010014,13800010015\n13800010016,\n");
    const other = await runCommand("import", file);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining("1 lines hold phone numbers in other columns"),
    ]);
    expect((await runCommand("import", file, "--column", "phone")).stderr).toContain("names no column");
    await runCommand("remove", file);
  });

  it("is not changed by a command line that is wrong", async () => {
    for (const args of [["add", "x"], ["import"], ["import", "missing.csv"]]) {
      const { code, stderr } = await runCommand(...args);
      expect([code === 0, stderr.includes("at ")]).toEqual([false, false]);
    }
  });
});
