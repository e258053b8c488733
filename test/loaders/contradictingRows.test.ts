import { describe, expect, it } from "vitest";
import { createLoaders } from "../../src/loaders/loaders.ts";
import { checkRowsMatch, type RangeRules } from "../../src/loaders/contradictingRows.ts";
import type { CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";
import { callLog } from "../resolvers/world.ts";
import { callLogQuery, emptyPage, isProbe, json, listChecks, serve, upstreamAt } from "../upstream/service.ts";

const rules: RangeRules = { timeZone: "Asia/Shanghai", rangeField: null };

function check(query: Partial<CallLogQuery>, ...rows: Partial<CallLogRecord>[]) {
  return checkBy(rules, query, ...rows);
}

function checkBy(given: RangeRules, query: Partial<CallLogQuery>, ...rows: Partial<CallLogRecord>[]) {
  const page = { ...emptyPage, rows: rows.map((row) => callLog(row)), total: rows.length };
  return () => checkRowsMatch(callLogQuery(query), page, given);
}

const since = "2026-11-20T00:00:00.000Z";
const until = "2026-11-20T15:59:59.000Z";

const assistants = [
  { assistantId: "4", versionId: "5" },
  { assistantId: "6", versionId: "7" },
];

describe("checkRowsMatch with a contradicting row", () => {
  it.each<[string, Partial<CallLogQuery>, Partial<CallLogRecord>]>([
    ["taskIds", { taskIds: ["7", "8"] }, { taskId: "9" }],
    ["taskIds", { taskIds: ["7"] }, { taskId: null, direction: "inbound" }],
    ["direction", { direction: "inbound" }, { direction: "outbound" }],
    ["assistantIds", { assistantIds: ["5", "8"] }, { assistants }],
    ["phone", { phone: "13800010001" }, { caller: "02100000000", callee: "13800010002" }],
    ["since", { since }, { endAt: "2026-11-19T23:44:59.999Z" }],
    ["since", { since }, { startAt: "2026-11-19T20:00:00.000Z", answerAt: "2026-11-19T20:59:59.999Z" }],
    ["until", { until }, { startAt: "2026-11-20T16:00:04.001Z" }],
    ["until", { until }, { startAt: "2026-11-25T00:00:00.000Z", endAt: "2026-11-25T00:01:00.000Z" }],
  ])("rejects for the filter %s %j the row %j", (name, query, row) => {
    const fits = callLog({ taskId: "7", callee: "+8613800010001", direction: query.direction ?? "outbound" });
    expect(check(query, fits, row)).toThrow(
      expect.objectContaining({ code: "UPSTREAM_FILTER_IGNORED", message: expect.stringContaining(name) }),
    );
  });
});

describe("checkRowsMatch with a row that may match", () => {
  it.each<[string, Partial<CallLogQuery>, Partial<CallLogRecord>]>([
    ["any row without a filter", {}, { taskId: "9", direction: "inbound", assistants }],
    ["a call of one of the tasks", { taskIds: ["8", "7"] }, { taskId: "7" }],
    ["an outbound call without a task", { taskIds: ["7"] }, { taskId: null }],
    ["a call without task and direction", { taskIds: ["7"] }, { taskId: null, direction: null }],
    ["an unreadable direction", { direction: "inbound" }, { direction: null }],
    ["a call with the assistant among several", { assistantIds: ["6"] }, { assistants }],
    ["a call without assistants", { assistantIds: ["6"] }, { assistants: [] }],
    ["a call that has not ended", { since }, { startAt: "2026-11-19T21:00:00.000Z" }],
    [
      "a call with an unreadable end",
      { since },
      { startAt: "2026-11-19T00:00:00.000Z", unread: [{ field: "endAt", text: "soon" }] },
    ],
    ["a row that was written after the call", { since }, { endAt: "2026-11-19T23:45:00.000Z" }],
    ["an end that is before its start", { since }, { startAt: since, endAt: "1970-01-01T00:00:00.000Z" }],
    ["a start within the tolerance for clocks", { until }, { startAt: "2026-11-20T16:00:04.000Z" }],
    [
      "a call that started in the range and ended after it",
      { until },
      { startAt: until, endAt: "2026-11-21T00:00:00.000Z" },
    ],
    ["the last possible instant", { until: "9999-12-31T23:59:59.000Z" }, { startAt: "9999-12-31T23:59:59.000Z" }],
    [
      "the number as the other end of the call",
      { phone: "13800010001" },
      { caller: "013800010001", callee: "13900000000" },
    ],
    ["a line's label beside another number", { phone: "13800010001" }, { caller: "A068", callee: "13900000000" }],
    ["any row for the filter kind, which no row shows", { kind: "privateTest" }, {}],
  ])("accepts %s", (_, query, row) => {
    const page = check(query, row)();
    expect(page.rows).toHaveLength(1);
  });
});

describe("checkRowsMatch in an hour that the wall clock repeats", () => {
  const berlin: RangeRules = { timeZone: "Europe/Berlin", rangeField: null };
  // 02:30 occurs twice: at 00:30Z and at 01:30Z.
  const [first, second] = ["2026-10-25T00:30:00.000Z", "2026-10-25T01:30:00.000Z"];

  it("accepts a row for either reading of the range's start and end", () => {
    const [from, to] = ["2026-10-25T00:00:00.000Z", "2026-10-25T02:00:00.000Z"];
    expect(checkBy(berlin, { since: from, until: first }, { startAt: second })().rows).toHaveLength(1);
    expect(checkBy(berlin, { since: second, until: to }, { endAt: first })().rows).toHaveLength(1);
    expect(checkBy(rules, { since: from, until: first }, { startAt: second })).toThrow("until");
    expect(checkBy(rules, { since: second, until: to }, { endAt: first })).toThrow("since");
  });
});

describe("checkRowsMatch with a known range field", () => {
  it.each<[RangeRules["rangeField"], Partial<CallLogQuery>, Partial<CallLogRecord>]>([
    ["endAt", { since }, { endAt: "2026-11-19T23:59:54.000Z" }],
    ["startAt", { since }, { startAt: "2026-11-19T23:59:54.000Z", endAt: "2026-11-20T00:05:00.000Z" }],
    ["endAt", { until }, { startAt: "2026-11-20T15:00:00.000Z", endAt: "2026-11-20T16:00:05.000Z" }],
  ])("judges by %s: filter %j, row %j", (rangeField, query, row) => {
    expect(checkBy({ ...rules, rangeField }, query, row)).toThrow(Object.keys(query)[0]);
    expect(check(query, row)().rows).toHaveLength(1);
  });

  it("judges a row without the filtered time by its other times", () => {
    expect(checkBy({ ...rules, rangeField: "endAt" }, { since }, { startAt: since })().rows).toHaveLength(1);
  });
});

describe("the loader of call log pages", () => {
  it("fails a page with an ignored filter, and no other page", async () => {
    const row = { taskId: 9, direction: "outbound", assistant: [] };
    const list = json({ ...emptyPage, items: [row], total: 1 });
    await using service = await serve((...asking) => (isProbe(asking[1]) ? json(emptyPage) : list)(...asking));
    await using upstream = upstreamAt(service.url);
    const { callLogs } = createLoaders(upstream, listChecks());
    const pages = await Promise.allSettled([
      callLogs.load(callLogQuery({ taskIds: ["7"] })),
      callLogs.load(callLogQuery({ taskIds: ["9"] })),
    ]);
    expect(pages).toMatchObject([{ reason: { code: "UPSTREAM_FILTER_IGNORED", retryable: false } }, { value: {} }]);
  });
});
