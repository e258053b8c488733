import { describe, expect, it } from "vitest";
import type { Fields } from "./support.ts";
import { until } from "../support/until.ts";
import { at, openReceiver, openSandbox, taskBody } from "./support.ts";

const MORNING = at("2026-11-20 08:00:00");

/** The service does not tell the id: the task is found by its first call, as everybody must. */
async function created(body: Fields) {
  const receiver = await openReceiver();
  const service = await openSandbox({
    now: () => at("2026-11-20 10:00:00") + performance.now(),
    speed: 1000,
    webhook: { url: receiver.url, authorization: "x" },
  });
  const reply = await service.post("/openapi/tasks", body);
  const first = await until(() => receiver.received[0]);
  const task = await service.task(first.data.task_id as number);
  return { reply, task, first: first.data, service, receiver };
}

describe("the answer to a created task", () => {
  it("has an empty body of length 0 and no content type", async () => {
    await using service = await openSandbox({ now: () => MORNING });
    const reply = await service.post("/openapi/tasks", taskBody());
    expect(reply.status).toBe(200);
    expect(reply.text).toBe("");
    expect(reply.headers.get("content-length")).toBe("0");
    expect(reply.headers.get("content-type")).toBeNull();
    expect(service.sandbox.control.state().tasks).toBe(1);
  });
});

describe("a created task", () => {
  it("is shown in the read shape", async () => {
    const { task, service, receiver } = await created(taskBody());
    await using _service = service;
    await using _receiver = receiver;
    expect(task).toMatchObject({
      name: "Autumn round",
      total: 2,
      option: {
        numberFileMeta: { 号码: 0, 备注: -1, 姓名: 1 },
        numbers: [61, 62],
        startDate: "2026-11-20",
        startTime: [["09:00", "18:00"]],
        retryCount: 2,
        retryInterval: 60,
      },
      assistantVid: 304,
      assistant: { id: 11, idOldVersion: false },
    });
  });

  it("counts as a use of its assistant", async () => {
    const { task, first, service, receiver } = await created(taskBody());
    await using _service = service;
    await using _receiver = receiver;
    await service.post("/openapi/tasks", taskBody());
    const { assistant } = await service.task(first.task_id as number);
    expect((assistant as Fields).usageCount).toBe(((task.assistant as Fields).usageCount as number) + 1);
  });

  it("sends the extra of the called number in its event", async () => {
    const numbers = [{ number: "10000000001", extra: { 姓名: "王芳", 订单: 7 } }];
    const { first, service, receiver } = await created(taskBody({ numbers }));
    await using _service = service;
    await using _receiver = receiver;
    expect(first).toMatchObject({ callee: "10000000001", extra: { 姓名: "王芳", 订单: 7 }, direction: "outbound" });
    expect(first.task_item_id).toBeGreaterThan(0);
  });
});

describe("an assistant override", () => {
  it("makes a version for the task and its calls, and keeps the other fields", async () => {
    const assistantOverride = { globalConfig: { welcome: "Good morning.", language: "en" }, speakerId: 42 };
    const { task, first, service, receiver } = await created(taskBody({ assistantOverride }));
    await using _service = service;
    await using _receiver = receiver;
    const [assistant] = service.sandbox.control.state().assistants;
    expect(assistant?.versions).toHaveLength(5);
    const vid = Number(assistant?.versions.at(-1));
    expect(task).toMatchObject({
      assistantVid: vid,
      assistant: { id: 11, versionId: vid, welcome: "Good morning.", speakerId: 42, idOldVersion: false },
    });
    expect((task.assistant as Fields).prompt).toContain("会员中心");
    expect(first.assistant_infos).toEqual([{ assistant_id: 11, assistant_vid: vid }]);
  });

  it("makes no version if it is empty", async () => {
    await using service = await openSandbox({ now: () => MORNING });
    await service.post("/openapi/tasks", taskBody());
    expect(service.sandbox.control.state().assistants[0]?.versions).toHaveLength(4);
  });

  it("makes a new version for each task", async () => {
    await using service = await openSandbox({ now: () => MORNING });
    for (const speakerId of [1, 2])
      await service.post("/openapi/tasks", taskBody({ assistantOverride: { speakerId } }));
    expect(service.sandbox.control.state().assistants[0]?.versions).toHaveLength(6);
  });
});
