import { describe, expect, it } from "vitest";
import { CodedError } from "../../src/errors.ts";
import type { ServiceResponse } from "../../src/upstream/serviceResponse.ts";
import { createCircuitBreaker } from "../../src/upstream/circuitBreaker.ts";
import { respond as answer } from "./heldTransport.ts";
import { callLogQuery, emptyPage, json, serve, upstreamAt, createTask } from "./service.ts";

const unavailable = new CodedError("UPSTREAM_UNAVAILABLE", "The service could not be reached.");

/** A circuit breaker with its own clock, around requests whose next outcome the test sets. */
function world() {
  const state = {
    now: 0,
    asked: 0,
    next: answer(200) as ServiceResponse | Error | Promise<ServiceResponse>,
    sends: true,
  };
  const breaker = createCircuitBreaker(() => state.now);
  const ask = async () => {
    const admission = breaker.admit();
    if (admission === null) return REFUSED;
    state.asked += 1;
    const attempts = state.sends ? 1 : 0;
    const outcome = await Promise.resolve(state.next).catch((error: Error) => error);
    breaker.settle(admission, { outcome, attempts });
    return outcome;
  };
  const askTimes = async (times: number, next: ServiceResponse | Error) => {
    state.next = next;
    for (let at = 0; at < times; at += 1) await ask();
  };
  return { state, ask, askTimes, breaker };
}

const REFUSED = "the open circuit refused it";

describe("the circuit breaker", () => {
  it.each<[string, ServiceResponse | Error]>([
    ["5xx", answer(500)],
    ["unreachable", unavailable],
    ["too late", new CodedError("UPSTREAM_TIMEOUT", "late")],
  ])("opens when half of at least twenty requests fail: %s", async (_name, failure) => {
    const { state, ask, askTimes, breaker } = world();
    await askTimes(10, answer(200));
    await askTimes(9, failure);
    expect(breaker.state()).toBe("DEGRADED");
    await askTimes(1, failure);
    expect(breaker.state()).toBe("DOWN");
    expect(await ask()).toBe(REFUSED);
    expect(state.asked).toBe(20);
  });

  it.each([200, 404, 302])("stays closed if the service answers %i", async (status) => {
    const { askTimes, breaker } = world();
    await askTimes(40, answer(status));
    expect(breaker.state()).toBe("HEALTHY");
  });

  it.each([401, 403, 429])(
    "stays closed if the service answers %i, and reports DEGRADED until it stops",
    async (status) => {
      const { state, askTimes, breaker } = world();
      await askTimes(40, answer(status));
      expect([state.asked, breaker.state()]).toEqual([40, "DEGRADED"]);
      state.now += 60_000;
      expect(breaker.state()).toBe("DEGRADED");
      await askTimes(1, answer(200));
      expect(breaker.state()).toBe("HEALTHY");
    },
  );

  it("stays closed after requests that were cancelled, never sent or answered unreadably", async () => {
    const { state, askTimes, breaker } = world();
    await askTimes(40, new Error("the client left"));
    await askTimes(40, new CodedError("UPSTREAM_CONTRACT", "no JSON"));
    state.sends = false;
    await askTimes(40, unavailable);
    expect(breaker.state()).toBe("HEALTHY");
  });

  it("stays closed after failures more than ten seconds ago", async () => {
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

describe("an open circuit", () => {
  async function opened() {
    const made = world();
    await made.askTimes(20, unavailable);
    made.state.now += 2000;
    made.state.asked = 0;
    return made;
  }

  it("closes when the probe succeeds", async () => {
    const { state, ask, breaker } = await opened();
    const probe = Promise.withResolvers<ServiceResponse>();
    state.next = probe.promise;
    const [first, second] = [ask(), ask()];
    expect(await second).toBe(REFUSED);
    expect([state.asked, breaker.state()]).toEqual([1, "DOWN"]);
    probe.resolve(answer(200));
    expect(await first).toMatchObject({ status: 200 });
    expect(breaker.state()).toBe("HEALTHY");
  });

  it("stays open when the probe fails", async () => {
    const { state, ask, breaker } = await opened();
    state.next = unavailable;
    expect(await ask()).toBe(unavailable);
    expect(await ask()).toBe(REFUSED);
    expect([state.asked, breaker.state()]).toEqual([1, "DOWN"]);
    state.now += 2000;
    state.next = answer(200);
    expect(await ask()).toMatchObject({ status: 200 });
  });

  it.each([
    ["is cancelled by its client", new Error("the client left"), true],
    ["exceeds its caller's rate limit", new CodedError("RATE_LIMITED", "Too much."), false],
  ])("sends another probe, one at a time, if the first %s", async (_name, failure, sends) => {
    const { state, ask, breaker } = await opened();
    Object.assign(state, { sends, next: failure });
    for (let at = 0; at < 3; at += 1) expect(await ask()).toBe(failure);
    expect(breaker.state()).toBe("DOWN");
    const probe = Promise.withResolvers<ServiceResponse>();
    Object.assign(state, { sends: true, next: probe.promise });
    const [first, second] = [ask(), ask()];
    expect(await second).toBe(REFUSED);
    probe.resolve(answer(200));
    expect(await first).toMatchObject({ status: 200 });
    expect(breaker.state()).toBe("HEALTHY");
  });

  it("closes when the probe gets an unreadable answer", async () => {
    const { state, ask, breaker } = await opened();
    state.next = new CodedError("UPSTREAM_CONTRACT", "no JSON");
    expect(await ask()).toBe(state.next);
    expect(breaker.state()).not.toBe("DOWN");
    state.next = answer(200);
    expect(await ask()).toMatchObject({ status: 200 });
    expect(breaker.state()).toBe("HEALTHY");
  });

  it("sends its probe in time, even if requests from before still fail", async () => {
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
  it("soon gets no more GETs but still gets task creations, until a probe succeeds", async () => {
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
    expect(await ask()).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", retryable: true });
    expect([service.asked.length, upstream.status().state]).toEqual([before, "DOWN"]);
    expect(await createTask(upstream)).toEqual({ kind: "accepted" });
    isUp = true;
    now = 2000;
    expect(await ask()).toMatchObject({ total: 0 });
    expect(upstream.status().state).toBe("HEALTHY");
  });

  it("does not open the circuit by failed task creations", async () => {
    await using service = await serve((response, asked, request) =>
      json(emptyPage, asked.method === "POST" ? 500 : 200)(response, asked, request),
    );
    await using upstream = upstreamAt(service.url);
    await Promise.all(Array.from({ length: 30 }, () => createTask(upstream)));
    expect(upstream.status().state).toBe("HEALTHY");
    expect(await upstream.listCallLogs(callLogQuery())).toMatchObject({ total: 0 });
  });
});
