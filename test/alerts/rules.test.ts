import { describe, expect, it } from "vitest";
import { doubtsOf } from "../../src/alerts/ruleDoubts.ts";
import { answerRate, ended, judging, minute, rulesOf } from "./judging.ts";

const failed = (at: number, own: object = {}) => ended(at, { answered: false, hangupReason: "FAILED", ...own });
const reasons = (own: object = {}) => ({
  name: "failed",
  kind: "hangUpReason",
  reasons: ["FAILED"],
  above: 0.5,
  window: { calls: 4 },
  minCalls: 4,
  ...own,
});

describe("A rule on the answer rate", () => {
  it("is raised below its limit, and not at it", async () => {
    const rules = await rulesOf(answerRate());
    const half = [ended(0), ended(1), ended(2, { answered: false }), ended(3, { answered: false })];
    expect(judging(rules).take(...half).alerts).toEqual([]);
    expect(judging(rules).take(...half, ended(4, { answered: false })).alerts).toMatchObject([
      { rule: "answers", subject: "task 7", value: 0.25, calls: 4, raisedAt: minute(4) },
    ]);
  });

  it("does not count inbound calls", async () => {
    const inbound = [0, 1, 2, 3].map((at) => ended(at, { answered: false, direction: "inbound" }));
    expect(judging(await rulesOf(answerRate({ of: "all" }))).take(...inbound).alerts).toEqual([]);
  });
});

describe("A rule on hang-up reasons", () => {
  it("is raised above its limit, and leaves out calls whose reason is not known", async () => {
    const calls = [ended(0), ended(1), failed(2), failed(3), failed(4, { hangupReason: null })];
    expect(judging(await rulesOf(reasons())).take(...calls).alerts).toEqual([]);
    expect(judging(await rulesOf(reasons())).take(...calls, failed(5)).alerts).toMatchObject([
      { rule: "failed", value: 0.75, calls: 4, raisedAt: minute(5) },
    ]);
  });

  it("gets the reason that a late webhook adds to a call that was found in the list", async () => {
    const found = [0, 1, 2, 3].map((at) => failed(at, { hangupReason: null, source: "RECONCILED" }));
    const told = found.map((event) => ({ ...event, revision: 2, hangupReason: "FAILED", receivedAt: minute(10) }));
    expect(judging(await rulesOf(reasons())).take(...found).alerts).toEqual([]);
    expect(judging(await rulesOf(reasons())).take(...found, ...told).alerts).toMatchObject([{ raisedAt: minute(3) }]);
  });
});

describe("A rule", () => {
  const calls = ["7", "8"].flatMap((taskId) => [0, 1, 2, 3].map((at) => failed(at, { taskId })));
  const subjects = async (own: object) => {
    const { alerts } = judging(await rulesOf(answerRate(own))).take(...calls);
    return alerts.map(({ subject }) => subject);
  };

  it("watches each task on its own, or only those that it names", async () => {
    expect(await subjects({})).toEqual(["task 7", "task 8"]);
    expect(await subjects({ tasks: ["8"] })).toEqual(["task 8"]);
    expect(await subjects({ assistants: ["9"] })).toEqual([]);
  });

  it("watches each assistant on its own", async () => {
    expect(await subjects({ of: "assistant" })).toEqual(["assistant 1"]);
    expect(await subjects({ of: "assistant", assistants: ["9"] })).toEqual([]);
  });

  it("watches all calls together, or those of some tasks", async () => {
    expect(await subjects({ of: "all", window: { calls: 8 }, minCalls: 8 })).toEqual(["all"]);
    expect(await subjects({ of: "all", tasks: ["8"], window: { calls: 8 }, minCalls: 5 })).toEqual([]);
  });
});

it("Doubts about a rule leave out what cannot be asked, also where that fails before another answer comes", async () => {
  const [rule] = await rulesOf({
    ...answerRate({ tasks: ["7"], below: undefined }),
    kind: "hangUpReason",
    above: 0.5,
    reasons: ["x"],
  });
  if (!rule) throw new Error("There is a rule.");
  const unused = () => Promise.resolve(true);
  const task = Promise.withResolvers<boolean>();
  const reason = Promise.reject(new Error("The database is away."));
  const doubts = doubtsOf(rule, {
    task: () => task.promise,
    reason: () => reason,
    assistant: unused,
    key: unused,
    limit: unused,
    destination: unused,
  });
  await new Promise((resolve) => setImmediate(resolve));
  task.resolve(false);
  expect(await doubts).toEqual(["The service has no task 7."]);
});
