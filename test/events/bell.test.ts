import { describe, expect, it } from "vitest";
import { createBell } from "../../src/events/bell.ts";

async function isOver(wait: Promise<void>): Promise<boolean> {
  return Promise.race([wait.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))]);
}

describe("a ring is never missed", () => {
  it("by whoever waits", async () => {
    const bell = createBell();
    const ears = [bell.listen(), bell.listen()];
    const waits = ears.map((ear) => ear.wait());
    expect(await Promise.all(waits.map(isOver))).toEqual([false, false]);
    bell.ring();
    await Promise.all(waits);
  });

  it("by whoever was reading when it rang", async () => {
    const bell = createBell();
    const ear = bell.listen();
    ear.reset();
    bell.ring();
    bell.ring();
    await ear.wait();
    ear.reset();
    expect(await isOver(ear.wait())).toBe(false);
  });
});

describe("a closed ear", () => {
  it("ends its wait, and waits no more", async () => {
    const bell = createBell();
    const ear = bell.listen();
    const wait = ear.wait();
    ear.close();
    await wait;
    ear.reset();
    await ear.wait();
    ear.close();
  });

  it("is no other's business", async () => {
    const bell = createBell();
    const [closed, open] = [bell.listen(), bell.listen()];
    const wait = open.wait();
    closed.close();
    expect(await isOver(wait)).toBe(false);
    bell.ring();
    await wait;
  });
});
