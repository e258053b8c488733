import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ServiceResponse } from "../../src/upstream/serviceResponse.ts";
import { createRequester } from "../../src/upstream/requester.ts";
import { createCircuitBreaker } from "../../src/upstream/circuitBreaker.ts";
import { createCancellation, cancel } from "../../src/upstream/cancellation.ts";
import { createCoalescedRequest } from "../../src/upstream/coalescedRequest.ts";
import { createRetry } from "../../src/upstream/retry.ts";
import type { Send, OutgoingRequest } from "../../src/upstream/transport.ts";
import { createConcurrencyLimit } from "../../src/upstream/concurrencyLimit.ts";

const clock = { now: () => 0, random: () => 0 };
const left = new Error("left");

function sending(): OutgoingRequest {
  return { cancellation: createCancellation(), deadlineAt: Infinity, attempts: 0, beforeSend: () => undefined };
}

/** The outcome of a promise after all pending reactions have run. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  const turns = new Promise((resolve) => setImmediate(() => setImmediate(() => resolve("still waits"))));
  return Promise.race([work.catch((error: unknown) => error), turns]);
}

/** A Send that settles when the test says so, or when its request is cancelled. */
function held() {
  const answers: (() => void)[] = [];
  const send: Send = (_, { cancellation: ending }) => {
    const { promise, resolve, reject } = Promise.withResolvers<ServiceResponse>();
    answers.push(() => resolve({ status: 200, retryAfter: undefined, text: "" }));
    ending.listener = () => reject(ending.reason);
    return promise;
  };
  return { answers, send };
}

describe("a request that is cancelled in the queue", () => {
  it("rejects with the reason of the cancellation", async () => {
    const { send } = held();
    const slots = createConcurrencyLimit(send, { maxInFlight: 1, maxQueued: 10 });
    void slots.send("/", sending()).catch(() => undefined);
    const waiting = sending();
    const work = slots.send("/", waiting);
    cancel(waiting.cancellation, left);
    expect(await outcomeOf(work)).toBe(left);
    expect([slots.queued(), slots.inFlight()]).toEqual([0, 1]);
  });

  it("settles, whichever requests are cancelled and in whatever order the others are answered", async () => {
    const steps = fc.array(fc.oneof(fc.constant("answer" as const), fc.nat(9)), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (taken, most) => {
        const { answers, send } = held();
        const slots = createConcurrencyLimit(send, { maxInFlight: most, maxQueued: 10 });
        const sendings = Array.from({ length: 10 }, sending);
        const works = sendings.map((each) => slots.send("/", each));
        for (const step of taken) {
          if (step === "answer") answers.shift()?.();
          else if (sendings[step]) cancel(sendings[step].cancellation, left);
        }
        for (const { cancellation: ending } of sendings) cancel(ending, left);
        const outcomes = await Promise.all(works.map(outcomeOf));
        expect(outcomes).not.toContain("still waits");
        expect([slots.queued(), slots.inFlight()]).toEqual([0, 0]);
      }),
    );
  });
});

describe("a cancelled request", () => {
  it("rejects before it enters the queue", async () => {
    const slots = createConcurrencyLimit(held().send, { maxInFlight: 1, maxQueued: 10 });
    const over = sending();
    cancel(over.cancellation, left);
    expect(await outcomeOf(slots.send("/", over))).toBe(left);
    expect([slots.queued(), slots.inFlight()]).toEqual([0, 0]);
  });

  it("rejects during the pause before a retry", async () => {
    const retry = createRetry(async (_, under) => {
      under.attempts += 1;
      return { status: 503, retryAfter: "9", text: "" };
    }, clock);
    const paused = sending();
    const work = retry.send("/", paused);
    expect(await outcomeOf(work)).toBe("still waits");
    cancel(paused.cancellation, left);
    expect(await outcomeOf(work)).toBe(left);
  });

  it("rejects as the circuit breaker's probe, and the next request becomes the probe", async () => {
    const { answers, send } = held();
    let now = 0;
    let isDown = true;
    const breaker = createCircuitBreaker(
      (path, under) => {
        under.attempts += 1;
        return isDown ? Promise.resolve({ status: 503, retryAfter: undefined, text: "" }) : send(path, under);
      },
      { now: () => now },
    );
    for (let count = 0; count < 20; count += 1) await breaker.send("/", sending());
    now = 2000;
    isDown = false;
    const probe = sending();
    const work = breaker.send("/", probe);
    cancel(probe.cancellation, left);
    expect(await outcomeOf(work)).toBe(left);
    const next = breaker.send("/", sending());
    answers.at(-1)?.();
    expect(await outcomeOf(next)).toMatchObject({ status: 200 });
  });
});

describe("a caller that leaves", () => {
  function flightOf(send: (under: OutgoingRequest) => Promise<ServiceResponse>) {
    return createCoalescedRequest({
      timeoutMs: 60_000,
      now: () => 0,
      send,
      read: ({ status }) => status,
      onSettled: () => undefined,
    });
  }

  it("rejects even if the request never settles", async () => {
    const flight = flightOf(() => new Promise(() => undefined));
    const caller = new AbortController();
    const work = flight.join(createRequester({ signal: caller.signal }));
    caller.abort(left);
    expect(await outcomeOf(work)).toBe(left);
  });

  it("rejects while its payment is pending", async () => {
    const flight = flightOf(async ({ beforeSend, cancellation: ending }) => {
      await beforeSend();
      if (ending.isCancelled) throw ending.reason;
      return { status: 200, retryAfter: undefined, text: "" };
    });
    const caller = new AbortController();
    const paying = Promise.withResolvers<void>();
    const work = flight.join(createRequester({ signal: caller.signal, beforeSend: () => paying.promise }));
    caller.abort(left);
    expect(await outcomeOf(work)).toBe(left);
    paying.resolve();
  });

  it("rejects when all requests are aborted", async () => {
    const { send } = held();
    const flight = flightOf((under) => send("/", under));
    const works = [flight.join(createRequester()), flight.join(createRequester())];
    flight.abort(left);
    expect(await Promise.all(works.map(outcomeOf))).toEqual([left, left]);
  });

  it("rejects when all requests are aborted during its payment", async () => {
    const flight = flightOf(() => new Promise(() => undefined));
    const work = flight.join(createRequester());
    flight.abort(left);
    expect(await outcomeOf(work)).toBe(left);
  });
});
