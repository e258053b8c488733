import { describe, expect, it } from "vitest";
import type { AssistantRecord, TaskOptionRecord, TaskRecord } from "../../src/upstream/upstream.ts";
import { json, serve, upstreamAt, wholeTask } from "./service.ts";

type Part = "option" | "assistant";

async function read(changes: Record<string, unknown> = {}): Promise<TaskRecord> {
  await using service = await serve(json({ ...wholeTask(), ...changes }));
  await using upstream = upstreamAt(service.url);
  const task = await upstream.getTask("7");
  if (!task) throw new Error("A task was expected.");
  return task;
}

async function readPart(part: Part, changes: Record<string, unknown>): Promise<TaskRecord> {
  return await read({ [part]: { ...wholeTask()[part], ...changes } });
}

async function optionWith(changes: Record<string, unknown>): Promise<TaskOptionRecord> {
  return (await readPart("option", changes)).option() as TaskOptionRecord;
}

async function assistantWith(changes: Record<string, unknown>): Promise<AssistantRecord> {
  return (await readPart("assistant", changes)).assistant() as AssistantRecord;
}

describe("a part of a task", () => {
  it("is read once on first use, and is frozen", async () => {
    const task = await read();
    expect(task.option()).toBe(task.option());
    expect([task, task.option(), task.option()?.lineIds, task.assistant()?.collect[0]].every(Object.isFrozen)).toBe(
      true,
    );
  });

  it("is not needed to know the assistant's ids", async () => {
    expect((await readPart("assistant", { name: {}, creator: 7 })).assistantRef).toEqual({
      assistantId: "4",
      versionId: "5",
    });
    for (const assistant of [null, "4", [], { id: 4 }, { id: -4, versionId: 5 }, { id: 4.5, versionId: 5 }])
      expect((await read({ assistant })).assistantRef, JSON.stringify(assistant)).toBeNull();
  });
});

describe("an odd field of a part", () => {
  it("costs only itself, and is reported with the part's name", async () => {
    const option = await readPart("option", { retryCount: "often" });
    expect(option.option()).toMatchObject({ retryCount: null, retryInterval: 60 });
    expect(option.unread()).toEqual([{ field: "option.retryCount", text: "often" }]);
    const assistant = await readPart("assistant", { createdAt: "soon", idOldVersion: "maybe" });
    expect(assistant.unread().map(({ field }) => field)).toEqual(["assistant.createdAt", "assistant.isOldVersion"]);
  });

  it.each([
    ["option", { numbers: [11, "x", 12] }, { lineIds: ["11", "12"] }, "option.lineIds[1]"],
    ["option", { numbers: "x" }, { lineIds: [] }, "option.lineIds"],
    ["option", { startTime: [["09:00"], ["10:00", {}]] }, { periods: [["09:00"], ["10:00"]] }, "option.periods[1][1]"],
    ["option", { startTime: ["09:00", ["10:00"]] }, { periods: [["10:00"]] }, "option.periods[0]"],
    ["option", { numberFileMeta: [1] }, { numberFileMeta: [] }, "option.numberFileMeta[0]"],
    ["assistant", { collect: [{}, { answers: ["a", {}] }] }, { name: "Ada" }, "assistant.collect[1].answers[1]"],
    [
      "assistant",
      { collect: [{ question: [] }] },
      { collect: [{ question: null, answers: [] }] },
      "assistant.collect[0].question",
    ],
    ["assistant", { collect: "x" }, { collect: [] }, "assistant.collect"],
    ["assistant", { creator: {} }, { creatorEmail: null }, "assistant.creatorEmail"],
    ["assistant", { creator: "x" }, { creatorEmail: null }, "assistant.creatorEmail"],
  ] as const)("costs only itself in a list or an object of the %s: %j", async (part, changes, shown, field) => {
    const task = await readPart(part, changes);
    expect(task[part]()).toMatchObject(shown);
    expect(task.unread()).toMatchObject([{ field }]);
  });

  it("does not include null lists: they are empty at any depth", async () => {
    const nil = { numberFileMeta: null, numbers: null, startTime: null, startDate: null };
    expect(await optionWith(nil)).toMatchObject({ numberFileMeta: [], lineIds: [], periods: [], startDate: null });
    expect(await optionWith({ startTime: [null, ["09:00", null]] })).toMatchObject({ periods: [[], ["09:00"]] });
    expect(await assistantWith({ collect: null, creator: null })).toMatchObject({ collect: [], creatorEmail: null });
  });

  it("does not include the deletion time of an assistant", async () => {
    expect(await assistantWith({ deletedAt: "2026-11-20 09:30:00" })).toMatchObject({
      deletedAt: "2026-11-20T01:30:00.000Z",
    });
  });
});

describe("a broken part of a task", () => {
  async function expectFault(part: Part, changes: Record<string, unknown>, field: string): Promise<void> {
    const task = await readPart(part, changes);
    const message = `The service's task has no readable ${field}.`;
    const fault = expect.objectContaining({ code: "UPSTREAM_CONTRACT", message });
    expect(task[part]).toThrow(fault);
    expect(task[part], "asked again").toThrow(fault);
    expect(task[part === "option" ? "assistant" : "option"]()).not.toBeNull();
    expect(task.unread()).toEqual([]);
    expect(task.name).toBe("November");
  }

  it.each(Object.keys(wholeTask().option))("costs only itself if the option has no %s", async (key) => {
    await expectFault("option", { [key]: undefined }, `option.${key}`);
  });

  const shown = Object.keys(wholeTask().assistant).filter((key) => key !== "websocketToken");
  it.each(shown)("costs only itself if the assistant has no %s", async (key) => {
    await expectFault("assistant", { [key]: undefined }, `assistant.${key}`);
  });

  it.each([
    ["assistant", { id: null }, "assistant.id"],
    ["assistant", { versionId: "hidden" }, "assistant.versionId"],
  ] as const)("is an error of the %s that names its field: %j", async (part, changes, field) => {
    await expectFault(part, changes, field);
  });

  it("leaves the task readable if both parts are broken", async () => {
    const task = await read({ option: "hidden", assistant: [] });
    expect(task.option).toThrow("The service's task has no readable option.");
    expect(task.assistant).toThrow("The service's task has no readable assistant.");
    expect(task.assistantRef).toBeNull();
  });
});
