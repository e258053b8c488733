import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Fields, Opened, Receiver } from "./support.ts";
import { until } from "../support/until.ts";
import { at, openReceiver, openSandbox } from "./support.ts";

const NOW = at("2026-11-20 12:00:00");
let service: Opened;
let receiver: Receiver;
beforeAll(async () => {
  receiver = await openReceiver();
  service = await openSandbox({ now: () => NOW, webhook: { url: receiver.url, authorization: "hook secret" } });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const WALL = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const row = async (sessionId: string) =>
  (await service.list("pageSize=100")).items.find((item) => item.sessionId === sessionId);
const event = (sessionId: string) => until(() => receiver.received.find(({ data }) => data.session_id === sessionId));

describe("a row of the list (service.md 2.1)", () => {
  it("has every field for an answered outbound call", async () => {
    const { taskIds } = service.sandbox.control.seed({ tasks: [{ numbers: [{ number: "10000000007" }] }] });
    const { sessionId } = service.sandbox.control.endCall({ taskId: taskIds[0] as string, ringTime: 4, talkTime: 30 });
    expect(await row(sessionId)).toEqual({
      sessionId,
      taskId: Number(taskIds[0]),
      startAt: "2026-11-20 11:59:26",
      answerAt: "2026-11-20 11:59:30",
      endAt: "2026-11-20 12:00:00",
      callee: "10000000007",
      caller: "A060",
      direction: "outbound",
      duration: 34,
      billsec: 30,
      recordFile: expect.stringMatching(/^\/recordings\/.+\.wav\?/) as unknown,
      assistant: [{ id: 11, vid: 304 }],
    });
  });

  it("leaves out the missing fields of an unanswered inbound call", async () => {
    const { sessionId } = service.sandbox.control.endCall({ answered: false });
    expect(Object.keys((await row(sessionId)) as Fields).toSorted()).toEqual(
      ["sessionId", "startAt", "endAt", "callee", "caller", "direction", "duration", "billsec", "assistant"].toSorted(),
    );
  });

  it("leaves out the missing fields of an active call", async () => {
    service.sandbox.control.seed({ calls: [{ sessionId: "going", endAt: null, answerAt: null }] });
    expect(Object.keys((await row("going")) as Fields).toSorted()).toEqual(
      ["sessionId", "startAt", "callee", "caller", "direction", "assistant"].toSorted(),
    );
  });
});

describe("the event (service.md 2.2)", () => {
  const FIELDS = [
    "session_id",
    "callee",
    "caller",
    "start_at",
    "answer_at",
    "end_at",
    "duration",
    "billsec",
    "direction",
  ];
  const MORE = [
    "ring_time",
    "hangup_side",
    "hangup_reason",
    "record_url",
    "task_id",
    "task_item_id",
    "assistant_infos",
    "extra",
  ];

  it("has every field of an answered call of a task, with its number's extra", async () => {
    const extra = { 姓名: "李娜", __proto__x: 1, nested: { list: [1, "2"] } };
    const { taskIds } = service.sandbox.control.seed({ tasks: [{ numbers: [{ number: "10000000008", extra }] }] });
    const { sessionId } = service.sandbox.control.endCall({ taskId: taskIds[0] as string, ringTime: 4, talkTime: 30 });
    const { data, name, authorization, contentType, text } = await event(sessionId);
    expect({ name, authorization, contentType }).toEqual({
      name: "call_ended",
      authorization: "hook secret",
      contentType: "application/json",
    });
    expect(Object.keys(JSON.parse(text) as Fields)).toEqual(["event_name", "event_data"]);
    expect(Object.keys(data)).toEqual([...FIELDS, ...MORE]);
    expect(data).toMatchObject({
      callee: "10000000008",
      start_at: "2026-11-20 11:59:26",
      answer_at: "2026-11-20 11:59:30",
      end_at: "2026-11-20 12:00:00",
      duration: 34,
      billsec: 30,
      ring_time: 4,
      direction: "outbound",
      task_id: Number(taskIds[0]),
      assistant_infos: [{ assistant_id: 11, assistant_vid: 304 }],
      extra,
    });
    expect(data.task_item_id).toBeGreaterThan(0);
    expect(data.record_url).toMatch(new RegExp(`^${service.sandbox.url}/recordings/`));
  });

  it("has task and item 0 for an inbound call, and empty texts without an answer", async () => {
    const { sessionId } = service.sandbox.control.endCall({ answered: false, ringTime: 9 });
    const { data } = await event(sessionId);
    expect(Object.keys(data)).toEqual([...FIELDS, ...MORE]);
    expect(data).toMatchObject({
      direction: "inbound",
      task_id: 0,
      task_item_id: 0,
      answer_at: "",
      record_url: "",
      duration: 9,
      billsec: 0,
      extra: {},
    });
  });

  it("keeps a key such as __proto__ in extra", async () => {
    const body = '{"sessionId":"proto","extra":{"__proto__":{"a":1}}}';
    const reply = await service.call("/sandbox/calls", {
      method: "POST",
      body,
      headers: { authorization: "Bearer test-token" },
    });
    expect(reply.status).toBe(200);
    expect((await event("proto")).text).toContain('"extra":{"__proto__":{"a":1}}');
  });
});

describe("a task (service.md 2.3)", () => {
  it("has the whole option and assistant, with the service's own spellings", async () => {
    const { taskIds } = service.sandbox.control.seed({
      tasks: [{ name: "Round", total: 9, progress: 33, assistantVid: 302 }],
    });
    const task = await service.task(taskIds[0] as string);
    expect(task).toEqual({
      id: Number(taskIds[0]),
      createdAt: "2026-11-20T12:00:00+08:00",
      updatedAt: "2026-11-20T12:00:00+08:00",
      name: "Round",
      status: "done",
      total: 9,
      progress: 33,
      collectionRate: 0,
      option: {
        numberFileMeta: { 号码: 0, 备注: 2, 姓名: 1 },
        numbers: [60],
        startDate: "2026-11-20",
        startTime: [["09:00", "18:00"]],
        retryCount: 0,
        retryInterval: 60,
      },
      summary: "",
      suggestion: "",
      assistantVid: 302,
      assistant: {
        id: 11,
        projectId: 7,
        name: "续费小助手",
        versionId: 302,
        scene: "renewal",
        speakerId: expect.any(Number) as unknown,
        websocketUrl: expect.stringMatching(/^wss:/) as unknown,
        websocketToken: expect.stringMatching(/^wst_secret_[0-9a-f]{40}$/) as unknown,
        listenerId: expect.any(Number) as unknown,
        welcome: expect.any(String) as unknown,
        prompt: expect.any(String) as unknown,
        collect: [
          { question: "是否续费？", answers: ["是", "否", "再考虑"] },
          { question: "方便的联系时间？", answers: [] },
        ],
        knowledge: expect.any(String) as unknown,
        createdAt: expect.stringMatching(/\+08:00$/) as unknown,
        updatedAt: expect.stringMatching(/\+08:00$/) as unknown,
        creator: { email: "operator1@sandbox.invalid" },
        deletedAt: null,
        idOldVersion: true,
        usageCount: expect.any(Number) as unknown,
        creatorId: 500,
      },
    });
  });

  it("writes the times of the list in the format of the query", async () => {
    const { sessionId } = service.sandbox.control.endCall();
    expect((await row(sessionId))?.startAt).toMatch(WALL);
  });
});
