import { describe, expect, it } from "vitest";
import { createSignal } from "../../src/util/signal.ts";

const LONG = 1_000_000;

async function isOver(wait: Promise<boolean>): Promise<boolean> {
  return Promise.race([wait.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
}

describe("a ring is never missed", () => {
  it("by whoever waits", async () => {
    const bell = createSignal();
    const ears = [bell.listen(), bell.listen()];
    const waits = ears.map((ear) => ear.wait(LONG));
    expect(await Promise.all(waits.map(isOver))).toEqual([false, false]);
    bell.notify();
    expect(await Promise.all(waits)).toEqual([true, true]);
  });

  it("by whoever was reading when it rang", async () => {
    const bell = createSignal();
    const ear = bell.listen();
    ear.reset();
    bell.notify();
    bell.notify();
    expect(await ear.wait(LONG)).toBe(true);
    ear.reset();
    const wait = ear.wait(LONG);
    expect(await isOver(wait)).toBe(false);
    ear.close();
    await wait;
  });

  it("by whoever gave up waiting, and waits again", async () => {
    const bell = createSignal();
    const ear = bell.listen();
    expect(await ear.wait(0)).toBe(false);
    bell.notify();
    expect(await ear.wait(LONG)).toBe(true);
    ear.reset();
    expect(await ear.wait(0)).toBe(false);
  });
});

describe("a closed ear", () => {
  it("ends its wait, and waits no more", async () => {
    const bell = createSignal();
    const ear = bell.listen();
    const wait = ear.wait(LONG);
    ear.close();
    expect(await wait).toBe(true);
    ear.reset();
    expect(await ear.wait(LONG)).toBe(true);
    ear.close();
  });

  it("is no other's business", async () => {
    const bell = createSignal();
    const [closed, open] = [bell.listen(), bell.listen()];
    const wait = open.wait(LONG);
    closed.close();
    expect(await isOver(wait)).toBe(false);
    bell.notify();
    expect(await wait).toBe(true);
  });
});
