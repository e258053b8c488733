import { describe, expect, it } from "vitest";
import { createCancellation } from "../../src/upstream/cancellation.ts";
import { CodedError } from "../../src/errors.ts";
import type { ServiceResponse } from "../../src/upstream/serviceResponse.ts";
import { createCircuitBreaker } from "../../src/upstream/circuitBreaker.ts";
import type { OutgoingRequest } from "../../src/upstream/transport.ts";
import { callLogQuery, emptyPage, json, serve, upstreamAt, createTask } from "./service.ts";

const answer = (status: number): ServiceResponse => ({ status, retryAfter: undefined, text: "" });
const unavailable = new CodedError("UPSTREAM_UNAVAILABLE", "The service could not be reached.");

/** A breaker by a clock of its own, over a service that does what is said next. */
function world() {
  const state = {
    now: 0,
    asked: 0,
    next: answer(200) as ServiceResponse | Error | Promise<ServiceResponse>,
    sends: true,
  };
  const breaker = createCircuitBreaker(
    async (_path, sending) => {
      state.asked += 1;
      if (state.sends) sending.attempts += 1;
      const next = await state.next;
      if (next instanceof Error) throw next;
      return next;
    },
    { now: () => state.now },
  );
  const ask = () => breaker.send("/", aSending()).catch((error: unknown) => error);
  const askTimes = async (times: number, next: ServiceResponse | Error) => {
    state.next = next;
    for (let at = 0; at < times; at += 1) await ask();
  };
  return { state, ask, askTimes, breaker };
}

function aSending(): OutgoingRequest {
  return { cancellation: createCancellation(), deadlineAt: Infinity, attempts: 0, beforeSend: async () => undefined };
}

describe("the circuit opens at half of at least twenty requests", () => {
  it.each<[string, ServiceResponse | Error]>([
    ["5xx", answer(500)],
    ["unreachable", unavailable],
    ["too late", new CodedError("UPSTREAM_TIMEOUT", "late")],
  ])("where they fail: %s", async (_name, failure) => {
    const { state, ask, askTimes, breaker } = world();
    await askTimes(10, answer(200));
    await askTimes(9, failure);
    expect(breaker.state()).toBe("DEGRADED");
    await askTimes(1, failure);
    expect(breaker.state()).toBe("DOWN");
    expect(await ask()).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", retryable: true });
    expect(state.asked).toBe(20);
  });

  it.each([200, 404, 302])("but not where the service answers, be it %i", async (status) => {
    const { askTimes, breaker } = world();
    await askTimes(40, answer(status));
    expect(breaker.state()).toBe("HEALTHY");
  });

  it.each([401, 403, 429])("nor where it refuses us with %i, which is told until it does no more", async (status) => {
    const { state, askTimes, breaker } = world();
    await askTimes(40, answer(status));
    expect([state.asked, breaker.state()]).toEqual([40, "DEGRADED"]);
    state.now += 60_000;
    expect(breaker.state()).toBe("DEGRADED");
    await askTimes(1, answer(200));
    expect(breaker.state()).toBe("HEALTHY");
  });

  it("nor for what was given up, never left, or cannot be read", async () => {
    const { state, askTimes, breaker } = world();
    await askTimes(40, new Error("the client left"));
    await askTimes(40, new CodedError("UPSTREAM_CONTRACT", "no JSON"));
    state.sends = false;
    await askTimes(40, unavailable);
    expect(breaker.state()).toBe("HEALTHY");
  });

  it("nor for failures that are longer ago than ten seconds", async () => {
    const { state, askTimes, breaker } = world();
    await askTimes(19, unavailable);
    state.now = 11_000;
    await askTimes(1, unavailable);
    expect(breaker.state()).toBe("DEGRADED");
    await askTimes(1, answer(200));
    state.now = 22_000;
    expect(breaker.state()).toBe("HEALTHY");
  });
});

describe("an open circuit lets one probe through", () => {
  async function opened() {
    const made = world();
    await made.askTimes(20, unavailable);
    made.state.now += 2000;
    made.state.asked = 0;
    return made;
  }

  it("and closes when it came through", async () => {
    const { state, ask, breaker } = await opened();
    const probe = Promise.withResolvers<ServiceResponse>();
    state.next = probe.promise;
    const [first, second] = [ask(), ask()];
    expect(await second).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect([state.asked, breaker.state()]).toEqual([1, "DOWN"]);
    probe.resolve(answer(200));
    expect(await first).toMatchObject({ status: 200 });
    expect(breaker.state()).toBe("HEALTHY");
  });

  it("but stays open when it fails", async () => {
    const { state, ask, breaker } = await opened();
    state.next = unavailable;
    expect(await ask()).toBe(unavailable);
    expect(await ask()).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect([state.asked, breaker.state()]).toEqual([1, "DOWN"]);
    state.now += 2000;
    state.next = answer(200);
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it.each([
    ["is given up by its client", new Error("the client left"), true],
    ["is of one who may not ask", new CodedError("RATE_LIMITED", "Too much."), false],
  ])("and another, one at a time, where the first %s", async (_name, failure, sends) => {
    const { state, ask, breaker } = await opened();
    Object.assign(state, { sends, next: failure });
    for (let at = 0; at < 3; at += 1) expect(await ask()).toBe(failure);
    expect(breaker.state()).toBe("DOWN");
    const probe = Promise.withResolvers<ServiceResponse>();
    Object.assign(state, { sends: true, next: probe.promise });
    const [first, second] = [ask(), ask()];
    expect(await second).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    probe.resolve(answer(200));
    expect(await first).toMatchObject({ status: 200 });
    expect(breaker.state()).toBe("HEALTHY");
  });

  it("and closes when an answer came that cannot be read: somebody is there", async () => {
    const { state, ask, breaker } = await opened();
    state.next = new CodedError("UPSTREAM_CONTRACT", "no JSON");
    expect(await ask()).toBe(state.next);
    expect(breaker.state()).not.toBe("DOWN");
    state.next = answer(200);
    expect(await ask()).toMatchObject({ status: 200 });
    expect(breaker.state()).toBe("HEALTHY");
  });

  it("in its time, whatever still fails of what was sent before", async () => {
    const { state, ask, askTimes, breaker } = world();
    const late = Promise.withResolvers<ServiceResponse>();
    state.next = late.promise;
    const before = [ask(), ask()];
    await askTimes(20, unavailable);
    state.now += 1999;
    late.reject(unavailable);
    await Promise.all(before);
    expect(breaker.state()).toBe("DOWN");
    state.now += 1;
    state.next = answer(200);
    expect(await ask()).toMatchObject({ status: 200 });
  });
});

describe("a service that cannot be reached", () => {
  it("is soon asked no more, tasks are created all the same, and it is found again", async () => {
    let isUp = false;
    await using service = await serve((response, asked, request) => {
      if (isUp || asked.method === "POST") json(emptyPage)(response, asked, request);
      else request.socket.destroy();
    });
    let now = 0;
    await using upstream = upstreamAt(service.url, { clock: { now: () => now, random: () => 0 }, timeoutMs: 600_000 });
    const ask = () => upstream.listCallLogs(callLogQuery()).catch((error: unknown) => error);
    for (let at = 0; at < 20; at += 1) expect(await ask()).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    const before = service.asked.length;
    expect(await ask()).toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect([service.asked.length, upstream.status().state]).toEqual([before, "DOWN"]);
    expect(await createTask(upstream)).toEqual({ kind: "accepted" });
    isUp = true;
    now = 2000;
    expect(await ask()).toMatchObject({ total: 0 });
    expect(upstream.status().state).toBe("HEALTHY");
  });

  it("is not held against it where creations fail", async () => {
    await using service = await serve((response, asked, request) =>
      json(emptyPage, asked.method === "POST" ? 500 : 200)(response, asked, request),
    );
    await using upstream = upstreamAt(service.url);
    await Promise.all(Array.from({ length: 30 }, () => createTask(upstream)));
    expect(upstream.status().state).toBe("HEALTHY");
    expect(await upstream.listCallLogs(callLogQuery())).toMatchObject({ total: 0 });
  });
});
