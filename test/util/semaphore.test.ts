import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMutex, createSemaphore } from "../../src/util/semaphore.ts";

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("createSemaphore", () => {
  it("runs tasks in order, never more than its permits at the same time, and goes on after a task fails", async () => {
    const failures = fc.array(fc.boolean(), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), failures, async (permits, fails) => {
        const semaphore = createSemaphore(permits);
        const started: number[] = [];
        let maxInUse = 0;
        const tasks = fails.map((isFailing, at) =>
          semaphore.run(async () => {
            started.push(at);
            maxInUse = Math.max(maxInUse, semaphore.inUse());
            await nextTurn();
            if (isFailing) throw new Error("failed");
            return at;
          }),
        );
        const settled = await Promise.allSettled(tasks);
        expect(started).toEqual(fails.map((_, at) => at));
        expect(maxInUse).toBeLessThanOrEqual(permits);
        expect(settled.map(({ status }) => status === "rejected")).toEqual(fails);
        expect([semaphore.inUse(), semaphore.waiting()]).toEqual([0, 0]);
      }),
    );
  });

  it("skips tasks that stopped waiting, and keeps the order of the others", async () => {
    const steps = fc.array(fc.oneof(fc.constant("come" as const), fc.nat(20)), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const semaphore = createSemaphore(1);
        await semaphore.acquire();
        const aborts: ((reason: unknown) => void)[] = [];
        const outcomes: Promise<string>[] = [];
        const started: number[] = [];
        let waiting: number[] = [];
        for (const step of taken) {
          if (step === "come") {
            const at = aborts.length;
            const permit = semaphore.acquire((abort) => {
              aborts.push(abort);
              return () => undefined;
            });
            outcomes.push(permit.then(() => (started.push(at), "started")).catch((reason: unknown) => String(reason)));
            waiting.push(at);
          } else {
            aborts[step]?.("left");
            waiting = waiting.filter((at) => at !== step);
          }
          expect(semaphore.waiting()).toBe(waiting.length);
        }
        for (let count = 0; count <= waiting.length; count += 1) semaphore.release();
        const expected = aborts.map((_, at) => (waiting.includes(at) ? "started" : "left"));
        expect(await Promise.all(outcomes)).toEqual(expected);
        expect(started).toEqual(waiting);
        expect([semaphore.inUse(), semaphore.waiting()]).toEqual([0, 0]);
      }),
    );
  });

  it("does not fail a task that is aborted after it got its permit", async () => {
    const semaphore = createSemaphore(1);
    await semaphore.acquire();
    let abortWait: (reason: unknown) => void = () => undefined;
    let isRemoved = false;
    const permit = semaphore.acquire((abort) => {
      abortWait = abort;
      return () => {
        isRemoved = true;
      };
    });
    semaphore.release();
    abortWait(new Error("too late"));
    await expect(permit).resolves.toBeUndefined();
    expect(isRemoved).toBe(true);
    expect(semaphore.inUse()).toBe(1);
  });

  it("gives a permit without a promise only while one is free", () => {
    const semaphore = createSemaphore(1);
    expect(semaphore.tryAcquire()).toBe(true);
    expect(semaphore.tryAcquire()).toBe(false);
    semaphore.release();
    expect(semaphore.tryAcquire()).toBe(true);
  });
});

describe("createMutex", () => {
  it("gives the lock to one task at a time, in the order of the requests", async () => {
    const mutex = createMutex();
    const order: number[] = [];
    let inside = 0;
    const work = async (at: number) => {
      await mutex.acquire();
      inside += 1;
      expect(inside).toBe(1);
      order.push(at);
      await nextTurn();
      inside -= 1;
      mutex.release();
    };
    await Promise.all(Array.from({ length: 100 }, (_, at) => work(at)));
    expect(order).toEqual(Array.from({ length: 100 }, (_, at) => at));
    await work(100);
    expect(order.at(-1)).toBe(100);
  });

  it("hands the lock on in constant time, with 100,000 waiting tasks", async () => {
    const mutex = createMutex();
    let count = 0;
    // If each release woke every waiting task, this would exceed the test's time limit.
    await Promise.all(
      Array.from({ length: 100_000 }, async () => {
        await mutex.acquire();
        count += 1;
        mutex.release();
      }),
    );
    expect(count).toBe(100_000);
  });
});
