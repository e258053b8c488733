import { describe, expect, it } from "vitest";
import type { CallLogPage } from "../../src/upstream/upstream.ts";
import { callLogQuery, emptyPage, json, raw, serve, upstreamAt } from "./service.ts";

/** The page that listCallLogs reads from a body. */
async function pageOf(body: string): Promise<CallLogPage> {
  await using service = await serve(raw(body));
  await using upstream = upstreamAt(service.url);
  return await upstream.listCallLogs(callLogQuery());
}

async function rowOf(row: Record<string, unknown>) {
  const items = [{ assistant: [], ...row }];
  const [record] = (await pageOf(JSON.stringify({ ...emptyPage, items, total: 1 }))).rows;
  if (!record) throw new Error("A row was expected.");
  return record;
}

describe("listCallLogs", () => {
  it("requests the documented path with the token", async () => {
    await using service = await serve(json(emptyPage));
    await using upstream = upstreamAt(`${service.url}/base/`, { timeZone: "UTC" });
    await upstream.listCallLogs(callLogQuery({ taskIds: ["1", "2"] }));
    expect(service.asked).toMatchObject([
      { method: "GET", body: "", headers: { authorization: "Bearer the-token", accept: "application/json" } },
    ]);
    expect(service.asked[0]?.target).toBe(
      "/base/openapi/calllog?taskId=1,2&startTime=2026-11-19%2016%3A00%3A00&endTime=2026-11-20%2015%3A59%3A59" +
        "&pageIndex=1&pageSize=10",
    );
  });

  it("reads every field of a row", async () => {
    const record = await rowOf({
      sessionId: "s-1",
      taskId: 7,
      startAt: "2026-11-20 09:30:00",
      answerAt: "2026-11-20T09:30:05+08:00",
      endAt: 1_763_631_000,
      callee: "+8613900000001",
      caller: "A068",
      direction: "outbound",
      duration: 30,
      billsec: "25.5",
      recordFile: "/records/s-1.wav",
      assistant: [
        { id: 4, vid: 5 },
        { id: "6", vid: "7" },
      ],
    });
    expect(record).toEqual({
      sessionId: "s-1",
      taskId: "7",
      startAt: "2026-11-20T01:30:00.000Z",
      answerAt: "2026-11-20T01:30:05.000Z",
      endAt: "2025-11-20T09:30:00.000Z",
      callee: "+8613900000001",
      caller: "A068",
      direction: "outbound",
      duration: 30,
      billsec: 25.5,
      recordFile: "/records/s-1.wav",
      assistants: [
        { assistantId: "4", versionId: "5" },
        { assistantId: "6", versionId: "7" },
      ],
      unread: [],
    });
  });

  it("reads the page's own numbers, which may be smaller than requested", async () => {
    const page = await pageOf('{"items":[],"total":"120","pageIndex":2,"pageSize":50,"more":true}');
    expect(page).toEqual({ rows: [], total: 120, pageIndex: 2, pageSize: 50 });
  });

  it("reads ids beyond 2^53 exactly", async () => {
    const { rows } = await pageOf(
      '{"items":[{"taskId":9007199254740993123,"sessionId":9007199254740993124,' +
        '"assistant":[{"id":9007199254740993,"vid":18446744073709551615}]}],"total":1,"pageIndex":1,"pageSize":10}',
    );
    expect(rows[0]).toMatchObject({
      taskId: "9007199254740993123",
      sessionId: "9007199254740993124",
      assistants: [{ assistantId: "9007199254740993", versionId: "18446744073709551615" }],
      unread: [],
    });
  });
});

describe("a missing value of the call log", () => {
  const nothing = {
    sessionId: null,
    taskId: null,
    startAt: null,
    answerAt: null,
    endAt: null,
    callee: null,
    caller: null,
    direction: null,
    duration: null,
    billsec: null,
    recordFile: null,
    assistants: [],
    unread: [],
  };

  it("is null if it is left out, null, empty or zero", async () => {
    expect(await rowOf({})).toEqual(nothing);
    const names = Object.keys(nothing).filter((name) => name !== "assistants" && name !== "unread");
    expect(await rowOf(Object.fromEntries(names.map((name) => [name, null])))).toEqual(nothing);
    expect(await rowOf(Object.fromEntries(names.map((name) => [name, ""])))).toEqual(nothing);
    expect(await rowOf({ taskId: 0, answerAt: "0001-01-01T00:00:00Z", endAt: 0, assistant: null })).toEqual(nothing);
  });

  it("is an empty list where a list is null", async () => {
    expect(await pageOf('{"items":null,"total":3,"pageIndex":9,"pageSize":10}')).toEqual({
      rows: [],
      total: 3,
      pageIndex: 9,
      pageSize: 10,
    });
  });
});

describe("an odd field of a row", () => {
  it("is null, and is reported without a phone number", async () => {
    const record = await rowOf({
      sessionId: "s-1",
      taskId: 1.5,
      startAt: "2026-02-30 00:00:00",
      callee: { number: "+8613900000001" },
      direction: "sideways +8613900000001",
      duration: "long",
    });
    expect(record).toMatchObject({ sessionId: "s-1", taskId: null, startAt: null, callee: null, direction: null });
    expect(record.unread).toEqual([
      { field: "taskId", text: "1.5" },
      { field: "startAt", text: "2026-02-30 00:00:00" },
      { field: "callee", text: "<object>" },
      { field: "direction", text: "sideways ***01" },
      { field: "duration", text: "long" },
    ]);
  });
});

describe("a row with unreadable assistants", () => {
  it.each([
    ["hidden", [], [{ field: "assistants", text: "hidden" }]],
    [{ id: 4, vid: 5 }, [], [{ field: "assistants", text: "<object>" }]],
    [[{ vid: 5 }], [], [{ field: "assistants[0]", text: "<object>" }]],
    [
      [{ id: 4, vid: 5 }, { id: 1, vid: 1.5 }, null],
      [{ assistantId: "4", versionId: "5" }],
      [
        { field: "assistants[1]", text: "<object>" },
        { field: "assistants[2]", text: "<object>" },
      ],
    ],
  ])("stays on its page with %j as its assistant", async (assistant, assistants, unread) => {
    expect(await rowOf({ sessionId: "s-1", assistant })).toMatchObject({ sessionId: "s-1", assistants, unread });
  });

  it("stays on its page if the key is missing", async () => {
    const { rows } = await pageOf(JSON.stringify({ ...emptyPage, items: [{ sessionId: "s-1" }], total: 1 }));
    expect(rows).toMatchObject([
      { sessionId: "s-1", assistants: [], unread: [{ field: "assistants", text: "<missing>" }] },
    ]);
  });
});

describe("an empty page that reports a failure", () => {
  const zeros = { items: null, total: 0, pageIndex: 0, pageSize: 0 };

  it.each([
    { code: 500, msg: "hidden" },
    { code: "E_DB", message: "hidden" },
    { error: "hidden" },
    { error: { reason: "hidden" } },
    { success: false },
  ])("is an error if it says %j", async (report) => {
    for (const page of [zeros, emptyPage, { ...zeros, total: 3 }]) {
      const error = await pageOf(JSON.stringify({ ...report, ...page })).catch((error: unknown) => error);
      expect(error).toMatchObject({ code: "UPSTREAM_CONTRACT", retryable: false });
      expect(String(error)).not.toContain("hidden");
    }
  });

  it("is an error with a message alone, if it has no page size", async () => {
    const report = { msg: "hidden" };
    await expect(pageOf(JSON.stringify({ ...report, ...zeros }))).rejects.toMatchObject({ code: "UPSTREAM_CONTRACT" });
    expect(await pageOf(JSON.stringify({ ...report, ...emptyPage }))).toMatchObject({ rows: [], total: 0 });
  });

  it.each([
    {},
    { code: 0, msg: "nothing found" },
    { code: 200, message: "success" },
    { code: "0", error: null, success: true },
    { code: "OK", error: "" },
    { error: {} },
    { error: [] },
    { code: null, msg: "ok" },
    { msg: "" },
  ])("is an empty list if it says %j", async (report) => {
    expect(await pageOf(JSON.stringify({ ...report, ...zeros }))).toMatchObject({ rows: [], total: 0 });
  });

  it("is read if it has rows, whatever it says beside them", async () => {
    const page = { ...emptyPage, items: [{ assistant: [] }], total: 1 };
    expect((await pageOf(JSON.stringify({ ...page, code: 20_000, msg: "fine" }))).rows).toHaveLength(1);
  });
});

describe("a page that breaks the service's document", () => {
  const row = { assistant: [{ id: 4, vid: 5 }] };

  it.each([
    ["an error in an envelope", { code: 401, msg: "hidden" }, "items"],
    ["a page in an envelope", { code: 0, data: emptyPage }, "items"],
    ["no total", { ...emptyPage, total: undefined }, "total"],
    ["an unreadable total", { ...emptyPage, total: "hidden" }, "total"],
    ["no pageIndex", { ...emptyPage, pageIndex: undefined }, "pageIndex"],
    ["a pageSize of null", { ...emptyPage, pageSize: null }, "pageSize"],
    ["items that are not a list", { ...emptyPage, items: { hidden: 1 } }, "items"],
    ["a row that is null", { ...emptyPage, items: [row, null] }, "Row 1 of the service's call log is not an object"],
    [
      "a row that is a list",
      { ...emptyPage, items: [row, row, []] },
      "Row 2 of the service's call log is not an object",
    ],
    ["null as its body", null, "not an object"],
    ["a list as its body", [], "not an object"],
    ["a text as its body", "hidden", "not an object"],
  ])("is an error with %s", async (_name, body, message) => {
    const error = await pageOf(JSON.stringify(body)).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "UPSTREAM_CONTRACT", retryable: false });
    expect(String(error)).toMatch(new RegExp(message));
    expect(String(error)).not.toContain("hidden");
  });

  it.each(["", "<html>hidden</html>", '{"items":[', "{items:[]}"])("is an error with the body %j", async (body) => {
    const error = await pageOf(body).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "UPSTREAM_CONTRACT", cause: undefined });
    expect(String(error)).not.toContain("hidden");
  });
});
