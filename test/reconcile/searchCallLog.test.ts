import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { call, createWorld, HOUR, MINUTE, NOW, appendedSessions } from "./service.ts";

/** Searches once a minute. */
async function searchFor(world: ReturnType<typeof createWorld>, minutes: number): Promise<void> {
  for (let minute = 0; minute <= minutes; minute += 1) {
    await world.search();
    world.now += MINUTE;
  }
}

describe("a search appends every ended call without an event", () => {
  const calls = fc.array(
    fc.record({
      start: fc.integer({ min: -55, max: 90 }),
      lasts: fc.integer({ min: 0, max: 200 }),
      named: fc.constantFrom(true, true, true, false),
    }),
    { maxLength: 30 },
  );
  const options = fc.record({
    order: fc.constantFrom("newest" as const, "oldest" as const, "none" as const),
    field: fc.constantFrom("start" as const, "end" as const),
    largestPage: fc.integer({ min: 1, max: 8 }),
    /** Milliseconds before each answer: calls start and end between two pages. */
    slowness: fc.integer({ min: 0, max: 9000 }),
    /** The service removes an appended call every so many requests. */
    forgets: fc.integer({ min: 2, max: 6 }),
  });

  it("once, for any order, page size and change between two pages", async () => {
    await fc.assert(
      fc.asyncProperty(calls, options, async (made, { slowness, forgets, ...service }) => {
        const all = made.map(({ start, lasts, named }, index) => call(named ? `s${index}` : null, start, lasts));
        const world = createWorld({
          calls: all,
          ...service,
          onRequest: () => {
            world.now += slowness;
            if (world.requests.length % forgets !== 0) return;
            const [gone] = appendedSessions(world).filter((id) =>
              world.calls.some(({ sessionId }) => sessionId === id),
            );
            world.calls = world.calls.filter(({ sessionId }) => gone === undefined || sessionId !== gone);
          },
        });
        while (world.now < NOW + 300 * MINUTE) {
          await world.search();
          world.now += MINUTE;
        }
        const named = all.flatMap(({ sessionId }) => sessionId ?? []);
        expect(appendedSessions(world).sort()).toEqual(named.sort());
        expect(world.open.size).toBe(0);
      }),
      { numRuns: 150 },
    );
  });

  it("in the order of ends, as RECONCILED, without the fields of webhooks", async () => {
    const world = createWorld({ calls: [call("late", -30, 20), call("early", -40, 5), call("middle", -20, 2)] });
    await world.search();
    expect(appendedSessions(world)).toEqual(["early", "middle", "late"]);
    expect(world.appended[0]).toMatchObject({
      source: "RECONCILED",
      call: {
        caller: "A068",
        duration: 60,
        taskId: "7",
        assistants: [{ assistantId: "1", versionId: "2" }],
        eventName: null,
        ringTime: null,
        hangupSide: null,
        hangupReason: null,
        recordUrl: null,
        taskItemId: null,
        extra: null,
      },
    });
  });

  it("in the first search after its end", async () => {
    const world = createWorld({ calls: [call("a", -1, 3)] });
    await searchFor(world, 5);
    expect(world.appended.map(({ at }) => at)).toEqual([NOW + 2 * MINUTE]);
  });
});

describe("a call whose end is before its start", () => {
  it("is appended if its start is within the retention", async () => {
    const end = Date.parse("1970-01-01T00:00:00.000Z");
    const world = createWorld({ calls: [{ sessionId: "odd", start: NOW - 5 * MINUTE, end }] });
    await world.search();
    expect(appendedSessions(world)).toEqual(["odd"]);
    expect(world.appended[0]?.call).toMatchObject({ endAt: instantOf(end), startAt: instantOf(NOW - 5 * MINUTE) });
  });
});

describe("a call with an open and an ended row", () => {
  it.each(["newest", "oldest"] as const)("has ended, in the order %s", async (order) => {
    const world = createWorld({ calls: [call("twice", -10, 5), call("twice", -11, 1000)], order });
    await world.search();
    expect(appendedSessions(world)).toEqual(["twice"]);
    expect(world.appended[0]?.call.endAt).toBe(instantOf(NOW - 5 * MINUTE));
  });
});

describe("a search does not append", () => {
  it("rows without a session ID, which it logs once each", async () => {
    const world = createWorld({ calls: [call(null, -30, 20), call(null, -20, 20), call("named", -20, 3)] });
    await searchFor(world, 10);
    expect(world.unnamedRows).toBe(2);
    expect(appendedSessions(world)).toEqual(["named"]);
  });

  it("an open call", async () => {
    const world = createWorld({ calls: [call("going on", -1, 30)] });
    await searchFor(world, 20);
    expect(world.appended).toEqual([]);
  });

  it("a call that ended before the retention", async () => {
    const world = createWorld({ calls: [call("forgotten", -91 * 24 * 60, 10), call("kept", -89 * 24 * 60, 10)] });
    world.state.searchedThrough = instantOf(NOW - 92 * 24 * HOUR);
    await world.search(3 * 24 * HOUR);
    expect(appendedSessions(world)).toEqual(["kept"]);
    expect(world.open.size).toBe(0);
  });

  it("a call beyond the retention after a long downtime, while it appends one just within it", async () => {
    const afterHorizon = -90 * 24 * 60 + 30;
    const world = createWorld({
      calls: [call("kept", afterHorizon, 10)],
      onRequest: () => {
        world.now += 1000;
      },
    });
    world.state.searchedThrough = instantOf(NOW - 91 * 24 * HOUR);
    await world.search();
    expect(appendedSessions(world)).toEqual(["kept"]);
  });
});

describe("a search begins one lookback before the end of the last one", () => {
  const spans = (world: ReturnType<typeof createWorld>) =>
    world.requests.map(({ since, until }) => [(Date.parse(since) - NOW) / 1000, (Date.parse(until) - NOW) / 1000]);

  it("with a second added at both ends, which may be exclusive", async () => {
    const world = createWorld({ calls: [] });
    await world.search();
    world.now += MINUTE;
    await world.search();
    expect(spans(world)).toEqual([
      [-3601, 1],
      [-3601, 61],
    ]);
    expect(world.requests[0]).toMatchObject({ pageIndex: 1, pageSize: 100, taskIds: [], kind: null, phone: null });
  });

  it("in several ranges after an outage, and stores its progress after each", async () => {
    let failing = true;
    const world = createWorld({
      calls: [call("lost at first", -9 * 60, 5), call("lost at last", -10, 5)],
      onRequest: () => {
        if (failing && world.requests.length === 4) throw new Error("the service is down");
      },
    });
    world.state.searchedThrough = instantOf(NOW - 10 * HOUR);
    await expect(world.search()).rejects.toThrow("the service is down");
    expect(appendedSessions(world)).toEqual(["lost at first"]);
    expect(world.state.searchedThrough).toBe(instantOf(NOW - 7 * HOUR));

    failing = false;
    world.requests.length = 0;
    await world.search();
    expect(world.requests.length).toBe(7);
    expect(spans(world)[0]).toEqual([-8 * 3600 - 1, -6 * 3600 + 1]);
    expect(appendedSessions(world)).toEqual(["lost at first", "lost at last"]);
    expect(world.state.searchedThrough).toBe(instantOf(NOW));
  });

  it("before now if the clock was set back", async () => {
    const world = createWorld({ calls: [] });
    world.state.searchedThrough = instantOf(NOW + 4 * HOUR);
    await world.search();
    expect(spans(world)).toEqual([[-3601, 1]]);
  });
});

describe("a search whose second page fails", () => {
  it("appends what it found and is repeated by the next search", async () => {
    const world = createWorld({
      calls: [call("a", -30, 5), call("b", -20, 5)],
      largestPage: 1,
      onRequest: ({ pageIndex }) => {
        if (pageIndex === 2 && world.requests.length <= 4) throw new Error("the service is down");
      },
    });
    await expect(world.search()).rejects.toThrow("the service is down");
    expect(world.state.searchedThrough).toBeNull();
    expect(appendedSessions(world)).toEqual(["b"]);
    await expect(world.search()).rejects.toThrow("the service is down");
    await world.search();
    expect(appendedSessions(world)).toEqual(["b", "a"]);
    expect(world.state.searchedThrough).toBe(instantOf(NOW));
  });
});

describe("a service whose total counts the rows of one page", () => {
  it.each([100, 50])("loses no call, with pages of %i", async (largestPage) => {
    const calls = Array.from({ length: 130 }, (_, at) => call(`s${at}`, -40, 5));
    const world = createWorld({
      calls,
      largestPage,
      mapPage: (page) => ({ ...page, total: page.rows.length, pageSize: 100 }),
    });
    await world.search();
    expect(appendedSessions(world).length).toBe(130);
  });
});
