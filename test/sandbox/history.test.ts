import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAssistants } from "../../sandbox/src/world/assistants.ts";
import { createHistory } from "../../sandbox/src/world/history.ts";
import type { Fields, Opened } from "./support.ts";
import { at, openSandbox, ZONE } from "./support.ts";

const SIZE = { tasks: 40, calls: 4000, days: 7 };
const WEEK = "startTime=2026-11-14%2000:00:00&endTime=2026-11-20%2023:59:59";
const afternoon = () => at("2026-11-20 15:00:00");

const total = async (service: Opened, query: string) => (await service.list(`${WEEK}&pageSize=1&${query}`)).total;
const all = async (service: Opened, range = WEEK): Promise<Fields[]> => {
  const { total } = await service.list(`${range}&pageSize=1`);
  const pages = Array.from({ length: Math.ceil(total / 100) }, (_, index) =>
    service.list(`${range}&pageSize=100&pageIndex=${index + 1}`),
  );
  return (await Promise.all(pages)).flatMap(({ items }) => items);
};

let service: Opened;
beforeAll(async () => void (service = await openSandbox({ history: SIZE, now: afternoon })));
afterAll(() => service[Symbol.asyncDispose]());

describe("the history", () => {
  it("has thousands of calls, some on each of the last days", async () => {
    expect(await total(service, "")).toBeGreaterThan(3800);
    for (let day = 14; day <= 20; day += 1) {
      const page = await service.list(`startTime=2026-11-${day}%2000:00:00&endTime=2026-11-${day}%2023:59:59`);
      expect(page.total, `November ${day}`).toBeGreaterThan(100);
    }
  });

  it("stays within today if it has one day, even soon after midnight", async () => {
    const history = { tasks: 4, calls: 200, days: 1 };
    await using early = await openSandbox({ history, now: () => at("2026-11-20 00:30:00") });
    const today = "startTime=2026-11-20%2000:00:00&endTime=2026-11-20%2000:30:00";
    expect((await early.list(today)).total).toBe(await total(early, ""));
  });

  it.each(["00:06:00", "08:30:00"])("has no burst of calls in the hour before a start at %s", async (time) => {
    await using early = await openSandbox({ history: SIZE, now: () => at(`2026-11-20 ${time}`) });
    const hour = "startTime=2026-11-19%2023:06:00&endTime=2026-11-20%2000:06:00";
    const before = time === "00:06:00" ? hour : "startTime=2026-11-20%2007:30:00&endTime=2026-11-20%2008:30:00";
    expect((await early.list(before)).total).toBeLessThan(200);
    expect(await total(early, "")).toBeGreaterThan(3800);
  });

  it("has inbound, outbound, debug and unanswered calls, all of them ended", async () => {
    const calls = await all(service);
    expect(await total(service, "direction=inbound")).toBeGreaterThan(800);
    expect(await total(service, "direction=outbound")).toBeGreaterThan(2000);
    expect(await total(service, "description=privateTest")).toBeGreaterThan(50);
    const unanswered = calls.filter(({ answerAt }) => answerAt === undefined);
    expect(unanswered.length / calls.length).toBeGreaterThan(0.15);
    expect(unanswered.length / calls.length).toBeLessThan(0.5);
    expect(calls.every(({ endAt }) => String(endAt) <= "2026-11-20 15:00:00")).toBe(true);
    expect(new Set(calls.map(({ sessionId }) => sessionId)).size).toBe(calls.length);
  });

  it("has tasks of every status with consistent counts, named in Chinese and English", async () => {
    const tasks = await Promise.all(Array.from({ length: SIZE.tasks }, (_, index) => service.task(1001 + index)));
    const statuses = new Set(tasks.map(({ status }) => String(status)));
    expect([...statuses].toSorted()).toEqual([
      "done",
      "pending",
      "running",
      "stop.abnormal",
      "stop.operate",
      "stop.timeout",
    ]);
    const names = tasks.map(({ name }) => String(name));
    expect(names.some((name) => /\p{Script=Han}/u.test(name))).toBe(true);
    expect(names.some((name) => /^[A-Za-z]/.test(name))).toBe(true);
    for (const task of tasks.filter(({ status }) => status === "done")) expect(task.progress).toBe(100);
    for (const task of tasks.filter(({ status }) => status === "pending")) {
      expect(await total(service, `taskId=${String(task.id)}`)).toBe(0);
      expect((task.option as { startDate: string }).startDate).toBe("2026-11-21");
    }
    for (const task of tasks) expect(Number(task.collectionRate)).toBeLessThanOrEqual(Number(task.progress));
  });

  it("has several assistants with several versions in use", async () => {
    const { assistants } = service.sandbox.control.state();
    expect(assistants.length).toBeGreaterThanOrEqual(5);
    expect(assistants.filter(({ versions }) => versions.length > 1).length).toBeGreaterThanOrEqual(4);
    const used = (await all(service)).flatMap(({ assistant }) =>
      (assistant as { vid: number }[]).map(({ vid }) => vid),
    );
    expect(new Set(used).size).toBeGreaterThan(6);
  });

  it("has only phone numbers that are never assigned", async () => {
    const numbers = (await all(service)).flatMap(({ caller, callee }) => [String(caller), String(callee)]);
    for (const number of new Set(numbers)) {
      expect(number).toMatch(/^(1000000\d{4}|\+1[2-9]0\d55501\d\d|\+447700900\d{3}|A\d{3})$/);
    }
  });

  it("has no person of a task twice, whether called or waiting", () => {
    const [seed, now] = [1, afternoon()];
    const { all: assistants, inbound } = createAssistants(seed, now);
    let sessions = 0;
    const deps = { seed, now, timeZone: ZONE, assistants, inbound, session: () => `s${(sessions += 1)}` };
    const { tasks, calls } = createHistory(SIZE, deps);
    const called = new Set(calls.flatMap(({ taskItemId }) => taskItemId ?? []));
    const waiting = tasks.flatMap(({ items }) => items.map(({ id }) => id));
    expect(waiting.length).toBeGreaterThan(100);
    expect(new Set(waiting).size).toBe(waiting.length);
    expect(waiting.filter((id) => called.has(id))).toEqual([]);
  });

  it("sends no events", () => {
    expect(service.sandbox.control.webhooks()).toEqual([]);
  });
});

describe("the history of one seed", () => {
  const shape = async (seed: number) => {
    await using opened = await openSandbox({ history: { tasks: 10, calls: 300, days: 2 }, now: afternoon, seed });
    const calls = await all(opened);
    return {
      calls: calls.map(({ sessionId: _id, recordFile: _file, ...rest }) => rest),
      sessions: calls.map(({ sessionId }) => sessionId),
    };
  };

  it("has the same calls under new session ids", async () => {
    const [first, again, other] = await Promise.all([shape(3), shape(3), shape(4)]);
    expect(again.calls).toEqual(first.calls);
    expect(other.calls).not.toEqual(first.calls);
    expect(again.sessions.filter((id) => first.sessions.includes(id))).toEqual([]);
  });
});

describe("the history of a sandbox started at any hour", () => {
  it.each(["00:00:01", "00:03:00", "08:59:59", "23:59:59"])(
    "has calls, and none in the future, at %s",
    async (time) => {
      const now = at(`2026-11-20 ${time}`);
      await using early = await openSandbox({ history: { tasks: 20, calls: 500, days: 3 }, now: () => now });
      const calls = await all(early, "startTime=2026-11-01%2000:00:00&endTime=2026-11-30%2000:00:00");
      expect(calls.length).toBeGreaterThan(450);
      expect(calls.every(({ endAt }) => at(String(endAt)) <= now)).toBe(true);
    },
  );
});
