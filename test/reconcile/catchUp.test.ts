import { describe, expect, it } from "vitest";
import { instantOf } from "../../src/format/instant.ts";
import { until } from "../support/until.ts";
import { appendedSessions, call, createWorld, HOUR, MINUTE, NOW } from "./service.ts";

const DAY = 24 * HOUR;
const searchedUntil = (time: number) => ({
  searchedThrough: instantOf(time),
  lastSearch: instantOf(time),
  lastComplete: null,
});

describe("B61: a search that catches up", () => {
  it("sends the service its allowance of requests, then waits, and can be stopped meanwhile", async () => {
    const world = createWorld({ calls: [], catchUp: { burst: 5, perSecond: 1e-6 } });
    world.state = searchedUntil(NOW - 100 * DAY);
    const stopped = new AbortController();
    const searching = world.search(HOUR, stopped.signal);
    await until(() => world.requests.length === 5);
    stopped.abort(new Error("stopped"));
    await expect(searching).rejects.toThrow();
    expect(world.requests).toHaveLength(5);
    expect(Date.parse(world.state.searchedThrough ?? "")).toBe(NOW - 90 * DAY + 5 * HOUR);
  });

  it("does not spend the allowance on the range that ends now", async () => {
    const world = createWorld({ calls: [call("s", -30, 1)], catchUp: { burst: 0, perSecond: 1e-6 } });
    world.state = searchedUntil(NOW - 10 * MINUTE);
    await world.search();
    expect(appendedSessions(world)).toEqual(["s"]);
  });

  it("searches everything again that a clock 100 days ahead called searched", async () => {
    const world = createWorld({ calls: [call("long ago", -60 * 24 * 60, 1), call("s", -300, 1)] });
    world.state = searchedUntil(NOW + 100 * DAY);
    await world.search();
    expect(appendedSessions(world)).toEqual(["long ago", "s"]);
    expect(world.state.searchedThrough).toBe(instantOf(NOW));
  });
});
