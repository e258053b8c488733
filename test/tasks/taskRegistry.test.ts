import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { silentLog } from "../support/silentLog.ts";
import type { Store } from "../../src/store/store.ts";
import { createTaskRegistry } from "../../src/tasks/taskRegistry.ts";
import { createAssistantRegistry, nameOf } from "../../src/tasks/assistantRegistry.ts";
import { observeTasks } from "../../src/tasks/taskRegistry.ts";
import type { AssistantRecord, Upstream } from "../../src/upstream/upstream.ts";
import { callEnded, tempLog } from "../events/callEnded.ts";
import { task } from "../resolvers/world.ts";
import { tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { assistant } from "./assistant.ts";

const START = Date.parse("2026-11-20T09:30:00.000Z");

/** As a task shows it. */
function shown(own: Partial<AssistantRecord>): [AssistantRecord, () => AssistantRecord] {
  const record = assistant(own);
  return [record, () => record];
}

/** Over one database, as one gateway of many would have it; its clock ticks with each look. */
function gatewayOver(store: Store, delayMs = 5) {
  let now = START;
  const clock = () => (now += 1);
  const tasks = createTaskRegistry({ store: store.knownTasks, clock, log: silentLog, delayMs });
  const assistants = createAssistantRegistry({ store: store.knownAssistants, clock, log: silentLog, delayMs });
  const close = async () => {
    await tasks[Symbol.asyncDispose]();
    await assistants[Symbol.asyncDispose]();
  };
  onTestFinished(close);
  const ids = async () => (await tasks.page(null, 100)).map(({ taskId }) => taskId);
  return { tasks, assistants, close, ids, pass: (ms: number) => void (now += ms) };
}

const NEVER_WRITTEN = 1_000_000;

describe("The list of known tasks", () => {
  it("has the tasks of a query at once, last active first", async () => {
    const { tasks, ids } = gatewayOver(await tempStore(), NEVER_WRITTEN);
    tasks.observe(task({ taskId: "1", updatedAt: "2026-11-20T09:00:00.000Z" }));
    tasks.observe(task({ taskId: "2", updatedAt: "2026-11-20T09:10:00.000Z" }));
    tasks.observe(task({ taskId: "3", updatedAt: null, createdAt: null }));
    tasks.observe(task({ taskId: "4", updatedAt: null, createdAt: "2026-11-20T09:05:00.000Z" }));
    expect(await ids()).toEqual(["2", "4", "1", "3"]);
    // Looking at a task is no activity of it.
    tasks.observe(task({ taskId: "1", updatedAt: "2026-11-20T09:00:00.000Z" }));
    expect(await ids()).toEqual(["2", "4", "1", "3"]);
    tasks.observe(task({ taskId: "1", updatedAt: "2026-11-20T09:20:00.000Z" }));
    expect(await ids()).toEqual(["1", "2", "4", "3"]);
  });

  it("has the tasks of events, also those that were created elsewhere", async () => {
    const { tasks, ids } = gatewayOver(await tempStore());
    const log = await tempLog();
    for (const [sessionId, taskId, endAt] of [
      ["a", "9007199254740993123", "2026-11-20T09:00:00.000Z"],
      ["b", "8", "2099-01-01T00:00:00.000Z"],
      ["c", null, "2026-11-20T09:01:00.000Z"],
      ["d", "1".repeat(40), "2026-11-20T09:01:00.000Z"],
    ] as const)
      await log.append(callEnded({ sessionId, taskId, endAt }), "WEBHOOK");
    const { events } = await log.page({ first: 10, after: null, filter: {}, revisions: true, order: "oldestFirst" });
    await tasks.addFromEvents(events);
    await tasks.addFromEvents(events.slice(0, 1));
    expect(await ids()).toEqual(["8", "9007199254740993123"]);
  });
});

describe("A known assistant", () => {
  it("is stored at once, each version apart", async () => {
    const { assistants } = gatewayOver(await tempStore(), NEVER_WRITTEN);
    assistants.observe(...shown({ assistantId: "1", versionId: "10", prompt: "ten" }));
    assistants.observe(...shown({ assistantId: "1", versionId: "11", prompt: "eleven" }));
    const versions = ["10", "11", "12"].map((versionId) => ({ assistantId: "1", versionId }));
    const found = await assistants.byVersions(versions);
    expect([...found.keys()]).toEqual(["1 10", "1 11"]);
    expect(found.get("1 10")).toMatchObject({ prompt: "ten" });
    expect(await assistants.latest("1")).toMatchObject({ prompt: "eleven" });
    assistants.observe(...shown({ assistantId: "1", versionId: "10", prompt: "ten" }));
    expect(await assistants.latest("1")).toMatchObject({ prompt: "ten" });
    expect(await assistants.latest("2")).toBeNull();
  });

  it("A89: keeps nothing in memory when a number is forgotten, and knows again what a task shows again", async () => {
    const { assistants } = gatewayOver(await tempStore(), NEVER_WRITTEN);
    const version = { assistantId: "1", versionId: "10" };
    const see = () => assistants.observe(...shown({ ...version, prompt: "Ask 13912345678" }));
    see();
    expect((await assistants.byVersions([version])).size).toBe(1);
    assistants.forget();
    expect([(await assistants.byVersions([version])).size, await assistants.latest("1")]).toEqual([0, null]);
    see();
    expect(await assistants.latest("1")).toMatchObject({ prompt: "Ask 13912345678" });
  });

  it("never shows another version, after restarts, evictions and on other gateways", async () => {
    const store = await tempStore();
    const version = fc.record({
      assistantId: fc.constantFrom("1", "11", "1 1"),
      versionId: fc.constantFrom("1", "11", "2"),
    });
    const steps = fc.array(fc.tuple(version, fc.nat(2), fc.boolean()), { minLength: 1, maxLength: 12 });
    let lap = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (sights) => {
        lap += 1;
        const gateways = [0, 1, 2].map(() => gatewayOver(store, NEVER_WRITTEN));
        for (const gateway of gateways) gateway.pass(lap * 1000);
        for (const [which, at, restarts] of sights) {
          const gateway = gateways[at] as (typeof gateways)[number];
          gateway.assistants.observe(...shown({ ...which, prompt: nameOf(which) }));
          if (restarts) await gateway.close();
          if (restarts) gateways[at] = gatewayOver(store, NEVER_WRITTEN);
        }
        for (const { assistants, close } of gateways) {
          for (const [name, found] of await assistants.byVersions(sights.map(([which]) => which)))
            expect([name, found]).toEqual([name, expect.objectContaining({ prompt: name })]);
          await close();
        }
        const after = gatewayOver(store);
        const all = await after.assistants.byVersions(sights.map(([which]) => which));
        for (const [which] of sights) expect(all.get(nameOf(which))).toMatchObject({ prompt: nameOf(which) });
      }),
      { numRuns: 25 },
    );
  });

  it("is found in the store beyond the bounded memory", async () => {
    const { assistants } = gatewayOver(await tempStore());
    for (let at = 0; at < 900; at += 1) {
      assistants.observe(...shown({ assistantId: "1", versionId: `${at + 1}`, prompt: `${at + 1}` }));
      if (at % 150 === 149) await until(async () => (await assistants.latest("1"))?.prompt === `${at + 1}`);
    }
    await until(async () => (await assistants.byVersions([{ assistantId: "1", versionId: "899" }])).size === 1);
    expect(await assistants.latest("1")).toMatchObject({ prompt: "900" });
  });

  it("is returned from the store if the service's value is unreadable", async () => {
    const store = await tempStore();
    const version = { assistantId: "1", versionId: "10" };
    const before = gatewayOver(store);
    before.assistants.observe(...shown({ ...version, prompt: "ten" }));
    await before.close();
    const { assistants, close } = gatewayOver(store);
    for (const versionId of ["10", "11"]) {
      assistants.observe({ ...version, versionId }, () => {
        throw new Error("unreadable");
      });
    }
    const found = await assistants.byVersions([version, { ...version, versionId: "11" }]);
    expect([...found.values()]).toEqual([expect.objectContaining({ prompt: "ten" })]);
    expect(await assistants.latest("1")).toMatchObject({ prompt: "ten" });
    await close();
  });

  it("is an error if its stored value cannot be parsed", async () => {
    const store = await tempStore();
    const row = { assistantId: "1", versionId: "1", seenAt: "2026-11-20T09:00:00.000Z", data: "{" };
    await store.knownAssistants.save([row, { ...row, versionId: "2", data: "{}" }]);
    const { assistants } = gatewayOver(store);
    const found = await assistants.byVersions([row, { ...row, versionId: "2" }]);
    expect([found.get("1 1"), found.get("1 2")]).toEqual([expect.any(Error), {}]);
  });
});

describe("The delayed write of known objects", () => {
  it("happens soon, in one batch, and not again without a change", async () => {
    const store = await tempStore();
    let writes = 0;
    const knownAssistants = {
      ...store.knownAssistants,
      save: (rows: never[]) => {
        writes += Math.sign(rows.length);
        return store.knownAssistants.save(rows);
      },
    };
    const { assistants } = gatewayOver({ ...store, knownAssistants });
    const see = (prompt: string) => assistants.observe(...shown({ assistantId: "1", versionId: "1", prompt }));
    for (let at = 0; at < 1000; at += 1) see("same");
    const keptPrompt = async () => JSON.parse((await store.knownAssistants.latest("1"))?.data ?? "{}").prompt as string;
    await until(async () => (await keptPrompt()) === "same");
    see("same");
    see("other");
    await until(async () => (await keptPrompt()) === "other");
    expect(writes).toBe(2);
  });

  it("is repeated after a failure of the store, which fails no query", async () => {
    const store = await tempStore();
    let failures = 2;
    const knownTasks = {
      ...store.knownTasks,
      async save(tasks: never[]) {
        if (failures-- > 0) throw new Error("down");
        return store.knownTasks.save(tasks);
      },
    };
    const { tasks } = gatewayOver({ ...store, knownTasks });
    tasks.observe(task({ taskId: "7" }));
    const stored = () => store.knownTasks.page({ after: null, limit: 9 });
    await until(async () => (await stored()).length === 1);
    expect(await stored()).toMatchObject([{ taskId: "7" }]);
    expect(failures).toBeLessThan(0);
  });

  it("happens at dispose, with the last time each object was seen", async () => {
    const store = await tempStore();
    const { tasks, assistants, close, pass } = gatewayOver(store, NEVER_WRITTEN);
    tasks.observe(task({ taskId: "7" }));
    assistants.observe(...shown({ assistantId: "1", versionId: "1" }));
    pass(5000);
    assistants.observe(...shown({ assistantId: "1", versionId: "2" }));
    assistants.observe(...shown({ assistantId: "1", versionId: "1" }));
    await close();
    expect(await store.knownTasks.page({ after: null, limit: 9 })).toHaveLength(1);
    expect(await store.knownAssistants.latest("1")).toMatchObject({ versionId: "1" });
  });
});

describe("The recording of tasks from the service", () => {
  it("does not record a missing task and returns the service's answer", async () => {
    const seen: string[] = [];
    const service = { getTask: async (id: string) => (id === "7" ? task() : null) } as unknown as Upstream;
    const watched = observeTasks(service, ({ taskId }) => seen.push(taskId));
    expect([await watched.getTask("7"), await watched.getTask("8")]).toEqual([task(), null]);
    expect(seen).toEqual(["7"]);
  });
});
