import { describe, expect, it } from "vitest";
import { callEndedEvent } from "../../support/events.ts";
import { until } from "../../support/until.ts";
import type { ReactPage } from "./browser.ts";
import { createWorld, hasBrowser } from "./world.ts";

interface Live {
  items: { type: string; cursor: string; call: { sessionId: string } }[];
  error: { code: string } | null;
}

describe.skipIf(!hasBrowser)("useCallEnded under StrictMode", () => {
  const world = createWorld();
  const deliver = (session_id: string, own: object = {}) =>
    world.gateway.deliver(callEndedEvent({ session_id, ...own }));
  const live = async (page: ReactPage) => (await page.run("result")) as Live;
  const sessions = async (page: ReactPage) => (await live(page)).items.map(({ call }) => call.sessionId);
  const expectShown = (page: ReactPage, expected: readonly string[]) =>
    until(async () => JSON.stringify(await sessions(page)) === JSON.stringify(expected));
  const isLive = (page: ReactPage) => until(async () => (await page.run("state")) === "live");

  interface Newest {
    callEndedEvents: { headCursor: string; nodes: { cursor: string; sessionId: string }[] };
  }
  async function newest(first: number) {
    const query = `{ callEndedEvents(first: ${first}, order: NEWEST_FIRST) { headCursor nodes { cursor sessionId } } }`;
    return (await world.gateway.ask<Newest>(query)).data?.callEndedEvents;
  }

  it("shows each ended call once, the newest first, and keeps no more than its limit", async () => {
    await using page = await world.open();
    await page.run("mount", "live", { limit: 2 });
    await isLive(page);
    for (const session of ["once-1", "once-2", "once-3"]) await deliver(session);
    await expectShown(page, ["once-3", "once-2"]);
    expect(page.problems).toEqual([]);
  });

  it("opens one socket, and leaves none open after it was unmounted", async () => {
    await using page = await world.open();
    await page.run("mount", "live");
    await isLive(page);
    expect(page.sockets()).toBe(1);
    await page.run("unmount");
    await until(() => page.sockets() === 0);
    expect(await page.run("state")).toBe("idle");
  });

  it("begins with the events of a page and goes on behind its head", async () => {
    for (const session of ["page-1", "page-2"]) await deliver(session);
    const initial = await newest(2);
    await deliver("page-3");
    await using page = await world.open();
    await page.run("mount", "live", { initial });
    await expectShown(page, ["page-3", "page-2", "page-1"]);
    await deliver("page-4");
    await expectShown(page, ["page-4", "page-3", "page-2", "page-1"]);
    expect((await live(page)).error).toBeNull();
  });

  it("begins a new list with another filter, over the same socket", async () => {
    const after = (await newest(1))?.headCursor;
    await deliver("filter-1", { task_id: 71 });
    await deliver("filter-2", { task_id: 72 });
    await using page = await world.open();
    await page.run("mount", "live", { after, filter: { taskIds: ["71"] } });
    await expectShown(page, ["filter-1"]);
    await page.run("update", { after, filter: { taskIds: ["72"] } });
    await expectShown(page, ["filter-2"]);
    await deliver("filter-3", { task_id: 71 });
    await deliver("filter-4", { task_id: 72 });
    await expectShown(page, ["filter-4", "filter-2"]);
    expect(page.sockets()).toBe(1);
  });

  it("goes on with equal options in new objects, and with another limit", async () => {
    const after = (await newest(1))?.headCursor;
    await using page = await world.open();
    await page.run("mount", "live", { after, filter: { taskIds: ["81"] } });
    await deliver("equal-1", { task_id: 81 });
    await deliver("equal-2", { task_id: 81 });
    await expectShown(page, ["equal-2", "equal-1"]);
    await page.run("update", { after, filter: { taskIds: ["81"] }, limit: 1 });
    await expectShown(page, ["equal-2"]);
    await deliver("equal-3", { task_id: 81 });
    await expectShown(page, ["equal-3"]);
  });

  it("misses nothing while it is paused", async () => {
    await using page = await world.open();
    await page.run("mount", "live");
    await isLive(page);
    await deliver("pause-1");
    await expectShown(page, ["pause-1"]);
    await page.run("update", { paused: true });
    await until(() => page.sockets() === 0);
    await deliver("pause-2");
    await page.run("update", {});
    await expectShown(page, ["pause-2", "pause-1"]);
  });

  it("misses nothing that ended before its first event, while it was paused", async () => {
    await using page = await world.open();
    await page.run("mount", "live");
    await isLive(page);
    await page.run("update", { paused: true });
    await until(() => page.sockets() === 0);
    await deliver("early-1");
    await page.run("update", {});
    await expectShown(page, ["early-1"]);
  });

  it("shows why the stream ended, and starts it again", async () => {
    await using page = await world.open();
    await page.run("mount", "live", { after: "no cursor" });
    const failed = await until(async () => (await live(page)).error);
    expect(failed.code).toBe("CURSOR_INVALID");
    const renders = await page.run("renders");
    await page.run("call", "retry");
    await until(async () => (await page.run("renders")) > renders && (await live(page)).error !== null);
  });
});
