import { describe, expect, it } from "vitest";
import { appendRows, eventRow, tempStore } from "../tempStore.ts";
import { databases } from "../databases.ts";

describe.each(databases)("The store of open calls on %s", (_, { create }) => {
  const opened = async () => tempStore((await create()).url);

  it("keeps the end of the searched range and the time of the last search apart", async () => {
    const { openCalls } = await opened();
    expect(await openCalls.searchState()).toEqual({ searchedThrough: null, lastSearch: null, lastComplete: null });
    await openCalls.saveSearchState({ searchedThrough: "2026-11-20T09:30:00.000Z" });
    await openCalls.saveSearchState({ lastSearch: "2026-11-20T09:31:00.000Z" });
    await openCalls.saveSearchState({ searchedThrough: "2026-11-20T09:32:00.000Z" });
    await openCalls.saveSearchState({ lastComplete: "2026-11-20T09:33:00.000Z" });
    expect(await openCalls.searchState()).toEqual({
      searchedThrough: "2026-11-20T09:32:00.000Z",
      lastSearch: "2026-11-20T09:31:00.000Z",
      lastComplete: "2026-11-20T09:33:00.000Z",
    });
  });

  it("lists open calls by the start that was seen first", async () => {
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

  it("drops a call once its event is in the log", async () => {
    const { openCalls, events } = await opened();
    const startAt = "2026-11-20T09:02:00.000Z";
    await openCalls.add([
      { sessionId: "ended", startAt },
      { sessionId: "going on", startAt },
    ]);
    await appendRows(events, [eventRow({ sessionId: "ended" })]);
    expect((await openCalls.openCalls()).map(({ sessionId }) => sessionId)).toEqual(["going on"]);
    expect(await openCalls.findWithoutEvent(["ended", "going on", "unknown"])).toEqual(
      new Set(["going on", "unknown"]),
    );
    expect(await openCalls.findWithoutEvent([])).toEqual(new Set());
  });
});
