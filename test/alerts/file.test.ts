import { describe, expect, it } from "vitest";
import { countingOf } from "../../src/alerts/judgeCall.ts";
import { answerRate, rulesOf } from "./judging.ts";

const reason = (own: object) => ({
  name: "failed",
  kind: "hangUpReason",
  reasons: ["FAILED"],
  above: 0.5,
  window: { minutes: 15 },
  ...own,
});

const lost = (own: object) => ({ name: "lost", kind: "recordingsLost", window: { minutes: 60 }, ...own });

const limit = (own: object) => ({ name: "limits", kind: "keyLimit", atLeast: 0.8, ...own });
const silence = (own: object) => ({ name: "silence", kind: "noCalls", tasks: ["7"], minutes: 20, ...own });
const left = (own: object) => ({ name: "left", kind: "peopleLeft", tasks: ["7"], ...own });
const many = Array.from({ length: 50 }, (_, at) => String(100 + at));

describe("A rule of ALERTS_FILE", () => {
  it.each([
    [
      [answerRate({ kind: "answers" })],
      "entry 1 (answers): kind must be answerRate, hangUpReason, recordingsLost, keyLimit, noCalls, peopleLeft or destinationFails",
    ],
    [[answerRate(), answerRate()], "entry 2 (answers): name is that of another entry, too"],
    [[answerRate({ below: 0 })], "entry 1 (answers): below must be above 0: no rate is below it"],
    [[answerRate({ below: "20%" })], "entry 1 (answers): below must be a number"],
    [[answerRate({ minCalls: 5 })], "entry 1 (answers): minCalls must be at most 4: window.calls never has more"],
    [[answerRate({ window: {} })], "entry 1 (answers): window must have either calls or minutes"],
    [[answerRate({ window: { calls: 9, minutes: 9 } })], "entry 1 (answers): window must have either calls or minutes"],
    [[answerRate({ tasks: [] })], "entry 1 (answers): tasks must not be empty"],
    [[answerRate({ tasks: [7] })], "entry 1 (answers): item 1 of tasks must be a text"],
    [[answerRate({ tasks: ["0"] })], "entry 1 (answers): item 1 of tasks must be an ID in digits"],
    [[answerRate({ of: "line" })], "entry 1 (answers): of must be task or assistant or all"],
    [[answerRate({ above: 0.4 })], "entry 1 (answers): unknown member above"],
    [[reason({ above: 1 })], "entry 1 (failed): above must be below 1: no share is above it"],
    [[reason({ reasons: [] })], "entry 1 (failed): reasons must not be empty"],
    [[lost({})], "entry 1 (lost): it must have either above or atLeast"],
    [[lost({ above: 0.1, atLeast: 2 })], "entry 1 (lost): it must have either above or atLeast"],
    [
      [lost({ atLeast: 9, window: { calls: 8 } })],
      "entry 1 (lost): atLeast must be at most 8: window.calls never has more",
    ],
    [[limit({ atLeast: 80 })], "entry 1 (limits): atLeast must be at most 1, which is all of a limit"],
    [[limit({ limits: ["numbersPerTask"] })], "entry 1 (limits): item 1 of limits must be tasksPerHour or"],
    [[silence({ tasks: [] })], "entry 1 (silence): tasks must not be empty"],
    [[silence({ of: "line" })], "entry 1 (silence): of must be task or assistant or all"],
    [[silence({ assistants: ["x"] })], "entry 1 (silence): item 1 of assistants must be an ID in digits"],
    [[silence({ minutes: 241 })], "entry 1 (silence): minutes must be at most 240"],
    [[silence({ coolDownMinutes: 5 })], "entry 1 (silence): unknown member coolDownMinutes"],
    [
      [silence({}), left({ name: "more", tasks: many })],
      "entry 2 (more): tasks makes more than 50 tasks of rules of the kinds noCalls and peopleLeft",
    ],
    [[left({ of: "assistant" })], "entry 1 (left): unknown member of"],
    [[left({ atLeast: 0 })], "entry 1 (left): atLeast must be at least 1"],
    [[left({ minutes: 5 })], "entry 1 (left): unknown member minutes"],
    [[limit({ of: "task" })], "entry 1 (limits): unknown member of"],
    [[{ ...reason({}), name: "Failed calls" }], "name must have 1 to 40 lower-case letters, digits and hyphens"],
  ])("that can never apply or be understood is refused with its place and the rule: %j", async (rules, message) => {
    await expect(rulesOf(...rules)).rejects.toThrow(message);
  });
});

it("A rule counts on as one of before a later kind came", async () => {
  const [answers, reasons] = await rulesOf(answerRate({ tasks: ["7"] }), reason({}));
  if (!answers || !reasons) throw new Error("There are two rules.");
  expect([answers, reasons].map(countingOf)).toEqual(["e641401d130f4917", "548cb0e4ba1d47ef"]);
});
