import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createClock, createScheduler, DAY_MS } from "../../sandbox/src/clock.ts";
import { silentLog } from "../support/silentLog.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function start(speed: number) {
  const clock = createClock({ now: () => Date.now(), speed });
  return { clock, scheduler: createScheduler({ clock, speed, log: silentLog }) };
}

it.each([1, 60])(
  "The sandbox runs what it has scheduled months ahead at its instant, at %i times the speed",
  async (speed) => {
    const { clock, scheduler } = start(speed);
    using _ = scheduler;
    const ran: number[] = [];
    const instant = clock.now() + 100 * DAY_MS * speed;
    scheduler.at(instant, () => ran.push(clock.now()));
    await vi.advanceTimersByTimeAsync(100 * DAY_MS - 1);
    expect(ran).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(ran).toEqual([instant]);
    await vi.advanceTimersByTimeAsync(100 * DAY_MS);
    expect(ran).toEqual([instant]);
  },
);

it("The sandbox does not run what was cancelled, or waits while it stops", async () => {
  const { clock, scheduler } = start(1);
  const ran: string[] = [];
  scheduler.at(clock.now() + 100 * DAY_MS, () => ran.push("cancelled"))();
  scheduler.afterReal(1000, () => ran.push("stopped"));
  await vi.advanceTimersByTimeAsync(999);
  scheduler[Symbol.dispose]();
  await vi.advanceTimersByTimeAsync(200 * DAY_MS);
  expect(ran).toEqual([]);
});

it("The sandbox forgets a timer that was cancelled", async () => {
  const { scheduler } = start(1);
  const clear = vi.spyOn(globalThis, "clearTimeout");
  scheduler.afterReal(1000, () => undefined)();
  expect(clear).toHaveBeenCalledTimes(1);
  scheduler[Symbol.dispose]();
  expect(clear).toHaveBeenCalledTimes(1);
});
