import { describe, expect, it } from "vitest";
import { intOf, task as taskById, tasksByIds } from "../../src/resolvers/tasks.ts";
import { task, world } from "./world.ts";

const BIG = "9007199254740993123";

describe("Query.task", () => {
  it("requests a task once by an id of any size", async () => {
    const { context, askedTasks } = world({ tasks: { [BIG]: task({ taskId: BIG }) } });
    expect(await taskById(BIG, context)).toMatchObject({ taskId: BIG });
    await taskById(BIG, context);
    expect(await taskById("8", context)).toBeNull();
    expect(askedTasks).toEqual([BIG, "8"]);
  });

  it.each([
    "",
    "0",
    "01",
    "-1",
    "+1",
    "1.0",
    "1e3",
    " 1",
    "1 ",
    "1\n",
    "../1",
    "1?x",
    "1#",
    "%31",
    "١",
    "1".repeat(40),
  ])("refuses the id %j before any request", async (taskId) => {
    const { context, askedTasks } = world();
    await expect(taskById(taskId, context)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
    expect(() => tasksByIds(["1", taskId], context)).toThrow(expect.objectContaining({ code: "BAD_USER_INPUT" }));
    expect(askedTasks).toEqual([]);
  });
});

describe("Query.tasksByIds", () => {
  it("requests each task once and fails each alone, in the order of the ids", async () => {
    const { context, askedTasks } = world({ tasks: { 7: task(), 9: new Error("down") } });
    const answers = await Promise.allSettled(tasksByIds(["9", "7", "8", "7"], context));
    expect(answers.map((answer) => (answer.status === "fulfilled" ? answer.value : "failed"))).toEqual([
      "failed",
      task(),
      null,
      task(),
    ]);
    expect(askedTasks).toEqual(["9", "7", "8"]);
  });

  it("refuses more than 100 ids", () => {
    const ids = Array.from({ length: 101 }, () => "1");
    expect(() => tasksByIds(ids, world().context)).toThrow(expect.objectContaining({ code: "QUERY_TOO_COMPLEX" }));
    expect(tasksByIds([], world().context)).toEqual([]);
  });
});

describe("intOf", () => {
  it("throws UPSTREAM_CONTRACT instead of rounding", () => {
    expect([intOf("total", 0), intOf("total", 2 ** 31 - 1), intOf("total", null)]).toEqual([0, 2 ** 31 - 1, null]);
    for (const value of [2 ** 31, 1.5, NaN, Infinity]) {
      const refused = { code: "UPSTREAM_CONTRACT", message: expect.stringContaining("total") };
      expect(() => intOf("total", value)).toThrow(expect.objectContaining(refused));
    }
  });
});
