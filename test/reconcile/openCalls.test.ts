import { describe, expect, it } from "vitest";
import { lookForOpenCalls } from "../../src/reconcile/lookForOpenCalls.ts";
import { instantOf } from "../../src/format/instant.ts";
import { call, createWorld, HOUR, MINUTE, NOW, sessionsTold } from "./service.ts";

const open = (startsMin: readonly number[]) =>
  startsMin.map((startMin) => ({ sessionId: String(startMin), startAt: instantOf(NOW + startMin * MINUTE) }));

describe("a call that goes on is looked for until it ended, however long", () => {
  it("once its start is out of the ordinary search, the range is widened to hold both its start and now", async () => {
    const world = createWorld({ calls: [call("long", -30, 5 * 60)] });
    await world.search();
    world.now = NOW + 4 * HOUR;
    world.asked.length = 0;
    await world.search();
    const { since, until } = world.asked.at(-1) ?? { since: "", until: "" };
    expect(Date.parse(since)).toBeLessThan(NOW - 30 * MINUTE);
    expect(Date.parse(until)).toBeGreaterThan(world.now);
    expect(world.told).toEqual([]);

    world.now = NOW + 5 * HOUR;
    await world.search();
    expect(sessionsTold(world)).toEqual(["long"]);
    world.asked.length = 0;
    await world.search();
    await world.search();
    expect(world.asked.length).toBe(2);
  });

  it("but not once its event came", async () => {
    const world = createWorld({ calls: [call("long", -30, 5 * 60)] });
    await world.search();
    expect([...world.open.keys()]).toEqual(["long"]);
    world.told.push({ call: { sessionId: "long" } as never, source: "WEBHOOK", at: NOW });
    await world.search();
    expect(world.open.size).toBe(0);
  });

  it("also a call that tells no start: from where the search began that saw it", async () => {
    const world = createWorld({ calls: [call("long", -30, 5 * 60)], withoutStart: true });
    await world.search();
    expect(world.open.get("long")).toBe(instantOf(NOW - HOUR));
  });
});

describe("a call that never ends is looked for as long as events are kept, and no longer", () => {
  it("or it would cost requests and a row for ever", async () => {
    const world = createWorld({ calls: [call("endless", -30, Infinity)] });
    await world.search();
    const searchAt = async (days: number) => {
      world.now = NOW + days * 24 * HOUR;
      world.state.searchedThrough = instantOf(world.now - HOUR);
      await world.search();
      world.asked.length = 0;
      await world.search();
      return [world.open.size, world.asked.length];
    };
    expect(await searchAt(89)).toEqual([1, 2]);
    expect(await searchAt(91)).toEqual([0, 1]);
  });
});

describe("what is looked for costs a bounded number of requests", () => {
  /** Ranges of more than so many minutes hold too many rows. */
  function reader(mostMinutes: number) {
    const ranges: [number, number][] = [];
    return {
      ranges,
      read: async (from: number, to: number, mostRows?: number) => {
        ranges.push([(from - NOW) / MINUTE, (to - NOW) / MINUTE]);
        return mostRows !== undefined && to - from > mostMinutes * MINUTE ? ("tooLong" as const) : ("whole" as const);
      },
    };
  }

  it("one range holds them all where it can be read", async () => {
    const { ranges, read } = reader(1000);
    expect(await lookForOpenCalls(open([-500, -300, -200]), NOW, 0, read)).toBe(0);
    expect(ranges).toEqual([[-501, 0]]);
  });

  it("a call too long ago for that is looked for around its start, and the others still in one range", async () => {
    const { ranges, read } = reader(400);
    await lookForOpenCalls(open([-9000, -300, -200]), NOW, 0, read);
    expect(ranges).toEqual([
      [-9001, 0],
      [-9001, -8999],
      [-301, 0],
    ]);
  });

  it("where they are many, each has its turn", async () => {
    const calls = open(Array.from({ length: 50 }, (_, index) => index - 9000));
    const lookedFor = new Set<number>();
    let turn = 0;
    for (let search = 0; search < 3; search += 1) {
      const { ranges, read } = reader(10);
      turn = await lookForOpenCalls(calls, NOW, turn, read);
      expect(ranges.length).toBeLessThanOrEqual(42);
      for (const [from, to] of ranges) if (to - from === 2) lookedFor.add(from + 1);
    }
    expect(lookedFor.size).toBe(50);
  });
});
