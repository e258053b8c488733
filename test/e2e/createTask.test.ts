import { beforeEach, describe, expect, it } from "vitest";
import { graphql } from "../generated/gql.ts";
import type { CreateTaskInput, SubmitMutation } from "../generated/graphql.ts";
import { NO_SERVICE, spawnGateway, startGateway, temporaryDirectory } from "../support/gateway.ts";
import { startBoth } from "../support/startBoth.ts";

const { sandbox, gateway } = await startBoth({ UPSTREAM_TIMEOUT_MS: "1500" });
beforeEach(async () => {
  await sandbox.control("DELETE", "faults");
  await sandbox.forget();
});

const Submit = graphql(`
  mutation Submit($input: CreateTaskInput!) {
    createTask(input: $input) {
      replayed
      submission {
        id
        idempotencyKey
        status
        name
        assistantId
        numberCount
        submittedAt
      }
      errors {
        code
        message
        path
      }
    }
  }
`);

let keys = 0;
async function newInput(change: Partial<CreateTaskInput> = {}): Promise<CreateTaskInput> {
  const { assistants } = await sandbox.control<{ assistants: { id: string }[] }>("GET", "");
  keys += 1;
  return {
    idempotencyKey: `key-${keys}`,
    name: "Autumn",
    assistantId: assistants[0]?.id ?? "",
    option: {
      lineIds: ["60"],
      periods: [["09:00", "18:00"]],
      startDate: "2030-01-01",
      retryCount: 1,
      retryIntervalSeconds: 60,
      numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
    },
    numbers: [{ number: "+12025550101", extra: { 姓名: "Li", __proto__x: 1 } }, { number: "+12025550102" }],
    ...change,
  };
}

async function submit(input: CreateTaskInput, of = gateway) {
  const { data, errors } = await of.ask<SubmitMutation>(Submit.toString(), { input });
  expect(errors).toBeUndefined();
  if (!data?.createTask) throw new Error("no payload");
  return data.createTask;
}

async function posts() {
  return (await sandbox.requests()).filter(({ method }) => method === "POST");
}

describe("createTask sends the service one request, as its document says", () => {
  it("accepts an empty 200 as success", async () => {
    const input = await newInput({
      assistantOverride: { globalConfig: { welcome: "Hello", language: "JP" }, speakerId: "4" },
    });
    const { submission, replayed, errors } = await submit(input);
    expect(errors).toEqual([]);
    expect(replayed).toBe(false);
    expect(submission).toMatchObject({
      idempotencyKey: input.idempotencyKey,
      status: "ACCEPTED",
      name: "Autumn",
      assistantId: input.assistantId,
      numberCount: 2,
    });
    expect(submission?.submittedAt).toMatch(/^\d{4}-\d{2}-\d{2}T.*Z$/);
    const sent = await posts();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toMatchObject({
      name: "Autumn",
      assistantId: Number(input.assistantId),
      assistantOverride: { globalConfig: { welcome: "Hello", language: "jp" }, speakerId: 4 },
      option: {
        numberFileMeta: { 号码: 0, 姓名: 1, 性别: 2, 销售姓名: 3 },
        numbers: [60],
        startTime: [["09:00", "18:00"]],
        startDate: "2030-01-01",
        retryCount: 1,
        retryInterval: 60,
      },
      numbers: [{ number: "+12025550101", extra: { 姓名: "Li" } }, { number: "+12025550102" }],
    });
  });

  it("returns the submission by its ID", async () => {
    const { submission } = await submit(await newInput());
    const { data } = await gateway.ask(`query($id: ID!) { node(id: $id) { id ... on TaskSubmission { status } } }`, {
      id: submission?.id,
    });
    expect(data).toEqual({ node: { id: submission?.id, status: "ACCEPTED" } });
  });
});

describe("createTask calls nobody twice", () => {
  it("returns the first answer again for the same key and input", async () => {
    const input = await newInput();
    const first = await submit(input);
    const again = await submit(input);
    expect(again).toEqual({ ...first, replayed: true });
    expect(await posts()).toHaveLength(1);
  });

  it("sends one request for simultaneous calls with one key", async () => {
    const input = await newInput();
    const answers = await Promise.all(Array.from({ length: 8 }, () => submit(input)));
    expect(new Set(answers.map(({ submission }) => submission?.id)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await posts()).toHaveLength(1);
  });

  it("refuses a task with one number in two spellings, and sends nothing", async () => {
    for (const again of ["[138]00010001", "138ー0001ー0001", "138\ufe0f00010001", "١٣٨٠٠٠١٠٠٠١", "138\u000000010001"]) {
      const input = await newInput({ numbers: [{ number: "13800010001" }, { number: again }] });
      const { submission, errors } = await submit(input);
      expect(submission).toBeNull();
      expect(errors).toMatchObject([{ code: "INVALID_INPUT", path: ["numbers", "1", "number"] }]);
    }
    expect(await posts()).toEqual([]);
  });

  it("refuses another input with the same key", async () => {
    const input = await newInput();
    await submit(input);
    const { submission, errors } = await submit({ ...input, name: "Winter" });
    expect(submission).toBeNull();
    expect(errors.map(({ code }) => code)).toEqual(["IDEMPOTENCY_CONFLICT"]);
    expect(await posts()).toHaveLength(1);
  });

  it.each([
    ["the connection breaks after the task was taken", { kind: "reset", processed: true }],
    ["no answer comes", { kind: "hang", processed: true }],
    ["the answer is a 500", { kind: "status", status: 500, processed: true }],
    ["the answer is a redirect", { kind: "status", status: 307, location: "/openapi/tasks" }],
  ])("returns UNCONFIRMED, without an error that suggests a retry, if %s", async (_, fault) => {
    await sandbox.control("POST", "faults", { ...fault, match: { method: "POST" } });
    const input = await newInput();
    const { submission, errors } = await submit(input);
    expect(submission?.status).toBe("UNCONFIRMED");
    expect(errors).toEqual([]);
    await sandbox.control("DELETE", "faults");
    expect(await submit(input)).toMatchObject({ replayed: true, submission: { status: "UNCONFIRMED" } });
    expect(await posts()).toHaveLength(1);
  });

  it("stores UNCONFIRMED if the gateway is killed during the request", async () => {
    await using directory = await temporaryDirectory();
    const first = await spawnGateway(sandbox, { DATABASE_URL: directory.database });
    await sandbox.control("POST", "faults", { kind: "hang", processed: true, match: { method: "POST" } });
    const input = await newInput();
    const lost = first.ask(Submit.toString(), { input }).catch(() => null);
    while ((await posts()).length === 0) await new Promise((resolve) => setImmediate(resolve));
    first.process.kill("SIGKILL");
    await Promise.all([first.exited, lost]);
    await sandbox.control("DELETE", "faults");

    await using second = await startGateway(sandbox, { DATABASE_URL: directory.database });
    const again = await submit(input, second);
    expect(again).toMatchObject({ replayed: true, submission: { status: "UNCONFIRMED" } });
    expect(await posts()).toHaveLength(1);
  });
});

describe("createTask", () => {
  it("returns as data every mistake of the input with its path, and sends nothing", async () => {
    const input = await newInput({
      name: " ",
      assistantId: "abc",
      numbers: [{ number: "1" }, { number: "" }, { number: "1" }],
    });
    const { submission, errors } = await submit({
      ...input,
      option: { ...input.option, startDate: "2026-02-30", retryCount: -1, periods: [], lineIds: ["x"] },
    });
    expect(submission).toBeNull();
    expect(errors.every(({ code }) => code === "INVALID_INPUT")).toBe(true);
    expect(errors.map(({ path }) => path.join(".")).sort()).toEqual([
      "assistantId",
      "name",
      "numbers.1.number",
      "numbers.2.number",
      "option.lineIds.0",
      "option.periods",
      "option.retryCount",
      "option.startDate",
    ]);
    expect(await posts()).toEqual([]);
  });

  it("returns the refusal of the service as data", async () => {
    const { submission, errors } = await submit(await newInput({ assistantId: "424242" }));
    expect(submission?.status).toBe("REJECTED");
    expect(errors.map(({ code }) => code)).toEqual(["REJECTED"]);
    expect(await posts()).toHaveLength(1);
  });

  it("returns the overload of the service as data, and frees the key", async () => {
    await sandbox.control("POST", "faults", { kind: "status", status: 429, match: { method: "POST" }, times: 1 });
    const input = await newInput();
    const { submission, errors } = await submit(input);
    expect(submission).toBeNull();
    expect(errors.map(({ code }) => code)).toEqual(["UNAVAILABLE"]);
    expect(await submit(input)).toMatchObject({ replayed: false, submission: { status: "ACCEPTED" } });
  });

  it("returns the failure to reach the service as data", async () => {
    await using alone = await startGateway(NO_SERVICE);
    const { errors } = await submit(await newInput(), alone);
    expect(errors.map(({ code }) => code)).toEqual(["UNAVAILABLE"]);
  });
});
