// Destinations that change their place: to another gateway, another name, out of the file and back.
import { describe, expect, it } from "vitest";
import { appendAll, callEnded, names } from "../events/callEnded.ts";
import type { DatabaseUnderTest } from "../store/databases.ts";
import { tempDatabase } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { deliver, destination, failed, gatewayOn, shortLeases, TAKEN } from "./world.ts";

export function handoverContract({ name, create }: DatabaseUnderTest): void {
  const opened = async () => {
    const { url } = await create();
    return { url, ...(await gatewayOn(url)) };
  };

  describe("A destination", () => {
    // A SQLite file has one gateway.
    it.runIf(name === "PostgreSQL")(
      "is left at once by a gateway that loses the lease while it sends, and another one sends the event",
      async () => {
        const gateway = await opened();
        await appendAll(gateway.events, ["a"]);
        let isLeft = false;
        const hanging = (_: unknown, __: number, signal: AbortSignal) =>
          new Promise<never>((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              isLeft = true;
              reject(signal.reason as Error);
            });
          });
        const leases = await shortLeases(gateway.url);
        const first = deliver(gateway, { answer: hanging, deps: { leases } });
        await until(() => first.attempts.length === 1);
        const { db } = await tempDatabase(gateway.url);
        await db
          .updateTable("leases")
          .set({ holder: "another", expires_at: Date.now() + 60_000 })
          .execute();
        await until(() => isLeft);
        await db.deleteFrom("leases").execute();
        const second = deliver(await gatewayOn(gateway.url), { answer: () => TAKEN });
        await first.stop();
        await until(() => second.taken.length === 1);
        expect(second.taken).toEqual(["a"]);
      },
    );

    it("does not get imported calls unless it asks for them", async () => {
      const gateway = await opened();
      await gateway.events.append(callEnded({ sessionId: "imported" }), "IMPORTED");
      await appendAll(gateway.events, ["live"]);
      const without = deliver(gateway, { own: { name: "without" } });
      const all = deliver(gateway, { own: { name: "all", imported: true } });
      await until(() => without.taken.includes("live") && all.taken.includes("live"));
      expect([without.taken, all.taken]).toEqual([["live"], ["imported", "live"]]);
    });

    // Failed events were sent to endpoints that were deleted: https://github.com/keygen-sh/keygen-api/issues/139
    it("that leaves the file gets no letter any more, and its letters when it comes back", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, ["a"]);
      let current = [destination({ order: "free" })];
      let changed: () => void = () => undefined;
      const onChange = (listener: () => void) => {
        changed = listener;
        return () => undefined;
      };
      let isBack = false;
      const answer = () => (isBack ? TAKEN : failed());
      const file = { current: () => current, onChange };
      const { attempts, taken } = deliver(gateway, { answer, deps: { file } });
      const letters = async () => (await gateway.store.destinations.letterCounts()).get("crm")?.waiting ?? 0;
      await until(async () => attempts.length > 2 && (await letters()) === 1);
      current = [destination({ name: "other", from: "now" })];
      changed();
      await until(async () => (await gateway.store.destinations.read("other")) !== null);
      const before = attempts.length;
      isBack = true;
      await appendAll(gateway.events, ["b"]);
      await until(() => taken.includes("b"));
      expect([attempts.length - before, await letters()]).toEqual([1, 1]);
      current = [destination({ order: "free" })];
      changed();
      await until(() => taken.includes("a"));
      await until(async () => (await letters()) === 0);
    });

    it("goes on where it was when it comes back into the file, and begins anew under another name", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, names(0, 2));
      let current = [destination()];
      let changed: () => void = () => undefined;
      const onChange = (listener: () => void) => {
        changed = listener;
        return () => undefined;
      };
      const file = { current: () => current, onChange };
      const { taken } = deliver(gateway, { deps: { file } });
      await until(async () => (await gateway.store.destinations.read("crm"))?.delivered === 2);
      current = [];
      changed();
      await appendAll(gateway.events, ["meanwhile"]);
      current = [destination({ name: "erp" })];
      changed();
      await until(async () => (await gateway.store.destinations.read("erp"))?.delivered === 3);
      current = [destination()];
      changed();
      await until(async () => (await gateway.store.destinations.read("crm"))?.delivered === 3);
      expect(taken.filter((each) => each === "meanwhile")).toHaveLength(2);
      expect(taken.filter((each) => each === "s0")).toHaveLength(2);
    });
  });
}
