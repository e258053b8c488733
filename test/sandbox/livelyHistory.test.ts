// A lively history: what somebody sees who starts the sandbox at any hour.
import { describe, expect, it } from "vitest";
import { createAssistants } from "../../sandbox/src/world/assistants.ts";
import { createHistory } from "../../sandbox/src/world/history.ts";
import { isOver, type Call } from "../../sandbox/src/world/model.ts";
import { createTimeZoneWatch } from "../../src/webhook/timeZoneWatch.ts";
import { instantOf } from "../../src/format/instant.ts";
import { at, ZONE } from "./support.ts";

const SIZE = { tasks: 40, calls: 4000, days: 7, isLively: true };
const HOUR = 3_600_000;
const MINUTE = 60_000;

function historyAt(time: string, seed = 1) {
  const now = at(`2026-11-20 ${time}`);
  const { all: assistants, inbound } = createAssistants(seed, now);
  let sessions = 0;
  const session = () => `s${(sessions += 1)}`;
  const { tasks, calls } = createHistory(SIZE, { seed, now, timeZone: ZONE, assistants, inbound, session });
  return { now, tasks, calls };
}
const endedWithin = (calls: readonly Call[], from: number, to: number) =>
  calls.filter(({ endAt }) => endAt !== null && endAt > from && endAt <= to);
const shareOf = (calls: readonly Call[], fits: (call: Call) => boolean) => calls.filter(fits).length / calls.length;
const isAnswered = ({ answerAt }: Call) => answerAt !== null;

describe.each(["00:00:30", "03:40:00", "10:00:00", "15:00:00", "23:59:59"])("A lively history at %s", (time) => {
  const { now, tasks, calls } = historyAt(time);

  it("has calls of a week, up to this minute, and none of the future", () => {
    expect(calls.length).toBeGreaterThan(3800);
    expect(calls.length).toBeLessThan(5200);
    for (let day = 1; day < 6; day += 1)
      expect(endedWithin(calls, now - (day + 1) * 24 * HOUR, now - day * 24 * HOUR).length).toBeGreaterThan(200);
    for (let minute = 0; minute < 60; minute += 5)
      expect(endedWithin(calls, now - (minute + 5) * MINUTE, now - minute * MINUTE).length).toBeGreaterThan(5);
    expect(calls.every(({ startAt, endAt }) => endAt !== null && endAt <= now && startAt <= endAt)).toBe(true);
  });

  it("has three running tasks with consistent counts, which go on, and finished and waiting ones", () => {
    const running = tasks.filter(({ status }) => status === "running");
    expect(running).toHaveLength(3);
    for (const task of running) {
      expect(task.items.length).toBeGreaterThan(100);
      expect(task.total).toBe(task.done + task.items.length);
    }
    expect(tasks.filter(({ status }) => status === "pending").length).toBeGreaterThan(0);
    expect(tasks.filter(isOver).length).toBeGreaterThan(30);
  });

  it("has answers, reasons and sides of both kinds in plausible shares", () => {
    const outbound = calls.filter(({ direction }) => direction === "outbound");
    expect(shareOf(outbound, isAnswered)).toBeGreaterThan(0.42);
    expect(shareOf(outbound, isAnswered)).toBeLessThan(0.65);
    for (const reason of ["busy", "no answer", "rejected", "failed"])
      expect(shareOf(outbound, ({ hangupReason }) => hangupReason === reason)).toBeGreaterThan(0.03);
    expect(shareOf(calls, ({ hangupSide }) => hangupSide === "caller")).toBeGreaterThan(0.3);
    expect(shareOf(calls, ({ hangupSide }) => hangupSide === "callee")).toBeGreaterThan(0.3);
  });

  it("has a recording of each new call, and of few older ones on each day", () => {
    const recorded = calls.filter((call) => call.isRecorded && isAnswered(call));
    const recent = endedWithin(calls, now - 8 * MINUTE, now).filter(isAnswered);
    expect(recent.every(({ isRecorded }) => isRecorded)).toBe(true);
    expect(recorded.length).toBeLessThan(400);
    for (let day = 1; day < 6; day += 1)
      expect(endedWithin(recorded, now - (day + 1) * 24 * HOUR, now - day * 24 * HOUR).length).toBeGreaterThan(2);
  });
});

describe("A lively history that is told at once", () => {
  it.each([1, 2, 3, 4, 5, 6])("does not look like a wrong time zone: seed %d", (seed) => {
    for (const time of ["04:00:00", "11:20:00", "18:45:00"]) {
      const { now, calls } = historyAt(time, seed);
      const lines: unknown[] = [];
      const log = { error: (...line: unknown[]) => lines.push(line), info: () => undefined };
      const watch = createTimeZoneWatch({ timeZone: ZONE, log });
      const told = calls.toSorted((a, b) => (a.endAt ?? 0) - (b.endAt ?? 0));
      for (const [index, { endAt }] of told.entries()) watch.observe(now + index, instantOf(endAt ?? 0));
      expect(lines).toEqual([]);
    }
  });
});
