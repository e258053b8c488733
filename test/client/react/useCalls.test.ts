import { describe, expect, it } from "vitest";
import { until } from "../../support/until.ts";
import type { ReactPage } from "./browser.ts";
import { createWorld, hasBrowser } from "./world.ts";

interface Listed {
  calls: { sessionId: string }[];
  loading: boolean;
  error: { code: string } | null;
  hasMore: boolean;
  totalCount: number | null;
  headCursor: string | null;
}

const RANGE = { since: "2026-02-01T00:00:00Z", until: "2026-02-02T00:00:00Z" };
const CALLS = Array.from({ length: 5 }, (_, at) => ({
  sessionId: `listed-${at}`,
  direction: at === 0 ? ("inbound" as const) : ("outbound" as const),
  startAt: `2026-02-01 09:0${9 - at}:00`,
}));

describe.skipIf(!hasBrowser)("useCalls under StrictMode", () => {
  const world = createWorld();
  const seed = () => world.sandbox.control.seed({ calls: CALLS });
  const list = async (page: ReactPage) => (await page.run("result")) as Listed;
  const loaded = (page: ReactPage) =>
    until(async () => {
      const now = await list(page);
      return !now.loading && now;
    });
  const requests = () => world.sandbox.control.requests().filter(({ path }) => path === "/openapi/calllog").length;

  it("shows the first page, then one more for each loadMore, however often it is called", async () => {
    seed();
    await using page = await world.open();
    await page.run("mount", "calls", { filter: RANGE, first: 2 });
    const first = await loaded(page);
    expect(first).toMatchObject({ hasMore: true, totalCount: 5, error: null });
    expect(first.headCursor).toEqual(expect.any(String));
    for (const count of [4, 5]) {
      await page.browser.evaluate(() => {
        const { page } = globalThis as unknown as { page: { call(method: string): void } };
        page.call("loadMore");
        page.call("loadMore");
      });
      await until(async () => (await loaded(page)).calls.length === count);
    }
    const all = await list(page);
    expect(all.calls.map(({ sessionId }) => sessionId)).toEqual(CALLS.map(({ sessionId }) => sessionId));
    expect(all).toMatchObject({ hasMore: false, headCursor: first.headCursor });
    const before = requests();
    await page.run("call", "loadMore");
    await page.run("call", "refetch");
    await until(async () => (await loaded(page)).calls.length === 2);
    expect(requests() - before).toBeLessThanOrEqual(1);
    expect(page.problems).toEqual([]);
  });

  it("begins a new list with another filter, and keeps none of the old calls", async () => {
    await using page = await world.open();
    await page.run("mount", "calls", { filter: RANGE });
    expect((await loaded(page)).calls).toHaveLength(5);
    await page.run("update", { filter: { ...RANGE, direction: "INBOUND" } });
    await until(async () => (await loaded(page)).totalCount === 1);
    expect((await list(page)).calls.map(({ sessionId }) => sessionId)).toEqual(["listed-0"]);
  });

  it("shows an error by its code, and recovers with refetch", async () => {
    await using page = await world.open();
    await page.run("mount", "calls", { filter: { ...RANGE, taskIds: Array.from({ length: 11 }, String) } });
    expect(await loaded(page)).toMatchObject({ calls: [], error: { code: "BAD_USER_INPUT" } });
    await page.run("update", { filter: RANGE });
    await until(async () => (await loaded(page)).error === null);
    expect((await loaded(page)).calls).toHaveLength(5);
  });
});
