import { describe, expect, it } from "vitest";
import { createLoaders } from "../../src/loaders/loaders.ts";
import { checkFilter } from "../../src/loaders/filterIgnored.ts";
import type { CallLogQuery, CallLogRecord } from "../../src/upstream/upstream.ts";
import { callLog } from "../resolvers/world.ts";
import { callLogQuery, emptyPage, json, serve, upstreamAt } from "../upstream/service.ts";

function check(query: Partial<CallLogQuery>, ...rows: Partial<CallLogRecord>[]) {
  const page = { ...emptyPage, rows: rows.map((row) => callLog(row)), total: rows.length };
  return () => checkFilter(callLogQuery(query), page);
}

const assistants = [
  { assistantId: "4", versionId: "5" },
  { assistantId: "6", versionId: "7" },
];

describe("rows that contradict the filter are an error, and not other people's calls", () => {
  it.each<[string, Partial<CallLogQuery>, Partial<CallLogRecord>]>([
    ["taskIds", { taskIds: ["7", "8"] }, { taskId: "9" }],
    ["taskIds", { taskIds: ["7"] }, { taskId: null, direction: "inbound" }],
    ["direction", { direction: "inbound" }, { direction: "outbound" }],
    ["assistantIds", { assistantIds: ["5", "8"] }, { assistants }],
    ["since", { since: "2026-11-20T00:00:00.000Z" }, { endAt: "2026-11-19T20:59:59.999Z" }],
  ])("%s %j: %j", (name, query, row) => {
    const fits = callLog({ taskId: "7", direction: query.direction ?? "outbound" });
    expect(check(query, fits, row)).toThrow(
      expect.objectContaining({ code: "UPSTREAM_FILTER_IGNORED", message: expect.stringContaining(name) }),
    );
  });
});

describe("what does not contradict it for certain passes", () => {
  it.each<[string, Partial<CallLogQuery>, Partial<CallLogRecord>]>([
    ["no filter", {}, { taskId: "9", direction: "inbound", assistants }],
    ["one of the tasks", { taskIds: ["8", "7"] }, { taskId: "7" }],
    ["an outbound call that does not tell its task", { taskIds: ["7"] }, { taskId: null }],
    ["a call that tells neither task nor direction", { taskIds: ["7"] }, { taskId: null, direction: null }],
    ["a direction that cannot be read", { direction: "inbound" }, { direction: null }],
    ["one of several assistants", { assistantIds: ["6"] }, { assistants }],
    ["no assistant", { assistantIds: ["6"] }, { assistants: [] }],
    ["a call that goes on", { since: "2026-11-20T00:00:00.000Z" }, { startAt: "2026-11-19T00:00:00.000Z" }],
    [
      "an end that clocks being set back would explain",
      { since: "2026-11-20T00:00:00.000Z" },
      { endAt: "2026-11-19T21:00:00.000Z" },
    ],
    [
      "a call after the range, which may have been planned within",
      { until: "2026-11-20T15:59:59.000Z" },
      { startAt: "2026-11-25T00:00:00.000Z", endAt: "2026-11-25T00:01:00.000Z" },
    ],
    ["kind and phone, which no row shows", { kind: "privateTest", phone: "13900000000" }, {}],
  ])("%s", (_, query, row) => {
    const page = check(query, row)();
    expect(page.rows).toHaveLength(1);
  });
});

describe("every page is checked where it is loaded", () => {
  it("and an ignored filter fails that page and no other", async () => {
    const row = { taskId: 9, direction: "outbound", assistant: [] };
    await using service = await serve(json({ ...emptyPage, items: [row], total: 1 }));
    await using upstream = upstreamAt(service.url);
    const { callLogs } = createLoaders(upstream);
    const pages = await Promise.allSettled([
      callLogs.load(callLogQuery({ taskIds: ["7"] })),
      callLogs.load(callLogQuery({ taskIds: ["9"] })),
    ]);
    expect(pages).toMatchObject([{ reason: { code: "UPSTREAM_FILTER_IGNORED", retryable: false } }, { value: {} }]);
  });
});
