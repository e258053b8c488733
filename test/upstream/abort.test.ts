import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRequestCoalescer } from "../../src/upstream/requestCoalescer.ts";
import { createRequester, type Requester } from "../../src/upstream/requester.ts";
import type { ServiceResponse } from "../../src/upstream/serviceResponse.ts";
import { until } from "../support/until.ts";
import { heldSender, respond } from "./heldTransport.ts";

const left = new Error("left");
const PENDING = "still waits";

/** Lets all pending reactions run. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/** The outcome of a promise after all pending reactions have run. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return Promise.race([work.catch((error: unknown) => error), settled().then(() => PENDING)]);
}

describe("a request that is cancelled", () => {
  it("in the queue is never sent, and leaves the queue", async () => {
    const { ask, attempts, queued, inFlight } = heldSender(undefined, { maxInFlight: 1 });
    ask();
    const waiting = ask();
    expect([queued(), inFlight()]).toEqual([1, 1]);
    waiting.cancel(left);
    expect(await outcomeOf(waiting.outcome)).toBe(PENDING);
    expect([queued(), inFlight(), attempts()]).toEqual([0, 1, 1]);
  });

  it("on the network is ended there", async () => {
    const { ask, aborted, inFlight } = heldSender();
    const { outcome, cancel } = ask();
    cancel(left);
    cancel(left);
    expect([await outcomeOf(outcome), aborted(), inFlight()]).toEqual([PENDING, 1, 0]);
  });

  it("in the pause before a retry is not sent again", async () => {
    const { ask, attempts, held } = heldSender();
    const first = ask();
    held.shift()?.(respond(503));
    first.cancel(left);
    // The pause of this request begins later, so the pause of the first one would be over when it is sent again.
    ask();
    held.shift()?.(respond(503));
    await until(() => attempts() === 3);
    expect(held.length).toBe(1);
  });

  it.each<[string, (payment: PromiseWithResolvers<void>) => void]>([
    ["succeeds", ({ resolve }) => resolve()],
    ["fails", ({ reject }) => reject(new Error("no more requests"))],
  ])("during a payment that then %s is not sent, and returns its permit", async (_name, end) => {
    const { ask, attempts, inFlight } = heldSender();
    const payment = Promise.withResolvers<void>();
    const { outcome, cancel } = ask({ pay: () => payment.promise });
    cancel(left);
    end(payment);
    expect([await outcomeOf(outcome), attempts(), inFlight()]).toEqual([PENDING, 0, 0]);
  });

  it("as the probe of the circuit breaker makes the next request the probe", async () => {
    let now = 0;
    const { ask, held } = heldSender((attempt) => (attempt <= 20 ? respond(503) : null), {
      clock: { now: () => now, random: () => 0 },
    });
    for (let count = 0; count < 20; count += 1) await ask({ deadlineAt: 0 }).outcome;
    now = 2000;
    ask().cancel(left);
    const next = ask();
    expect(await ask().outcome).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    held.shift()?.(respond(200));
    expect(await next.outcome).toMatchObject({ status: 200 });
  });

  it("blocks no other request, whichever are cancelled and in whatever order the others are answered", async () => {
    const steps = fc.array(fc.oneof(fc.constantFrom("answer" as const, "wait" as const), fc.nat(9)), {
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (taken, most) => {
        const { ask, held, queued, inFlight } = heldSender(undefined, { maxInFlight: most });
        const asked = Array.from({ length: 10 }, () => ask());
        const cancelled = new Set<number>();
        for (const step of taken) {
          if (step === "answer") held.shift()?.(respond(200));
          else if (step === "wait") await settled();
          else {
            cancelled.add(step);
            asked[step]?.cancel(left);
          }
          expect(inFlight()).toBeLessThanOrEqual(most);
        }
        while (inFlight() > 0) {
          held.shift()?.(respond(200));
          await settled();
        }
        for (const [at, { outcome }] of asked.entries()) {
          if (!cancelled.has(at)) expect(await outcome).toMatchObject({ status: 200 });
        }
        expect([queued(), inFlight()]).toEqual([0, 0]);
      }),
    );
  });
});

describe("a caller that leaves", () => {
  function coalescerOverSilence() {
    const sender = heldSender();
    const coalescer = createRequestCoalescer({ send: sender.send, timeoutMs: 60_000, ttlMs: 0, now: () => 0 });
    const ask = (requester: Requester) =>
      new Promise((resolve, reject) => {
        const query = { path: "/", taskIds: [], read: ({ status }: ServiceResponse) => status, rowsOf: () => 1 };
        coalescer.get(query, { requester, resolve, reject });
      });
    return { ...coalescer, ask, attempts: sender.attempts };
  }

  it("rejects even if the request never settles", async () => {
    const { ask } = coalescerOverSilence();
    const caller = new AbortController();
    const work = ask(createRequester({ signal: caller.signal }));
    caller.abort(left);
    expect(await outcomeOf(work)).toBe(left);
  });

  it("rejects all of its waits", async () => {
    const { ask } = coalescerOverSilence();
    const caller = new AbortController();
    const asker = createRequester({ signal: caller.signal });
    const fresh = { ...asker, fresh: true };
    const works = [ask(asker), ask(fresh), ask(fresh)];
    caller.abort(left);
    expect(await Promise.all(works.map(outcomeOf))).toEqual([left, left, left]);
  });

  it("rejects while its payment is pending, and nothing is sent", async () => {
    const { ask, attempts } = coalescerOverSilence();
    const caller = new AbortController();
    const paying = Promise.withResolvers<void>();
    const work = ask(createRequester({ signal: caller.signal, payRateLimit: () => paying.promise }));
    caller.abort(left);
    expect(await outcomeOf(work)).toBe(left);
    paying.resolve();
    await settled();
    expect(attempts()).toBe(0);
  });

  it("rejects when all requests are aborted, also during its payment", async () => {
    const { ask, abortAll } = coalescerOverSilence();
    const paying = createRequester({ fresh: true, payRateLimit: () => new Promise(() => undefined) });
    const works = [ask(createRequester()), ask(createRequester()), ask(paying)];
    abortAll(left);
    expect(await Promise.all(works.map(outcomeOf))).toEqual([left, left, left]);
  });
});
