import { describe, expect, it } from "vitest";
import type { TaskRecord } from "../../src/upstream/upstream.ts";
import { json, raw, serve, upstreamAt, wholeTask } from "./service.ts";

async function readBody(body: string, taskId = "7"): Promise<TaskRecord> {
  await using service = await serve(raw(body));
  await using upstream = upstreamAt(service.url);
  const task = await upstream.getTask(taskId);
  if (!task) throw new Error("A task was expected.");
  return task;
}

async function read(changes: Record<string, unknown> = {}): Promise<TaskRecord> {
  return await readBody(JSON.stringify({ ...wholeTask(), ...changes }));
}

/** The task with its two parts, which are read on first use. */
function whole(task: TaskRecord) {
  return { ...task, option: task.option(), assistant: task.assistant(), unread: task.unread() };
}

describe("getTask", () => {
  it("reads every field, and no secret", async () => {
    const task = await read();
    expect(whole(task)).toEqual({
      taskId: "7",
      name: "November",
      status: "stop.timeout",
      total: 3,
      progress: 33.3,
      collectionRate: 12.5,
      summary: "",
      suggestion: "Call later",
      createdAt: "2026-11-20T01:30:00.000Z",
      updatedAt: "2026-11-20T01:30:00.000Z",
      assistantVersionId: "5",
      option: {
        numberFileMeta: [
          { key: "号码", value: 0 },
          { key: "备注", value: 1 },
          { key: "姓名", value: 2 },
        ],
        lineIds: ["11", "12"],
        startDate: "2026-11-20",
        periods: [["09:00", "12:00"]],
        retryCount: 2,
        retryInterval: 60,
      },
      assistant: {
        assistantId: "4",
        versionId: "5",
        name: "Ada",
        projectId: "3",
        scene: "sales",
        speakerId: null,
        listenerId: "9",
        websocketUrl: "wss://voice.example/live/1",
        welcome: "Hello",
        prompt: "",
        knowledge: "None",
        collect: [
          { question: "Name?", answers: ["Ada"] },
          { question: null, answers: [] },
          { question: null, answers: [] },
        ],
        createdAt: "2026-11-20T01:30:00.000Z",
        updatedAt: "2025-11-20T09:30:00.000Z",
        creatorId: "2",
        creatorEmail: "ada@example.com",
        deletedAt: null,
        isOldVersion: false,
        usageCount: 12,
      },
      assistantRef: { assistantId: "4", versionId: "5" },
      unread: [],
    });
    expect(JSON.stringify(whole(task))).not.toContain("hidden");
  });

  it("sends and reads ids beyond 2^53 exactly", async () => {
    const task = wholeTask();
    const body = JSON.stringify({ ...task, id: "ID", option: { ...task.option, numbers: ["LINE"] } })
      .replace('"ID"', "9007199254740993123")
      .replace('"LINE"', "9007199254740993");
    await using service = await serve(raw(body));
    await using upstream = upstreamAt(service.url);
    const read = await upstream.getTask("9007199254740993123");
    expect(read?.taskId).toBe("9007199254740993123");
    expect(read?.option()?.lineIds).toEqual(["9007199254740993"]);
    expect(service.asked[0]?.target).toBe("/openapi/tasks/9007199254740993123");
  });

  it("reads the columns of the number file in the service's order, whatever their names", async () => {
    const body = JSON.stringify(wholeTask()).replace(
      '{"号码":0,"备注":1,"姓名":2}',
      '{"姓名":"2","7":0,"__proto__":1,"3":null,"备注":"x"}',
    );
    const task = await readBody(body);
    expect(task.option()?.numberFileMeta).toEqual([
      { key: "姓名", value: 2 },
      { key: "7", value: 0 },
      { key: "__proto__", value: 1 },
    ]);
    expect(task.unread()).toEqual([{ field: "option.numberFileMeta", text: "x" }]);
  });
});

describe("getTask for a missing task", () => {
  it("returns null if the service answers 404", async () => {
    await using service = await serve(json({ msg: "hidden" }, 404));
    await using upstream = upstreamAt(service.url);
    expect(await upstream.getTask("7")).toBeNull();
  });

  it("returns null for the ID 0 without a request", async () => {
    await using service = await serve(json(wholeTask()));
    await using upstream = upstreamAt(service.url);
    expect([await upstream.getTask("0"), await upstream.getTask("00")]).toEqual([null, null]);
    expect(service.asked).toEqual([]);
  });
});

describe("the ID of a task", () => {
  it.each(["", "7/../8", "7?x=1", "-7", "7.0", "٧", "x", " 7", "7\n"])(
    "is rejected before it becomes part of a path: %j",
    async (taskId) => {
      await using service = await serve(json(wholeTask()));
      await using upstream = upstreamAt(service.url);
      await expect(upstream.getTask(taskId)).rejects.toThrow(TypeError);
      expect(service.asked).toEqual([]);
    },
  );

  it("may have leading zeros", async () => {
    expect(await readBody(JSON.stringify(wholeTask()), "007")).toMatchObject({ taskId: "7" });
  });
});

describe("a task that breaks the service's document", () => {
  const keys = Object.keys(wholeTask());

  it.each(keys)("is an error that names the missing %s", async (key) => {
    const error = await read({ [key]: undefined }).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "UPSTREAM_CONTRACT", message: `The service's task has no readable ${key}.` });
  });

  it.each([null, [], "hidden", 5, { code: 0, msg: "hidden", data: wholeTask() }])("is an error as %j", async (body) => {
    const error = await readBody(JSON.stringify(body)).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "UPSTREAM_CONTRACT" });
    expect(String(error)).not.toContain("hidden");
  });

  it.each([8, "8", null, 7.5, -7])("is an error if its ID is %j and not the requested one", async (id) => {
    await expect(read({ id })).rejects.toMatchObject({ code: "UPSTREAM_CONTRACT" });
  });

  it("does not include a task whose keys are null", async () => {
    const task = await read(Object.fromEntries(keys.filter((key) => key !== "id").map((key) => [key, null])));
    const { taskId, unread, ...rest } = whole(task);
    expect([taskId, unread]).toEqual(["7", []]);
    expect(new Set(Object.values(rest))).toEqual(new Set([null]));
  });
});

describe("an odd field of a task", () => {
  it("costs only itself: an unknown status, an unreadable number, an unreadable time", async () => {
    const task = await read({ status: "paused", total: 1.5, progress: "most", createdAt: "soon", assistantVid: "v2" });
    expect(task).toMatchObject({ status: null, total: null, progress: null, createdAt: null, name: "November" });
    expect(task.unread()).toEqual([
      { field: "status", text: "paused" },
      { field: "total", text: "1.5" },
      { field: "progress", text: "most" },
      { field: "createdAt", text: "soon" },
      { field: "assistantVersionId", text: "v2" },
    ]);
  });
});
