import { describe, expect, it } from "vitest";
import { createSignal } from "../../src/util/signal.ts";

const LONG = 1_000_000;

async function isOver(wait: Promise<boolean>): Promise<boolean> {
  return Promise.race([wait.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
}

describe("A listener of a signal", () => {
  it("is woken like every other that waits", async () => {
    const signal = createSignal();
    const listeners = [signal.listen(), signal.listen()];
    const waits = listeners.map((listener) => listener.wait(LONG));
    expect(await Promise.all(waits.map(isOver))).toEqual([false, false]);
    signal.notify();
    expect(await Promise.all(waits)).toEqual([true, true]);
  });

  it("is woken however many wait, a hundred in one turn of the event loop", async () => {
    const signal = createSignal();
    let woken = 0;
    const waits = Array.from({ length: 250 }, () =>
      signal
        .listen()
        .wait(LONG)
        .then(() => (woken += 1)),
    );
    signal.notify();
    await Promise.resolve();
    await Promise.resolve();
    expect(woken).toBe(100);
    await Promise.all(waits);
    expect(woken).toBe(250);
  });

  it("does not miss a notification that came before its wait", async () => {
    const signal = createSignal();
    const listener = signal.listen();
    listener.reset();
    signal.notify();
    signal.notify();
    expect(await listener.wait(LONG)).toBe(true);
    listener.reset();
    const wait = listener.wait(LONG);
    expect(await isOver(wait)).toBe(false);
    listener.close();
    await wait;
  });

  it("does not miss a notification that came between two waits", async () => {
    const signal = createSignal();
    const listener = signal.listen();
    expect(await listener.wait(0)).toBe(false);
    signal.notify();
    expect(await listener.wait(LONG)).toBe(true);
    listener.reset();
    expect(await listener.wait(0)).toBe(false);
  });
});

describe("A closed listener", () => {
  it("ends its wait, and does not wait again", async () => {
    const signal = createSignal();
    const listener = signal.listen();
    const wait = listener.wait(LONG);
    listener.close();
    expect(await wait).toBe(true);
    listener.reset();
    expect(await listener.wait(LONG)).toBe(true);
    listener.close();
  });

  it("does not affect other listeners", async () => {
    const signal = createSignal();
    const [closed, open] = [signal.listen(), signal.listen()];
    const wait = open.wait(LONG);
    closed.close();
    expect(await isOver(wait)).toBe(false);
    signal.notify();
    expect(await wait).toBe(true);
  });
});
