import { describe, expect, it } from "vitest";
import type { QuirksInput } from "../../sandbox/src/control/quirks.ts";
import { DEFAULT_QUIRKS, quirksPatchSchema } from "../../sandbox/src/control/quirks.ts";
import type { SandboxOptions } from "../../sandbox/src/sandbox.ts";
import type { Fields } from "./support.ts";
import { until } from "../support/until.ts";
import { at, openReceiver, openSandbox, taskBody } from "./support.ts";

const NOW = at("2026-11-20 12:00:00");
async function openWith(quirks: QuirksInput, options: Partial<SandboxOptions> = {}) {
  const service = await openSandbox({ now: () => NOW, ...options });
  service.sandbox.control.setQuirks(quirks);
  return service;
}
/** The event of one call that ended. */
async function eventOf(quirks: QuirksInput, call: Fields = {}) {
  await using receiver = await openReceiver();
  await using service = await openWith(quirks, { webhook: { url: receiver.url, authorization: "x" } });
  service.sandbox.control.endCall(call);
  const { data, text } = await until(() => receiver.received[0]);
  return { data, text };
}

describe("the quirk goNulls", () => {
  it("writes null for empty lists in the list, the task and the event", async () => {
    await using service = await openWith({ goNulls: true });
    expect((await service.list()).items).toBeNull();
    service.sandbox.control.seed({
      tasks: [{ id: 1, lines: [], startTime: [], assistantId: 14 }],
      calls: [{ assistant: [] }],
    });
    expect((await service.list()).items).toMatchObject([{ assistant: null }]);
    const task = await service.task(1);
    expect(task).toMatchObject({
      option: { numbers: null, startTime: null },
      assistant: { collect: [{ answers: ["yes", "no"] }, { answers: null }] },
    });
    expect((await eventOf({ goNulls: true }, { assistant: [] })).data).toMatchObject({
      assistant_infos: null,
      extra: null,
    });
  });
});

describe("quirks of times", () => {
  it("write the zero time for a missing time", async () => {
    await using service = await openWith({ zeroTimes: true });
    service.sandbox.control.seed({ calls: [{ answerAt: null, endAt: null }] });
    const zero = "0001-01-01T00:00:00Z";
    expect((await service.list()).items).toMatchObject([{ answerAt: zero, endAt: zero }]);
    expect((await eventOf({ zeroTimes: true }, { answered: false })).data.answer_at).toBe(zero);
  });

  it.each([
    ["wall", "2026-11-20 12:00:00"],
    ["wallZ", "2026-11-20T12:00:00Z"],
    ["rfc3339", "2026-11-20T12:00:00+08:00"],
    ["epochS", NOW / 1000],
    ["epochMs", NOW],
  ] as const)("as %s", async (format, expected) => {
    await using service = await openWith({ callLogTimes: format, taskTimes: format });
    service.sandbox.control.seed({ tasks: [{ id: 1 }], calls: [{ startAt: NOW }] });
    expect((await service.list()).items[0]?.startAt).toBe(expected);
    expect((await service.task(1)).createdAt).toBe(expected);
    expect((await eventOf({ webhookTimes: format })).data.end_at).toBe(expected);
  });
});

describe("quirks of the list", () => {
  const calls = [3, 1, 4, 2, 5].map((index) => ({
    sessionId: `s${index}`,
    startAt: NOW + index * 1000,
    endAt: NOW + 100_000 - index * 1000,
    createdAt: NOW + 500_000,
  }));
  const order = async (quirks: QuirksInput, query = "") => {
    await using service = await openWith(quirks);
    service.sandbox.control.seed({ calls });
    return (await service.list(query)).items.map(({ sessionId }) => String(sessionId));
  };

  it("change its order", async () => {
    const sorted = ["s1", "s2", "s3", "s4", "s5"];
    expect(await order({})).toEqual(sorted.toReversed());
    expect(await order({ order: "oldest" })).toEqual(sorted);
    expect(await order({ order: "byId" })).toEqual(sorted);
    expect(await order({ order: "newestEnd" })).toEqual(sorted);
    const shuffled = await order({ order: "shuffled" });
    expect(shuffled.toSorted()).toEqual(sorted);
    expect(shuffled).not.toEqual(sorted);
    const pages = await Promise.all(
      [1, 2, 3].map((page) => order({ order: "shuffled" }, `pageSize=2&pageIndex=${page}`)),
    );
    expect(pages.flat()).toEqual(shuffled);
  });

  it("lower its page size, and report the requested or the used one", async () => {
    await using service = await openWith({ maxPageSize: 2 });
    service.sandbox.control.seed({ calls });
    const page = await service.list("pageSize=100&pageIndex=2");
    expect([page.items.length, page.pageSize, page.total]).toEqual([2, 2, 5]);
    service.sandbox.control.setQuirks({ pageSizeTold: "asked" });
    expect(await service.list("pageSize=100&pageIndex=2")).toMatchObject({ items: [{}, {}], pageSize: 100 });
  });

  it("write null for items after the last page", async () => {
    await using service = await openWith({ nullBeyondEnd: true });
    expect((await service.list("pageIndex=2")).items).toBeNull();
    expect((await service.list("pageIndex=1")).items).toEqual([]);
  });

  it("change the time that the range filters, and its ends", async () => {
    const range = (start: string, end: string) => `startTime=2026-11-20%20${start}&endTime=2026-11-20%20${end}`;
    expect(await order({}, range("12:00:01", "12:00:02"))).toEqual(["s2", "s1"]);
    expect(await order({ rangeField: "end" }, range("12:01:38", "12:01:39"))).toEqual(["s2", "s1"]);
    expect(await order({ rangeField: "create" }, range("12:08:20", "12:08:20"))).toHaveLength(5);
    expect(await order({ rangeEnds: "endExclusive" }, range("12:00:01", "12:00:02"))).toEqual(["s1"]);
    expect(await order({ rangeEnds: "startExclusive" }, range("12:00:01", "12:00:02"))).toEqual(["s2"]);
    expect(await order({ rangeField: "answer" }, range("12:00:04", "12:00:05"))).toEqual(["s2", "s1"]);
    expect(await order({ rangeEnds: "exclusive" }, range("12:00:01", "12:00:03"))).toEqual(["s2"]);
  });

  it("refuse, ignore or cut assistantIds in another encoding", async () => {
    await using service = await openWith({ assistantIdsEncoding: "comma", foreignEncoding: "first" });
    service.sandbox.control.seed({ calls: [11, 12, 12, 13].map((id) => ({ assistant: [{ id, vid: id }] })) });
    const total = async () => (await service.list("assistantIds=12&assistantIds=13")).total;
    expect(await total()).toBe(2);
    service.sandbox.control.setQuirks({ foreignEncoding: "ignored" });
    expect(await total()).toBe(4);
  });

  it("ignore parameters", async () => {
    await using service = await openWith({ ignoredParameters: ["direction", "taskId"] });
    service.sandbox.control.seed({ calls: [{ direction: "inbound" }, { taskId: 1 }] });
    expect((await service.list("direction=outbound&taskId=7")).total).toBe(2);
  });

  it("change how a missing time is written", async () => {
    await using service = await openWith({ missingTimes: "null" });
    service.sandbox.control.seed({ calls: [{ answerAt: null }] });
    expect((await service.list()).items).toMatchObject([{ answerAt: null }]);
    service.sandbox.control.setQuirks({ missingTimes: "empty" });
    expect((await service.list()).items).toMatchObject([{ answerAt: "" }]);
  });

  it("match parts of a phone number", async () => {
    await using service = await openWith({ phoneMatch: "contains" });
    service.sandbox.control.seed({ calls: [{ caller: "10000001234" }] });
    expect((await service.list("phone=1234")).total).toBe(1);
  });

  it.each([
    ["comma", ["assistantIds=11", "assistantIds=11,12"], ["assistantIds=11&assistantIds=12", "assistantIds[]=11"]],
    ["repeat", ["assistantIds=11", "assistantIds=11&assistantIds=12"], ["assistantIds=11,12", "assistantIds[]=11"]],
    ["brackets", ["assistantIds[]=11&assistantIds[]=12"], ["assistantIds=11", "assistantIds=11,12"]],
  ] as const)("in the one encoding of assistantIds it takes: %s", async (assistantIdsEncoding, taken, refused) => {
    await using service = await openWith({ assistantIdsEncoding });
    for (const query of taken) expect((await service.call(`/openapi/calllog?${query}`)).status, query).toBe(200);
    for (const query of refused) expect((await service.call(`/openapi/calllog?${query}`)).status, query).toBe(400);
  });

  it("write recordings as URLs, and the task of inbound calls as 0", async () => {
    await using service = await openWith({ recordFile: "url", inboundTaskId: "zero" });
    service.sandbox.control.endCall();
    const [row] = (await service.list()).items;
    expect(row).toMatchObject({
      taskId: 0,
      recordFile: expect.stringContaining(`${service.sandbox.url}/rec`) as unknown,
    });
  });
});

describe("quirks of fields and numbers", () => {
  it("add unknown fields", async () => {
    await using service = await openWith({ extraFields: true });
    service.sandbox.control.seed({ tasks: [{ id: 1 }], calls: [{}] });
    const page = await service.list();
    expect(page).toHaveProperty("traceId");
    expect(page.items[0]).toHaveProperty("tenant");
    expect(await service.task(1)).toMatchObject({ traceId: "c0ffee", assistant: { traceId: "c0ffee" } });
    expect((await eventOf({ extraFields: true })).data).toHaveProperty("traceId");
  });

  it("write percentages with fractions", async () => {
    await using service = await openWith({ fractionalPercentages: true });
    service.sandbox.control.seed({
      tasks: [
        { id: 1, progress: 33, collectionRate: 100 },
        { id: 2, progress: 100 / 3 },
      ],
    });
    expect(await service.task(1)).toMatchObject({ progress: 33.3, collectionRate: 100 });
    expect(await service.task(2)).toMatchObject({ progress: 33.3 });
  });

  it("keep ids beyond 2^53 exact everywhere", async () => {
    await using service = await openWith({ idsFrom: "9007199254740993123" });
    await service.post(
      "/openapi/tasks",
      taskBody({ assistantOverride: { speakerId: 1 } }, { startDate: "2027-01-01" }),
    );
    const reply = await service.call("/openapi/tasks/9007199254740993123");
    expect(reply.text).toContain('"id":9007199254740993123,');
    expect(reply.text).toContain('"assistantVid":9007199254740993123,');
    const { text } = await eventOf({}, { taskId: "9007199254740993123", taskItemId: 9007199254740993124n });
    expect(text).toContain('"task_id":9007199254740993123,"task_item_id":9007199254740993124');
    service.sandbox.control.seed({
      calls: [{ taskId: "9007199254740993123", assistant: [{ id: 11, vid: "9007199254740993125" }] }],
    });
    const list = await service.call("/openapi/calllog?taskId=9007199254740993123");
    expect(list.text).toContain('"taskId":9007199254740993123,');
    expect(list.text).toContain('"vid":9007199254740993125}');
  });
});

it.each([
  [{ maxPageSize: 0 }, false],
  [{ maxPageSize: 1 }, true],
  [{ maxPageSize: 100 }, true],
  [{ maxPageSize: 101 }, false],
  [{ maxPageSize: 1.5 }, false],
  [{ maxPageSize: null }, true],
])("The sandbox takes the quirk %j: %s", (quirk, isTaken) => {
  expect(quirksPatchSchema.safeParse(quirk).success).toBe(isTaken);
});

describe("quirks over HTTP", () => {
  it("can be changed, read and reset", async () => {
    await using service = await openSandbox();
    const headers = { authorization: "Bearer test-token" };
    const patched = await service.call("/sandbox/quirks", { method: "PATCH", headers, body: '{"order":"oldest"}' });
    expect(patched.body).toEqual({ ...DEFAULT_QUIRKS, order: "oldest" });
    expect(
      (await service.call("/sandbox/quirks", { method: "PATCH", headers, body: '{"order":"random"}' })).status,
    ).toBe(400);
    expect((await service.call("/sandbox/quirks", { method: "PATCH", headers, body: '{"sorting":1}' })).status).toBe(
      400,
    );
    await service.call("/sandbox/quirks", { method: "DELETE", headers });
    expect((await service.call("/sandbox/quirks")).body).toEqual(DEFAULT_QUIRKS);
  });
});
