import { describe, expect, it } from "vitest";
import type { SandboxOptions } from "../../sandbox/src/sandbox.ts";
import type { Fields, Opened, Receiver } from "./support.ts";
import { until } from "../support/until.ts";
import { at, openReceiver, openSandbox, taskBody } from "./support.ts";

interface Running extends AsyncDisposable {
  service: Opened;
  receiver: Receiver;
}
/**
 * A sandbox whose clock stands at the given wall-clock time of 2026-11-20, and runs fast from the answer to the first POST on.
 * Five minutes of a period are 150 ms, which may pass before a busy machine has sent the task. Of a stall the clock counts a few
 * milliseconds, so that it skips no period.
 */
async function openAt(time: string, options: Partial<SandboxOptions> = {}): Promise<Running> {
  const receiver = await openReceiver();
  const origin = at(`2026-11-20 ${time}`);
  let passed = 0;
  let ticking: NodeJS.Timeout | undefined;
  const now = () => origin + passed;
  const webhook = { url: receiver.url, authorization: "x" };
  const service = await openSandbox({ now, speed: 2000, webhook, ...options });
  const post: Opened["post"] = async (path, body) => {
    const reply = await service.post(path, body);
    let last = performance.now();
    ticking ??= setInterval(() => {
      passed += Math.min(performance.now() - last, 20);
      last = performance.now();
    }, 1);
    return reply;
  };
  const close = async () => {
    clearInterval(ticking);
    await service[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  };
  return { service: { ...service, post }, receiver, [Symbol.asyncDispose]: close };
}
const people = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ number: String(10_000_000_000 + index) }));
const DAY = "startTime=2026-11-20%2000:00:00&endTime=2026-11-22%2000:00:00&pageSize=100";

/** Creates the task, and finds its id by the first call that ends. */
async function dial({ service, receiver }: Running, body: Fields): Promise<number> {
  expect((await service.post("/openapi/tasks", body)).status).toBe(200);
  return until(() => receiver.received.at(-1)?.data.task_id as number | undefined);
}
const inState = (service: Opened, id: number, status: string) =>
  until(async () => {
    const task = await service.task(id);
    return task.status === status && task;
  });

describe("dialling a task", () => {
  it("calls every number, retries unanswered ones, and sends one event for each call", async () => {
    await using running = await openAt("10:00:00");
    const { service, receiver } = running;
    const body = taskBody({ numbers: people(30) }, { retryCount: 2, retryInterval: 60 });
    const id = await dial(running, body);
    const task = await inState(service, id, "done");
    expect(task).toMatchObject({ total: 30, progress: 100, summary: expect.stringMatching(/%/) as unknown });

    const { items, total } = await service.list(DAY);
    const page2 = await service.list(`${DAY}&pageIndex=2`);
    const calls = [...items, ...page2.items];
    expect(calls).toHaveLength(total);
    await until(() => receiver.received.length >= total);
    expect(receiver.received.map(({ data }) => String(data.session_id)).toSorted()).toEqual(
      calls.map(({ sessionId }) => String(sessionId)).toSorted(),
    );

    for (const { number } of people(30)) {
      const attempts = calls.filter(({ callee }) => callee === number).toReversed();
      expect(attempts.length).toBeGreaterThanOrEqual(1);
      expect(attempts.length).toBeLessThanOrEqual(3);
      // Only the last attempt may have been answered, and it is the third if it was not.
      expect(attempts.slice(0, -1).every((call) => call.answerAt === undefined)).toBe(true);
      if (attempts.at(-1)?.answerAt === undefined) expect(attempts).toHaveLength(3);
    }
    const ends = receiver.received.map(({ data }) => data.hangup_reason);
    expect(new Set(ends).size).toBeGreaterThan(2);
  });

  it("waits the retry interval after the end of the previous call", async () => {
    await using running = await openAt("10:00:00");
    const id = await dial(running, taskBody({ numbers: people(12) }, { retryCount: 1, retryInterval: 600 }));
    await inState(running.service, id, "done");
    const { items } = await running.service.list(DAY);
    const retried = people(12)
      .map(({ number }) => items.filter(({ callee }) => callee === number).toReversed())
      .filter((attempts) => attempts.length === 2);
    expect(retried.length).toBeGreaterThan(0);
    for (const [first, second] of retried) {
      const pause = at(String(second?.startAt)) - at(String(first?.endAt));
      expect(pause).toBeGreaterThanOrEqual(599_000);
    }
  });

  it.each([
    [[61], 2],
    [[61, 62], 4],
  ])("makes as many simultaneous calls as its lines carry: lines %j, %i calls", async (lines, most) => {
    await using running = await openAt("10:00:00");
    const id = await dial(running, taskBody({ numbers: people(20) }, { numbers: lines, retryCount: 0 }));
    await inState(running.service, id, "done");
    const { items } = await running.service.list(DAY);
    const spans = items.map((call) => ({ start: at(String(call.startAt)), end: at(String(call.endAt)) }));
    const simultaneous = spans.map(
      ({ start }) => spans.filter((other) => other.start <= start && other.end > start).length,
    );
    expect(Math.max(...simultaneous)).toBe(most);
  });

  it("moves the task from pending to running to done, with its progress and updatedAt", async () => {
    await using running = await openAt("08:58:00");
    const { service } = running;
    const id = await dial(running, taskBody({ numbers: people(80) }, { numbers: [61], retryCount: 0 }));
    const midway = await until(async () => {
      const task = await service.task(id);
      return Number(task.progress) > 0 && Number(task.progress) < 100 && task;
    });
    expect(midway.status).toBe("running");
    expect(Number.isInteger(midway.progress)).toBe(true);
    const done = await inState(service, id, "done");
    expect(String(done.updatedAt) > String(done.createdAt)).toBe(true);
  });
});

describe("the periods of a task", () => {
  it("start the task, which is pending until the first one", async () => {
    await using running = await openAt("08:00:00", { speed: 1 });
    const { service } = running;
    service.sandbox.control.setQuirks({ idsFrom: 5_000_000_000 });
    await service.post("/openapi/tasks", taskBody());
    expect(await service.task(5_000_000_000)).toMatchObject({ status: "pending", progress: 0 });
    expect((await service.list()).total).toBe(0);
  });

  it("limit the start of calls", async () => {
    await using running = await openAt("09:59:00");
    const periods = [
      ["10:00", "10:10"],
      ["10:30:00", "10:50:00"],
    ];
    const option = { numbers: [61], startTime: periods, retryCount: 1, retryInterval: 300 };
    const id = await dial(running, taskBody({ numbers: people(60) }, option));
    await until(async () => String((await running.service.task(id)).status) !== "running" || undefined);
    const { items } = await running.service.list(DAY);
    expect(items.length).toBeGreaterThan(10);
    for (const { startAt } of items) {
      const time = String(startAt).slice(11);
      const isWithin = periods.some(([start = "", end = ""]) => time >= start && time <= end);
      expect(isWithin, time).toBe(true);
    }
  });

  it("end the task with stop.timeout if numbers are left", async () => {
    await using running = await openAt("10:00:00");
    const option = { numbers: [61], startTime: [["10:00", "10:05"]], retryCount: 0 };
    const id = await dial(running, taskBody({ numbers: people(90) }, option));
    const task = await inState(running.service, id, "stop.timeout");
    expect(task.progress).toBeLessThan(100);
    const { items } = await running.service.list(DAY);
    expect(items.every(({ endAt }) => endAt !== undefined)).toBe(true);
  });

  it("end a task of a past day at once", async () => {
    await using running = await openAt("10:00:00", { speed: 1 });
    running.service.sandbox.control.setQuirks({ idsFrom: 7_000_000_000 });
    await running.service.post("/openapi/tasks", taskBody({}, { startDate: "2026-11-19" }));
    expect(await running.service.task(7_000_000_000)).toMatchObject({ status: "stop.timeout", progress: 0 });
  });
});

describe("an active call", () => {
  it("is in the list from its start, with its answer and its end as they happen", async () => {
    await using running = await openAt("10:00:00", { speed: 40 });
    await running.service.post("/openapi/tasks", taskBody({ numbers: people(8) }, { numbers: [61, 62, 63, 64] }));
    const stagesOf = new Map<unknown, string[]>();
    const stages = await until(async () => {
      for (const call of (await running.service.list(DAY)).items) {
        const stage = call.endAt !== undefined ? "ended" : call.answerAt !== undefined ? "answered" : "ringing";
        const earlier = stagesOf.get(call.sessionId) ?? [];
        if (earlier.at(-1) !== stage) stagesOf.set(call.sessionId, [...earlier, stage]);
      }
      return [...stagesOf.values()].find((each) => each.length === 3);
    });
    expect(stages).toEqual(["ringing", "answered", "ended"]);
  });

  it("has its end in the list before its event is sent", async () => {
    await using running = await openAt("10:00:00");
    await dial(running, taskBody({ numbers: people(5) }));
    const [first] = running.receiver.received;
    const { items } = await running.service.list(DAY);
    expect(items.find(({ sessionId }) => sessionId === first?.data.session_id)?.endAt).toBe(first?.data.end_at);
  });
});

describe("outcomes of one seed", () => {
  const outcomes = async (seed: number) => {
    await using running = await openAt("10:00:00", { seed });
    const id = await dial(running, taskBody({ numbers: people(20) }, { retryCount: 2 }));
    await inState(running.service, id, "done");
    const { total } = await running.service.list(DAY);
    await until(() => running.receiver.received.length >= total);
    return running.receiver.received
      .map(({ data }) => [data.callee, data.hangup_reason, data.duration, data.billsec].join())
      .toSorted();
  };

  it("are the same for any timing", async () => {
    const [first, again, other] = await Promise.all([outcomes(5), outcomes(5), outcomes(6)]);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });
});
