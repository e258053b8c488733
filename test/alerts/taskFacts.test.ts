import { describe, expect, it } from "vitest";
import { createTaskFacts } from "../../src/gateway/taskFacts.ts";
import type { CallLogQuery, CallLogRecord, TaskRecord } from "../../src/upstream/upstream.ts";
import { callLog, task } from "../resolvers/world.ts";

const timeZone = "Asia/Shanghai";
const shanghai = (time: string) => Date.parse(`2026-11-20T${time}+08:00`);
const instant = (time: string) => new Date(shanghai(time)).toISOString();

const option = (periods: string[][]) => () => ({
  numberFileMeta: [],
  lineIds: [],
  startDate: "2026-11-18",
  periods,
  retryCount: null,
  retryInterval: null,
});

/** At a time of the service's clock. `rows` are listed in pages of 100, in this order. */
function factsAt(time: string, found: TaskRecord | null, rows: readonly CallLogRecord[] = [], total = rows.length) {
  const queries: CallLogQuery[] = [];
  const facts = createTaskFacts({
    upstream: {
      getTask: async () => found,
      async listCallLogs(query) {
        queries.push(query);
        const { pageIndex, pageSize } = query;
        return { rows: rows.slice((pageIndex - 1) * pageSize, pageIndex * pageSize), total, pageIndex, pageSize };
      },
    },
    tasks: { page: async () => [] },
    lastEnds: async () => new Map([["7", "2026-11-20T09:00:00.000Z"]]),
    timeZone,
    days: "daily",
    clock: () => shanghai(time),
  });
  return { ...facts, queries };
}

const { signal } = new AbortController();
const running = (time: string, own: Partial<TaskRecord>) =>
  factsAt(time, task({ status: "running", ...own })).running("7", signal);

describe("What rules on tasks ask the service", () => {
  it.each([
    ["08:59:00", null],
    ["09:30:00", "09:00:00"],
    ["13:00:00", null],
    ["14:05:00", "14:00:00"],
  ])("at %s the task is in its hours since %s", async (time, since) => {
    const periods = [
      ["09:00", "12:00"],
      ["14:00", "18:00"],
    ];
    expect(await running(time, { option: option(periods) })).toEqual(
      since === null
        ? { kind: "notRunning", isDone: false }
        : { kind: "running", since: shanghai(since), isSure: true },
    );
  });

  it("is that a task does not run where its status says so, or it is not there", async () => {
    const periods = [["00:00", "24:00"]];
    for (const status of ["pending", "stop.operate", "stop.timeout", "stop.abnormal"] as const)
      expect(await running("09:30:00", { status, option: option(periods) })).toEqual({
        kind: "notRunning",
        isDone: false,
      });
    expect(await running("09:30:00", { status: "done" })).toEqual({ kind: "notRunning", isDone: true });
    expect(await factsAt("09:30:00", null).running("7", signal)).toMatchObject({ kind: "notRunning" });
  });

  it("is not known where its status or its hours cannot be read", async () => {
    const unread = () => {
      throw new Error("The option is of another shape.");
    };
    for (const own of [{ status: null }, { option: () => null }, { option: unread }, { option: option([["x", "y"]]) }])
      expect(await running("09:30:00", own)).toMatchObject({ kind: "unknown" });
  });
});

describe("The calls that the service lists of a task", () => {
  const ended = (end: string, own: Partial<CallLogRecord> = {}, at = 0) =>
    callLog({ sessionId: `${end} ${at}`, taskId: "7", endAt: instant(end), ...own });
  const old = Array.from({ length: 130 }, (_, at) => ended("09:05:00", {}, at));
  const newest = (facts: ReturnType<typeof factsAt>) =>
    facts.newestEnd("7", shanghai("09:10:00"), shanghai("09:40:00"), signal);

  // The service does not state the order of its pages.
  it("are read to the last page", async () => {
    const facts = factsAt("10:00:00", null, [...old, ended("09:30:00")]);
    expect(await newest(facts)).toBe(shanghai("09:30:00"));
    expect(facts.queries.map(({ pageIndex, taskIds }) => [pageIndex, taskIds])).toEqual([
      [1, ["7"]],
      [2, ["7"]],
    ]);
    expect(await newest(factsAt("10:00:00", null, old))).toBeNull();
  });

  it("are not read further than to one that is new enough", async () => {
    const facts = factsAt("10:00:00", null, [ended("09:50:00"), ...old]);
    expect(await newest(facts)).toBe(shanghai("09:50:00"));
    expect(facts.queries).toHaveLength(1);
  });

  it("are those of the task, and those that have ended", async () => {
    const rows = [ended("09:30:00", { taskId: "8" }), ended("09:20:00"), callLog({ taskId: "7", endAt: null })];
    expect(await newest(factsAt("10:00:00", null, rows))).toBe(shanghai("09:20:00"));
  });

  it("are not known where there are too many, or fewer than the service says", async () => {
    expect(await newest(factsAt("10:00:00", null, old, 5000))).toBe("unknown");
    expect(await newest(factsAt("10:00:00", null, old, 140))).toBe("unknown");
  });

  it("of the log that end in the future end now", async () => {
    const { lastEnds } = factsAt("10:00:00", null);
    expect(await lastEnds(["7"], 0)).toEqual(new Map([["7", shanghai("10:00:00")]]));
  });
});
