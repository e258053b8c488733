// What the service lists of silent tasks, asked once for all rules.
import { expect, it } from "vitest";
import { createListedCalls } from "../../src/alerts/listedCalls.ts";
import { MINUTE_MS } from "../../src/util/durations.ts";
import { silentLog } from "../support/silentLog.ts";
import { at, from } from "./silentWorld.ts";

const { signal } = new AbortController();
const silent = (minutes: number, ...taskIds: string[]) => ({ taskIds, minutes, begin: at(-minutes) });

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
  const silences = [20, 30].flatMap((minutes) => tasks.map((taskId) => silent(minutes, taskId)));
  expect(new Set(await unclearOf(silences, signal))).toEqual(new Set([null]));
  expect(own.lists.map(({ length }) => length)).toEqual([10, 10, 3]);
  expect(new Set(own.since)).toEqual(new Set([own.now - 30 * MINUTE_MS]));
});

it("Calls of one task, or a list of it that fails, make no other task of the same list unclear", async () => {
  const { own, unclearOf } = listing("2");
  own.failing.add("13");
  const silences = from(1, 14).map((task) => silent(20, String(task)));
  const found = await unclearOf(silences, signal);
  expect(found[1]).toBe("The service lists calls of task 2 of which no webhook has told yet.");
  expect(found[12]).toBe("The calls of task 13 could not be listed.");
  expect(found.filter((text) => text === null)).toHaveLength(12);
});

it("A look asks for fifty lists at most, says of which tasks it could not, and lists those with the next looks", async () => {
  const tasks = from(1, 135).map(String);
  const { own, unclearOf } = listing(...tasks);
  const silences = [20, 30, 40].flatMap((minutes) => tasks.map((taskId) => silent(minutes, taskId)));
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
  const look = () => unclearOf([silent(20, "7")], signal);
  await look();
  own.listed.clear();
  own.now = at(4);
  expect(await look()).toEqual([expect.stringContaining("no webhook")]);
  own.now = at(5);
  expect(await look()).toEqual([null]);
  expect(own.lists).toHaveLength(2);
});

it("Many tasks that are silent together are known to be after some looks, though one asks for fifty lists at most", async () => {
  const { own, unclearOf } = listing();
  const look = () => unclearOf([silent(20, ...from(1, 700).map(String))], signal);
  expect(await look()).toEqual([expect.stringContaining("not been listed yet")]);
  own.now = at(1);
  expect(await look()).toEqual([null]);
  expect(own.lists).toHaveLength(70);
});

it("A task without calls is asked about again after five minutes, after a call of it, and for a longer silence", async () => {
  const { own, unclearOf } = listing();
  const look = async (minute: number, begin: number, minutes = 20) => {
    own.now = at(minute);
    await unclearOf([{ taskIds: ["7"], minutes, begin: at(begin) }], signal);
    return own.lists.length;
  };
  expect([await look(0, -20), await look(4, -20), await look(5, -20), await look(6, -20, 10)]).toEqual([1, 1, 2, 2]);
  expect([await look(7, -20, 27), await look(8, -12)]).toEqual([3, 4]);
});
