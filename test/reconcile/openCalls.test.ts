import { describe, expect, it } from "vitest";
import { searchOpenCalls } from "../../src/reconcile/searchCallLog.ts";
import { instantOf } from "../../src/format/instant.ts";
import { call, createWorld, HOUR, MINUTE, NOW, appendedSessions } from "./service.ts";

const open = (startsMin: readonly number[]) =>
  startsMin.map((startMin) => ({ sessionId: String(startMin), startAt: instantOf(NOW + startMin * MINUTE) }));

describe("a call that is open in one search", () => {
  it("is searched for from its start until now once it started before the lookback", async () => {
    const world = createWorld({ calls: [call("long", -30, 5 * 60)] });
    await world.search();
    world.now = NOW + 4 * HOUR;
    world.requests.length = 0;
    await world.search();
    const { since, until } = world.requests.at(-1) ?? { since: "", until: "" };
    expect(Date.parse(since)).toBeLessThan(NOW - 30 * MINUTE);
    expect(Date.parse(until)).toBeGreaterThan(world.now);
    expect(world.appended).toEqual([]);

    world.now = NOW + 5 * HOUR;
    await world.search();
    expect(appendedSessions(world)).toEqual(["long"]);
    world.requests.length = 0;
    await world.search();
    await world.search();
    expect(world.requests.length).toBe(2);
  });

  it("is not searched for once its event came", async () => {
    const world = createWorld({ calls: [call("long", -30, 5 * 60)] });
    await world.search();
    expect([...world.open.keys()]).toEqual(["long"]);
    world.appended.push({ call: { sessionId: "long" } as never, source: "WEBHOOK", at: NOW });
    await world.search();
    expect(world.open.size).toBe(0);
  });

  it("is searched for from the beginning of that search if its row has no start", async () => {
    const world = createWorld({ calls: [call("long", -30, 5 * 60)], withoutStart: true });
    await world.search();
    expect(world.open.get("long")).toBe(instantOf(NOW - HOUR));
  });
});

describe("a call that never ends", () => {
  it("is given up after the retention", async () => {
    const world = createWorld({ calls: [call("endless", -30, Infinity)] });
    await world.search();
    const searchAt = async (days: number) => {
      world.now = NOW + days * 24 * HOUR;
      world.state.searchedThrough = instantOf(world.now - HOUR);
      await world.search();
      world.requests.length = 0;
      await world.search();
      return [world.open.size, world.requests.length];
    };
    expect(await searchAt(89)).toEqual([1, 2]);
    expect(await searchAt(91)).toEqual([0, 1]);
  });
});

describe("searchOpenCalls()", () => {
  /** Ranges of more than `maxMinutes` have too many rows. */
  function reader(maxMinutes: number) {
    const ranges: [number, number][] = [];
    return {
      ranges,
      read: async (from: number, to: number, maxRows?: number) => {
        ranges.push([(from - NOW) / MINUTE, (to - NOW) / MINUTE]);
        return maxRows !== undefined && to - from > maxMinutes * MINUTE ? ("tooLong" as const) : ("complete" as const);
      },
    };
  }

  it("reads one range for all calls if it is short enough", async () => {
    const { ranges, read } = reader(1000);
    expect(await searchOpenCalls(open([-500, -300, -200]), NOW, 0, read)).toBe(0);
    expect(ranges).toEqual([[-501, 0]]);
  });

  it("reads the time around the start of a call that is too old, and one range for the others", async () => {
    const { ranges, read } = reader(400);
    await searchOpenCalls(open([-9000, -300, -200]), NOW, 0, read);
    expect(ranges).toEqual([
      [-9001, 0],
      [-9001, -8999],
      [-301, 0],
    ]);
  });

  it("reads around at most twenty starts at a time, and around every start over several searches", async () => {
    const calls = open(Array.from({ length: 50 }, (_, at) => at - 9000));
    const found = new Set<number>();
    let index = 0;
    for (let search = 0; search < 3; search += 1) {
      const { ranges, read } = reader(10);
      index = await searchOpenCalls(calls, NOW, index, read);
      expect(ranges.length).toBeLessThanOrEqual(42);
      for (const [from, to] of ranges) if (to - from === 2) found.add(from + 1);
    }
    expect(found.size).toBe(50);
  });
});
