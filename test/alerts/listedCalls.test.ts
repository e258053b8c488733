// What the service lists of silent tasks, asked once for all rules.
import { expect, it } from "vitest";
import { createListedCalls } from "../../src/alerts/listedCalls.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { silentLog } from "../support/silentLog.ts";
import { at, from } from "./silentWorld.ts";

const { signal } = new AbortController();

/** A service that lists calls of these tasks. */
function listing(...listed: string[]) {
  const own = {
    now: at(0),
    listed: new Set(listed),
    failing: new Set<string>(),
    lists: [] as string[][],
    since: [] as number[],
  };
  async function listsCalls(taskIds: readonly string[], since: number): Promise<boolean> {
    own.lists.push([...taskIds]);
    own.since.push(since);
    if (taskIds.some((taskId) => own.failing.has(taskId))) throw new Error("The service is away.");
    return taskIds.some((taskId) => own.listed.has(taskId));
  }
  const unclearOf = createListedCalls({ listsCalls, listsMs: 60_000, clock: () => own.now, log: silentLog });
  return { own, unclearOf };
}

it("A look lists ten silent tasks with one request, once for all rules, with the longest minutes of them", async () => {
  const { own, unclearOf } = listing();
  const tasks = from(1, 23).map(String);
  const silences = [20, 30].flatMap((minutes) => tasks.map((taskId) => ({ taskIds: [taskId], minutes })));
  expect(new Set(await unclearOf(silences, signal))).toEqual(new Set([null]));
  expect(own.lists.map(({ length }) => length)).toEqual([10, 10, 3]);
  expect(new Set(own.since)).toEqual(new Set([own.now - 30 * MINUTE_MS]));
});

it("Calls of one task, or a list of it that fails, make no other task of the same list unclear", async () => {
  const { own, unclearOf } = listing("2");
  own.failing.add("13");
  const silences = from(1, 14).map((task) => ({ taskIds: [String(task)], minutes: 20 }));
  const found = await unclearOf(silences, signal);
  expect(found[1]).toBe("The service lists calls of task 2 of which no webhook has told yet.");
  expect(found[12]).toBe("The calls of task 13 could not be listed.");
  expect(found.filter((text) => text === null)).toHaveLength(12);
});

it("A look asks for fifty lists at most, says of which tasks it could not, and lists those with the next looks", async () => {
  const tasks = from(1, 135).map(String);
  const { own, unclearOf } = listing(...tasks);
  const silences = [20, 30, 40].flatMap((minutes) => tasks.map((taskId) => ({ taskIds: [taskId], minutes })));
  const first = await unclearOf(silences, signal);
  expect(own.lists).toHaveLength(50);
  expect(first.every((text) => text?.includes("no webhook") || text?.includes("not been listed yet"))).toBe(true);
  for (const minute of [1, 2, 3, 4]) {
    own.now = at(minute);
    const { length } = own.lists;
    const found = await unclearOf(silences, signal);
    expect(own.lists.length - length).toBeLessThanOrEqual(50);
    if (minute === 4) expect(found.every((text) => text?.includes("no webhook"))).toBe(true);
  }
});

it("A list that had calls is asked for again after five minutes", async () => {
  const { own, unclearOf } = listing("7");
  const look = () => unclearOf([{ taskIds: ["7"], minutes: 20 }], signal);
  await look();
  own.listed.clear();
  own.now = at(4);
  expect(await look()).toEqual([expect.stringContaining("no webhook")]);
  own.now = at(5);
  expect(await look()).toEqual([null]);
  expect(own.lists).toHaveLength(2);
});
