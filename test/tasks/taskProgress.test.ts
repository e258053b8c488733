import { describe, expect, it, onTestFinished } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import { CodedError } from "../../src/errors.ts";
import { createTaskProgress } from "../../src/tasks/taskProgress.ts";
import type { Requester } from "../../src/upstream/requester.ts";
import type { TaskRecord } from "../../src/upstream/upstream.ts";
import { callEnded, tempLog } from "../events/callEnded.ts";
import { task } from "../resolvers/world.ts";
import { until } from "../support/until.ts";
import { assistant } from "./assistant.ts";
import { unrestricted } from "../../src/auth/viewerPolicy.ts";

/** `pay` throws where a viewer cannot. */
async function progress(everyMs: number, pay: (name: string) => void = () => undefined) {
  const events = await tempLog();
  const service = { task: task({ progress: 10 }) as TaskRecord | null, asked: [] as string[] };
  const upstream = {
    async getTask(taskId: string, asker?: Requester) {
      await asker?.payForRequest();
      service.asked.push(taskId);
      return service.task;
    },
  };
  const watch = createTaskProgress({
    upstream,
    events,
    pay: async ({ name }) => pay(name),
    log: silentLog,
    intervalMs: everyMs,
  });
  return {
    events,
    service,
    open(name: unknown = "web") {
      const items = watch("7", { name: String(name), scopes: new Set(), ...unrestricted });
      onTestFinished(async () => void (await items.return?.()));
      return async () => (await items.next()).value as TaskRecord | null;
    },
  };
}

describe("A watched task", () => {
  it("is sent now, and again for each of its ended calls once", async () => {
    const { events, service, open } = await progress(50);
    const next = open();
    expect(await next()).toMatchObject({ taskId: "7", progress: 10 });
    await events.append(callEnded({ sessionId: "elsewhere", taskId: "8" }), "WEBHOOK");
    await events.append(callEnded({ sessionId: "a", taskId: "7" }), "WEBHOOK");
    // Its numbers are the same, but there is news of it.
    expect(await next()).toMatchObject({ progress: 10 });
    for (let at = 0; at < 3; at += 1) await events.append(callEnded({ sessionId: "a", taskId: "7" }), "WEBHOOK");
    const received: unknown[] = [];
    void next().then((value) => received.push(value));
    const { length } = service.asked;
    await until(() => service.asked.length > length + 2);
    expect(received).toEqual([]);
    expect(new Set(service.asked)).toEqual(new Set(["7"]));
  });

  it("is sent again when a poll finds it changed, with at most 100 %", async () => {
    const { service, open } = await progress(20);
    const next = open();
    await next();
    service.task = task({ progress: 101.5, collectionRate: 250 });
    expect(await next()).toMatchObject({ progress: 100, collectionRate: 100 });
    service.task = task({ progress: null });
    expect(await next()).toMatchObject({ progress: null });
    service.task = null;
    expect(await next()).toBeNull();
  });

  it("sends a task whose option or assistant changed or became unreadable", async () => {
    const { service, open } = await progress(20);
    const next = open();
    await next();
    service.task = task({ assistant: () => assistant({ prompt: "Say hello" }) });
    expect((await next())?.assistant()).toMatchObject({ prompt: "Say hello" });
    service.task = task({ assistant: () => assistant({ prompt: "Say goodbye" }) });
    expect((await next())?.assistant()).toMatchObject({ prompt: "Say goodbye" });
    const fault = new CodedError("UPSTREAM_CONTRACT", "The service's task has no readable assistant.");
    service.task = task({
      assistant() {
        throw fault;
      },
    });
    expect((await next())?.assistant).toThrow(fault);
  });

  it("is polled once for all watchers, and not earlier when its calls end", async () => {
    const { events, service, open } = await progress(1_000_000);
    const all = Array.from({ length: 100 }, open);
    await Promise.all(all.map((next) => next()));
    for (let at = 0; at < 20; at += 1) await events.append(callEnded({ sessionId: `${at}`, taskId: "7" }), "WEBHOOK");
    await open()();
    expect(service.asked).toEqual(["7"]);
  });
});

describe("The cost of a poll", () => {
  it("is charged to one watcher in turn, and to the next if one cannot pay", async () => {
    const payers: string[] = [];
    const { service, open } = await progress(20, (name) => {
      payers.push(name);
      if (name === "poor") throw new CodedError("RATE_LIMITED", "Too much.");
    });
    const all = ["a", "poor", "b"].map(open);
    await Promise.all(all.map((next) => next()));
    await until(() => service.asked.length >= 3);
    expect(payers.slice(0, 4)).toEqual(["a", "poor", "b", "a"]);
  });

  it("sends every watcher the error once, without a request, when nobody can pay", async () => {
    let isSpent = true;
    const { service, open } = await progress(20, () => {
      if (isSpent) throw new CodedError("RATE_LIMITED", "Too much.");
    });
    const next = open();
    expect(await next()).toMatchObject({ code: "RATE_LIMITED" });
    expect(service.asked).toEqual([]);
    isSpent = false;
    expect(await next()).toMatchObject({ progress: 10 });
  });
});
