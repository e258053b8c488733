import { describe, expect, it } from "vitest";
import { appendRows, eachRevises, eventRow, tempStore } from "../store/tempStore.ts";
import { databases } from "./databases.ts";

describe.each(databases)("what reconciliation keeps outlives it, on %s", (_, urlOf) => {
  const opened = async () => tempStore(await urlOf());

  it("the end of the last search, and the last search itself", async () => {
    const { openCalls } = await opened();
    expect(await openCalls.searchState()).toEqual({ searchedThrough: null, lastSearch: null });
    await openCalls.saveSearchState({ searchedThrough: "2026-11-20T09:30:00.000Z" });
    await openCalls.saveSearchState({ lastSearch: "2026-11-20T09:31:00.000Z" });
    await openCalls.saveSearchState({ searchedThrough: "2026-11-20T09:32:00.000Z" });
    expect(await openCalls.searchState()).toEqual({
      searchedThrough: "2026-11-20T09:32:00.000Z",
      lastSearch: "2026-11-20T09:31:00.000Z",
    });
  });

  it("calls going on, by their start, each as it was first seen", async () => {
    const { openCalls } = await opened();
    await openCalls.add([]);
    await openCalls.add([
      { sessionId: "b", startAt: "2026-11-20T09:02:00.000Z" },
      { sessionId: "a", startAt: "2026-11-20T09:01:00.000Z" },
    ]);
    await openCalls.add([{ sessionId: "b", startAt: "2026-11-20T09:00:00.000Z" }]);
    expect((await openCalls.openCalls()).map(({ sessionId }) => sessionId)).toEqual(["a", "b"]);
    await openCalls.delete([]);
    await openCalls.delete(["a", "unknown"]);
    expect(await openCalls.openCalls()).toEqual([{ sessionId: "b", startAt: "2026-11-20T09:02:00.000Z" }]);
  });

  it("and not those whose event came", async () => {
    const { openCalls, events } = await opened();
    const startAt = "2026-11-20T09:02:00.000Z";
    await openCalls.add([
      { sessionId: "came", startAt },
      { sessionId: "going on", startAt },
    ]);
    await appendRows(events, [eventRow({ sessionId: "came" })]);
    expect((await openCalls.openCalls()).map(({ sessionId }) => sessionId)).toEqual(["going on"]);
    expect(await openCalls.findWithoutEvent(["came", "going on", "unknown"])).toEqual(new Set(["going on", "unknown"]));
    expect(await openCalls.findWithoutEvent([])).toEqual(new Set());
  });

  it("counts the calls that reconciliation told first", async () => {
    const { openCalls, events } = await opened();
    const rows = [
      eventRow({ sessionId: "a", source: "RECONCILED" }),
      eventRow({ sessionId: "a", source: "WEBHOOK" }),
      eventRow({ sessionId: "b", source: "WEBHOOK" }),
      eventRow({ sessionId: "c", source: "RECONCILED" }),
    ];
    await appendRows(events, rows, eachRevises);
    expect(await openCalls.countReconciled()).toBe(2);
  });
});
