import { describe, expect, it } from "vitest";
import type { SubmissionStore } from "../../src/store/tasks/submissionStore.ts";
import type { CreateTaskOutcome } from "../../src/upstream/upstream.ts";
import { until } from "../support/until.ts";
import { ANY_QUOTA, submission as storedSubmission } from "../store/tempStore.ts";
import { createTaskInput, inTurn, optionWith } from "./input.ts";
import { ACCEPTED, office, UNAVAILABLE } from "./office.ts";

/** Another submission with the key of `createTaskInput`. */
const LATER = storedSubmission({ id: "late", idempotencyKey: "key-1" });

describe("The request of createTask", () => {
  it("is sent after the key was claimed", async () => {
    const { submissions, submit } = await office(async () => {
      seen.push(await submissions.claim(LATER, ANY_QUOTA));
      return ACCEPTED;
    });
    const seen: unknown[] = [];
    const { submission } = await submit("web", createTaskInput());
    expect(seen).toEqual([{ claimed: false, holder: { ...submission, status: "PENDING" } }]);
  });

  it("has its body written before the key is claimed", async () => {
    const bodies: number[] = [];
    const { submit, written } = await office(undefined, (real) => ({
      claim(submission, quota) {
        bodies.push(written.size);
        return real.claim(submission, quota);
      },
    }));
    await submit("web", createTaskInput());
    expect(bodies).toEqual([1]);
  });

  it("does not hold the turn of a large body while it waits for the service", async () => {
    const answer = Promise.withResolvers<CreateTaskOutcome>();
    const { submit } = await office(() => answer.promise);
    const used = Promise.withResolvers<void>();
    const result = submit("web", inTurn(used.resolve));
    await used.promise;
    const usedAgain = Promise.withResolvers<void>();
    const replay = submit("web", inTurn(usedAgain.resolve));
    await usedAgain.promise;
    answer.resolve(ACCEPTED);
    expect([(await result).replayed, (await replay).replayed]).toEqual([false, true]);
  });

  it("is not sent if the key cannot be claimed", async () => {
    const claim = () => Promise.reject(new Error("disk"));
    const { submit, sent } = await office(undefined, () => ({ claim }));
    await expect(submit("web", createTaskInput())).rejects.toThrow("disk");
    expect(sent).toEqual([]);
  });

  it("is not sent with invalid input: all mistakes are listed and the key stays free", async () => {
    const { submit, sent } = await office();
    const { submission, replayed, errors } = await submit("web", createTaskInput({ name: "", assistantId: "x" }));
    expect([submission, replayed]).toEqual([null, false]);
    expect(errors.map(({ code, path }) => [code, path])).toEqual([
      ["INVALID_INPUT", ["name"]],
      ["INVALID_INPUT", ["assistantId"]],
    ]);
    expect(sent).toEqual([]);
    expect(await submit("web", createTaskInput())).toMatchObject({ replayed: false, errors: [] });
  });
});

describe("The outcome of createTask", () => {
  it.each([ACCEPTED, UNAVAILABLE, { kind: "unconfirmed" }, { kind: "rejected", status: 422 }] as const)(
    "is known by the token if that arrives before the answer: %j",
    async (outcome) => {
      const { submit, submissions, sent } = await office(async () => {
        const own = await submissions.byKey("web", "key-1");
        await submissions.resolve(own?.id ?? "", "777");
        return outcome;
      });
      const known = { submission: { status: "RESOLVED", taskId: "777" }, errors: [] };
      expect(await submit("web", createTaskInput())).toMatchObject({ ...known, replayed: false });
      expect(await submit("web", createTaskInput())).toMatchObject({ ...known, replayed: true });
      expect(sent).toHaveLength(1);
    },
  );

  it.each([
    [ACCEPTED, "ACCEPTED", []],
    [{ kind: "unconfirmed" }, "UNCONFIRMED", []],
    [{ kind: "rejected", status: 422 }, "REJECTED", ["REJECTED"]],
  ] as const)("is stored and replayed: %j", async (outcome, status, codes) => {
    const { submit, submissions, sent } = await office(() => outcome);
    const result = await submit("web", createTaskInput());
    expect(result).toMatchObject({
      replayed: false,
      submission: {
        viewer: "web",
        idempotencyKey: "key-1",
        status,
        name: "Reminder",
        assistantId: "9007199254740993123",
        numberCount: 2,
        submittedAt: "2026-11-20T09:30:00.000Z",
      },
    });
    expect(result.errors.map(({ code }) => code)).toEqual(codes);
    expect(await submissions.byId(result.submission?.id ?? "")).toEqual(result.submission);

    const again = await submit("web", createTaskInput());
    expect(again).toEqual({ ...result, replayed: true });
    expect(sent).toHaveLength(1);
  });

  it("is returned at once if the store fails", async () => {
    let isBroken = true;
    const { submit } = await office(undefined, (real) => ({
      settle: async (...settled) => (isBroken ? Promise.reject(new Error("disk")) : real.settle(...settled)),
      byId: () => new Promise<never>(() => undefined),
    }));
    expect(await submit("web", createTaskInput())).toMatchObject({ submission: { status: "ACCEPTED" } });
    isBroken = false;
  });

  it("frees the key when nothing was created", async () => {
    const outcomes = [UNAVAILABLE, ACCEPTED];
    const { submit, sent } = await office(() => outcomes.shift() ?? ACCEPTED);
    expect(await submit("web", createTaskInput())).toEqual({
      submission: null,
      replayed: false,
      errors: [expect.objectContaining({ code: "UNAVAILABLE", path: [] })],
    });
    expect(await submit("web", createTaskInput())).toMatchObject({
      submission: { status: "ACCEPTED" },
      replayed: false,
    });
    expect(sent).toHaveLength(2);
  });
});

describe("A repeated idempotency key", () => {
  it("waits for the answer to the first request", async () => {
    const answer = Promise.withResolvers<CreateTaskOutcome>();
    const { submit, sent } = await office(() => answer.promise);
    const many = Array.from({ length: 20 }, () => submit("web", createTaskInput()));
    while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    many.push(submit("web", createTaskInput()));
    answer.resolve(ACCEPTED);
    const results = await Promise.all(many);
    expect(sent).toHaveLength(1);
    expect(results.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(new Set(results.map(({ submission }) => submission?.id)).size).toBe(1);
    expect(new Set(results.map(({ submission }) => submission?.status))).toEqual(new Set(["ACCEPTED"]));
  });

  it("gets the failure of the first request, and is no replay then", async () => {
    const answer = Promise.withResolvers<CreateTaskOutcome>();
    const { submit, sent } = await office(() => answer.promise);
    const first = submit("web", createTaskInput());
    while (sent.length === 0) await new Promise((resolve) => setImmediate(resolve));
    // The failure frees the key, so the second one must have found the first before it.
    const found = Promise.withResolvers<void>();
    const second = submit("web", inTurn(found.resolve));
    await found.promise;
    answer.resolve(UNAVAILABLE);
    for (const { submission, replayed, errors } of await Promise.all([first, second])) {
      expect([submission, replayed, errors[0]?.code]).toEqual([null, false, "UNAVAILABLE"]);
    }
    expect(sent).toHaveLength(1);
  });

  it("is a replay with the same input in any order", async () => {
    const { submit, sent } = await office();
    const extra = (text: string) => JSON.parse(text) as Record<string, unknown>;
    await submit("web", createTaskInput({ numbers: [{ number: "1", extra: extra('{"a":1,"b":{"c":2,"d":3}}') }] }));
    const reordered = createTaskInput({ numbers: [{ extra: extra('{"b":{"d":3,"c":2},"a":1}'), number: "1" }] });
    expect(await submit("web", reordered)).toMatchObject({ replayed: true, errors: [] });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ["name", { name: "Other" }],
    ["numbers", { numbers: [{ number: "13800010002" }] }],
    ["the order of numbers", { numbers: createTaskInput().numbers.toReversed() }],
    ["extra", { numbers: [{ number: "13800010001", extra: { 姓名: "李四" } }, { number: "13800010002" }] }],
    ["option", optionWith({ retryCount: 1 })],
    ["the override", { assistantOverride: null }],
  ])("is a conflict with another %s, and nothing is sent", async (_, own) => {
    const { submit, sent } = await office();
    await submit("web", createTaskInput());
    expect(await submit("web", createTaskInput(own))).toEqual({
      submission: null,
      replayed: false,
      errors: [expect.objectContaining({ code: "IDEMPOTENCY_CONFLICT", path: ["idempotencyKey"] })],
    });
    expect(sent).toHaveLength(1);
  });

  it("is independent of another viewer's key", async () => {
    const { submit, sent } = await office();
    const [web, ops] = [await submit("web", createTaskInput()), await submit("ops", createTaskInput())];
    expect([web.replayed, ops.replayed]).toEqual([false, false]);
    expect(web.submission?.id).not.toBe(ops.submission?.id);
    expect(sent).toHaveLength(2);
  });
});

describe("A store that fails after the request was sent", () => {
  it.each([
    ["settle", ACCEPTED, { submission: { status: "ACCEPTED" }, errors: [] }],
    ["release", UNAVAILABLE, { submission: null, errors: [{ code: "UNAVAILABLE" }] }],
  ] as const)("does not turn the answer into an error: %s", async (method, outcome, expected) => {
    const disk = { isBroken: true };
    const { submit, sent, lines, submissions } = await office(
      () => outcome,
      (real) => ({
        [method]: (...args: Parameters<SubmissionStore["settle"]>) =>
          disk.isBroken ? Promise.reject(new Error("disk")) : real[method](...args),
      }),
    );
    const first = await submit("web", createTaskInput());
    expect(first).toMatchObject(expected);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "error", err: { message: "disk" } });
    expect(lines[0]).not.toMatch(/1380001|张三/);

    // A repeated request gets the known result, which the store does not have.
    const again = await submit("web", createTaskInput());
    expect(again).toEqual({ ...first, replayed: method === "settle" });
    expect(sent).toHaveLength(1);

    disk.isBroken = false;
    await until(async () => {
      const claim = await submissions.claim(LATER, ANY_QUOTA);
      return claim.claimed || claim.holder?.status === "ACCEPTED";
    });
  });
});
