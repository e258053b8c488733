// How builds of every projection follow each other, on both databases: readers get complete rows, of one version of the rule.
import { describe, expect, it } from "vitest";
import { openLog } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { appendCalls, callOf, type ProjectionUnderTest } from "./contract.ts";
import { settled, startGateway } from "./projecting.ts";

export function buildContract({ rule, rows, size }: ProjectionUnderTest): void {
  const { name } = rule();

  describe.each(databases)(`The builds of the projection ${name} on %s`, (_, { create }) => {
    const opened = async (own: Parameters<typeof rule>[0] = {}) =>
      startGateway(await tempStore((await create()).url), rule(own));

    it("gives readers no rows of its first build until that has read the whole log", async () => {
      const store = await tempStore((await create()).url);
      const before = await openLog(store.events);
      for (let at = 0; at < 10; at += 1) await before.append(callOf(at), "WEBHOOK");
      await before[Symbol.asyncDispose]();
      const gate = Promise.withResolvers<void>();
      const gateway = await startGateway(store, rule(), (own) => ({
        ...own,
        add: async (...given) => gate.promise.then(() => own.add(...given)),
      }));
      await until(async () => (await gateway.projections.builds()).length === 1);
      await expect(rows(store)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryAfter: 10 });
      gate.resolve();
      await settled(gateway, name);
      expect((await rows(store)).length).toBeGreaterThan(0);
    });

    it("never gives the number of a build to another one, whose cursor an old reader may still store", async () => {
      const { projections, readers } = await tempStore((await create()).url);
      await projections.begin(name, "one", false);
      await projections.begin(name, "two", false);
      await projections.begin(name, "one", false);
      while ((await projections.deleteRetired(name, 1000)) > 0);
      await readers.advance(`${name} 2`, "zzz");
      await projections.begin(name, "two", false);
      const building = (await projections.builds()).filter(({ state }) => state === "BUILDING");
      expect(building).toMatchObject([{ build: 3, version: "two", cursor: null }]);
      while ((await projections.deleteRetired(name, 1000)) > 0);
      expect((await projections.builds()).map(({ build }) => build)).toEqual([1, 3]);
    });

    it("gives readers the old rows until another version has read as far, and then that one's", async () => {
      const first = await opened();
      await appendCalls(first, 0, 10);
      await settled(first, name);
      const before = await rows(first.store);
      await first.stop();
      const gate = Promise.withResolvers<void>();
      const next = await startGateway(first.store, rule({ version: "next", contributionOf: () => null }), (own) => ({
        ...own,
        add: async (...given) => gate.promise.then(() => own.add(...given)),
      }));
      await until(async () => (await next.projections.builds()).some(({ state }) => state === "BUILDING"));
      expect(await rows(first.store)).toEqual(before);
      gate.resolve();
      await settled(next, name);
      expect(await rows(first.store)).toEqual([]);
      expect(await next.projections.builds()).toMatchObject([{ name, version: "next", state: "LIVE" }]);
      expect(
        [...(await first.store.readers.cursors()).keys()].filter((reader) => reader.startsWith(name)),
      ).toHaveLength(1);
    });

    it("goes back to an earlier version that starts last", async () => {
      const later = await opened({ version: "later" });
      await appendCalls(later, 0, 5);
      await settled(later, name);
      const before = await rows(later.store);
      const earlier = await startGateway(later.store, rule());
      await settled(earlier, name);
      expect(await rows(later.store)).toEqual(before);
      expect(await earlier.projections.builds()).toMatchObject([{ version: rule().version, state: "LIVE" }]);
    });

    it("makes its own build again where a gateway of another version came last, and is gone", async () => {
      const first = await opened({ version: "one" });
      await appendCalls(first, 0, 3);
      await settled(first, name);
      await first.stop();
      const { store } = first;
      const gate = Promise.withResolvers<void>();
      const second = await startGateway(store, rule({ version: "two" }), (own) => ({
        ...own,
        add: async (...given) => gate.promise.then(() => own.add(...given)),
      }));
      await until(async () => (await second.projections.builds()).some(({ state }) => state === "BUILDING"));
      await store.projections.begin(name, "one", false);
      gate.resolve();
      await appendCalls(second, 3, 6);
      const versionOfLive = async () =>
        (await second.projections.builds()).find(({ state }) => state === "LIVE")?.version;
      await until(async () => (await versionOfLive()) === "two");
      await settled(second, name);
      expect(await size(store)).toBeGreaterThan(3);
    });

    it("is made anew while events arrive, and never shows fewer of them", async () => {
      const gateway = await opened();
      await appendCalls(gateway, 0, 30);
      await settled(gateway, name);
      const over = new AbortController();
      const sizes: number[] = [];
      const watching = (async () => {
        while (!over.signal.aborted) sizes.push(await size(gateway.store));
      })();
      expect(await gateway.projections.rebuild(name)).toBe(true);
      await appendCalls(gateway, 30, 60);
      await settled(gateway, name);
      over.abort();
      await watching;
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
      expect(sizes[0]).toBeGreaterThan(0);
      const alone = await opened();
      await appendCalls(alone, 0, 60);
      await settled(alone, name);
      expect(await rows(gateway.store)).toEqual(await rows(alone.store));
    });
  });
}
