import { describe, expect, it } from "vitest";
import { createSlices } from "../src/slices.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
function holdLoop(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe("slices", () => {
  it("let a short work begin while a turn of the event loop has time left, and make the next one wait", async () => {
    const { share } = createSlices();
    expect(share()).toBeUndefined();
    holdLoop(15);
    const waiting = share();
    expect(waiting).toBeInstanceOf(Promise);
    await waiting;
    await nextTurn();
    expect(share()).toBeUndefined();
  });

  it("begin no long work in a turn whose time is over", async () => {
    const { run } = createSlices();
    const begun: number[] = [];
    let turn = 0;
    const works = Array.from({ length: 5 }, () =>
      run(
        (function* work() {
          begun.push(turn);
          holdLoop(15);
          yield;
        })(),
      ),
    );
    const isOver = Promise.all(works).then(() => true);
    while (begun.length < 5) {
      await nextTurn();
      turn += 1;
    }
    await isOver;
    expect(new Set(begun).size).toBe(5);
  });
});
