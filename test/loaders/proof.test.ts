// Tests how a slow or failed check of one list affects other lists.
import { describe, expect, it } from "vitest";
import { CodedError } from "../../src/errors.ts";
import type { CallLogQuery } from "../../src/upstream/upstream.ts";
import { heldService, turns, type HeldAnswer } from "./heldService.ts";

const isLastPage = ({ pageIndex }: CallLogQuery) => pageIndex === 3;
const tasksOf = (held: readonly HeldAnswer[]) => held.map(({ query }) => query.taskIds[0]);
const temporary = ["UPSTREAM_TIMEOUT", "UPSTREAM_RATE_LIMITED", "UPSTREAM_UNAVAILABLE", "STORE_UNAVAILABLE"] as const;

describe("the check of a list's end", () => {
  it("runs once for simultaneous lists, if it succeeds", async () => {
    const { held, totalOf } = heldService(25, isLastPage);
    const totals = ["1", "2", "3"].map((taskId) => totalOf(taskId));
    await turns();
    expect(tasksOf(held)).toEqual(["1"]);
    held[0]?.answer();
    expect(await Promise.all(totals)).toEqual([25, 25, 25]);
    expect(held.length).toBe(1);
  });

  it.each(temporary)(
    "runs for all waiting lists after one check failed with %s, which fails that list only",
    async (code) => {
      const { held, totalOf } = heldService(25, isLastPage);
      const totals = ["1", "2", "3", "4"].map((taskId) => totalOf(taskId));
      await turns();
      held[0]?.fail(new CodedError(code, "Not now."));
      expect(await totals[0]).toBe(code);
      await turns();
      expect(tasksOf(held)).toEqual(["1", "2", "3", "4"]);
      for (const { answer } of held) answer();
      expect(await Promise.all(totals)).toEqual([code, 25, 25, 25]);
      expect(await totalOf("1")).toBe(25);
    },
  );

  it("runs for each of several simultaneous lists if the service is known to end lists wrongly", async () => {
    const { held, totalOf } = heldService(25, ({ pageIndex }) => isHeldNow && pageIndex === 3);
    let isHeldNow = true;
    const wrong = totalOf("1");
    await turns();
    held[0]?.fail(new CodedError("UPSTREAM_REJECTED", "No such page."));
    await turns();
    held[1]?.fail(new CodedError("UPSTREAM_REJECTED", "No such page."));
    expect(await wrong).toBe("UPSTREAM_CONTRACT");
    const totals = ["2", "3", "4"].map((taskId) => totalOf(taskId));
    await turns();
    expect(tasksOf(held)).toEqual(["1", "1", "2", "3", "4"]);
    isHeldNow = false;
    for (const { answer } of held) answer();
    expect(await Promise.all(totals)).toEqual([25, 25, 25]);
  });

  it("rejects a caller that leaves while it waits for another list's check", async () => {
    const { held, totalOf } = heldService(25, isLastPage);
    const first = totalOf("1");
    const caller = new AbortController();
    const second = totalOf("2", caller.signal);
    await turns();
    caller.abort(new Error("left"));
    expect(await second).toBe("left");
    held[0]?.answer();
    expect(await first).toBe(25);
  });

  it("runs for the next list if the caller of the first leaves", async () => {
    const { held, totalOf } = heldService(25, isLastPage);
    const caller = new AbortController();
    const first = totalOf("1", caller.signal);
    const second = totalOf("2");
    await turns();
    caller.abort(new Error("left"));
    expect(await first).toBe("left");
    await turns();
    held[1]?.answer();
    expect(await second).toBe(25);
  });
});

describe("the probe of a filter", () => {
  const isProbe = ({ taskIds }: CallLogQuery) => taskIds[0] === "999999999999999";

  it("rejects a caller that leaves while it waits for another list's probe", async () => {
    const { held, totalOf } = heldService(5, isProbe);
    const first = totalOf("1");
    const caller = new AbortController();
    const second = totalOf("2", caller.signal);
    await turns();
    expect(held.length).toBe(1);
    caller.abort(new Error("left"));
    expect(await second).toBe("left");
    held[0]?.answer();
    expect(await first).toBe(5);
  });
});
