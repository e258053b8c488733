import { describe, expect, it } from "vitest";
import { createTimeSlices } from "../../src/util/timeSlices.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
function holdLoop(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** Each step fills a slice. */
function* workOf(steps: number) {
  for (let step = 0; step < steps; step += 1) {
    holdLoop(11);
    yield;
  }
}

describe("Time slices", () => {
  it("start a short job while the turn has time left, and the next one later", async () => {
    const { waitForSlice: share } = createTimeSlices();
    expect(share("web")).toBeUndefined();
    holdLoop(15);
    const waiting = share("web");
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
    await nextTurn();
    expect(share("web")).toBeUndefined();
  });

  it("start no long job in a turn whose time is over", async () => {
    const { run } = createTimeSlices();
    const begun: number[] = [];
    let turn = 0;
    let isOver = false;
    const count = () => {
      turn += 1;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    function* work() {
      begun.push(turn);
      holdLoop(15);
      yield;
    }
    await Promise.all(Array.from({ length: 5 }, () => run("web", work())));
    isOver = true;
    expect(new Set(begun).size).toBe(5);
  });

  it("are shared by viewers in rotation, so that one job ends before the many of another viewer", async () => {
    const slices = createTimeSlices();
    let ended = 0;
    const many = Array.from({ length: 30 }, () => slices.run("reader", workOf(1)).then(() => (ended += 1)));
    await slices.run("creator", workOf(4));
    expect(ended).toBeLessThan(10);
    await Promise.all(many);
  });

  it("run the jobs of one viewer in order", async () => {
    const slices = createTimeSlices();
    const ended: number[] = [];
    await Promise.all(
      [3, 1, 2].map((steps, at) => slices.run("reader", workOf(steps)).then(() => void ended.push(at))),
    );
    expect(ended).toEqual([1, 0, 2]);
  });
});
