import { describe, expect, it } from "vitest";
import { intOf, task as taskById, tasksByIds } from "../../src/resolvers/tasks.ts";
import { task, world } from "./world.ts";

const BIG = "9007199254740993123";

describe("a task is asked for by an exact id", () => {
  it("whatever its size, once", async () => {
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
  ])("and %j is refused before anything is asked", async (taskId) => {
    const { context, askedTasks } = world();
    await expect(taskById(taskId, context)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
    expect(() => tasksByIds(["1", taskId], context)).toThrow(expect.objectContaining({ code: "BAD_USER_INPUT" }));
    expect(askedTasks).toEqual([]);
  });
});

describe("many tasks are answered in the order asked", () => {
  it("each by itself, once however often it is named", async () => {
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

  it("but not more than 100", () => {
    const ids = Array.from({ length: 101 }, () => "1");
    expect(() => tasksByIds(ids, world().context)).toThrow(expect.objectContaining({ code: "QUERY_TOO_COMPLEX" }));
    expect(tasksByIds([], world().context)).toEqual([]);
  });
});

describe("a number that is no Int costs only itself", () => {
  it("and is told, not rounded", () => {
    expect([intOf("total", 0), intOf("total", 2 ** 31 - 1), intOf("total", null)]).toEqual([0, 2 ** 31 - 1, null]);
    for (const value of [2 ** 31, 1.5, NaN, Infinity]) {
      const refused = { code: "UPSTREAM_CONTRACT", message: expect.stringContaining("total") };
      expect(() => intOf("total", value)).toThrow(expect.objectContaining(refused));
    }
  });
});
