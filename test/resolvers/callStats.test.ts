import { describe, expect, it } from "vitest";
import type { SlotTally } from "../../src/resolvers/timeline.ts";
import type { QueryOwner } from "../../src/store/scheduling/queryOwner.ts";
import type { StatsStore } from "../../src/store/events/statsStore.ts";
import { codes, pipeline } from "../graphql/pipeline.ts";
import { task } from "./world.ts";

/** Records which parts are queried. */
function counting(minutes: readonly SlotTally[] = []) {
  const asked: string[] = [];
  const part = <T>(name: string, answer: T) => {
    return (queryOwner: QueryOwner, ...about: unknown[]) =>
      queryOwner.once([name, about], async () => {
        asked.push(name);
        return answer;
      });
  };
  const tally = { calls: 2, answered: 1 };
  const stats: StatsStore = {
    totals: part("totals", { ...tally, since: null, withoutHangup: 0, duration: 3, billsec: 4 }),
    numbers: part("numbers", { called: 2, reached: 1 }),
    byHangupReason: part("byHangupReason", [{ ...tally, reason: null }]),
    byHangupSide: part("byHangupSide", [{ ...tally, side: "caller" }]),
    byTask: part("byTask", [
      { ...tally, taskId: "7" },
      { ...tally, taskId: null },
    ]),
    byAssistant: part("byAssistant", []),
    byTime: async (_reader, _filter, slot) =>
      minutes.filter(({ minute }) => slot === "minute" || minute.endsWith("00")),
    arrivals: part("arrivals", []),
    unreadable: part("unreadable", []),
    entries: part("entries", { events: 0, reconciled: 0 }),
  };
  const { run, askedTasks } = pipeline({ own: { stats }, tasks: { 7: task({ name: "Reminder" }) } });
  return { run, asked, askedTasks };
}

describe("callStats queries", () => {
  it("queries nothing if no part is selected", async () => {
    const { run, asked } = counting();
    await run("{ callStats { __typename } }");
    expect(asked).toEqual([]);
  });

  it("queries each part once for all of its fields", async () => {
    const { run, asked } = counting();
    await run("{ callStats { since calls answered totalDuration totalBillsec numbersCalled numbersReached } }");
    expect(asked.sort()).toEqual(["numbers", "totals"]);
  });

  it("queries the calls of a task for Task.callStats", async () => {
    const { run, asked, askedTasks } = counting();
    const result = await run("{ callStats { byTask { taskId task { name callStats { calls } } } } }");
    expect(result.data).toEqual({
      callStats: {
        byTask: [
          { taskId: "7", task: { name: "Reminder", callStats: { calls: 2 } } },
          { taskId: null, task: null },
        ],
      },
    });
    expect(asked).toEqual(["byTask", "totals"]);
    expect(askedTasks).toEqual(["7"]);
  });
});

describe("a timeline", () => {
  const minutes = Array.from({ length: 10_001 }, (_, at) => ({
    minute: new Date(at * 60_000).toISOString().slice(0, 16),
    calls: 1,
    answered: 1,
  }));

  it("may have 10,000 minutes, and is refused with one more unless its buckets are hours", async () => {
    const ask = async (count: number, bucket: string) =>
      counting(minutes.slice(0, count)).run(`{ callStats { timeline(bucket: ${bucket}, timeZone: "UTC") { calls } } }`);
    expect(codes((await ask(10_000, "MINUTE")).errors)).toEqual([]);
    expect(codes((await ask(10_001, "MINUTE")).errors)).toEqual(["QUERY_TOO_COMPLEX"]);
    const { data, errors } = await ask(10_001, "HOUR");
    expect(codes(errors)).toEqual([]);
    expect((data as { callStats: { timeline: object[] } }).callStats.timeline).toHaveLength(167);
  });
});
