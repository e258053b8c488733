import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createWriteBehind } from "../../src/tasks/writeBehind.ts";
import { silentLog } from "../support/silentLog.ts";

const DELAY_MS = 100;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Notes for each write whether it was called the last one. The first `failures` writes fail. */
function start(failures = 0) {
  const writes: boolean[] = [];
  const write = async (isLast: boolean) => {
    writes.push(isLast);
    if (writes.length <= failures) throw new Error("The disk is full.");
  };
  return { writes, behind: createWriteBehind({ write, delayMs: DELAY_MS, log: silentLog }) };
}

it("Changes that are scheduled within the delay are written once, when it is over", async () => {
  const { writes, behind } = start();
  behind.schedule();
  behind.schedule();
  await vi.advanceTimersByTimeAsync(DELAY_MS - 1);
  expect(writes).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(writes).toEqual([false]);
});

it("A write that fails is repeated after the delay", async () => {
  const { writes, behind } = start(1);
  behind.schedule();
  await vi.advanceTimersByTimeAsync(2 * DELAY_MS);
  expect(writes).toEqual([false, false]);
});

it("Nothing is written after the last write", async () => {
  const { writes, behind } = start();
  behind.schedule();
  await behind[Symbol.asyncDispose]();
  expect(writes).toEqual([true]);
  behind.schedule();
  await vi.advanceTimersByTimeAsync(10 * DELAY_MS);
  await behind.flush();
  expect(writes).toEqual([true]);
});
