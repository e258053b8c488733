// What every destination keeps to, on both databases.
import { describe, expect, it } from "vitest";
import { appendAll, names, NOW } from "../events/callEnded.ts";
import type { DatabaseUnderTest } from "../store/databases.ts";
import { until } from "../support/until.ts";
import { deliver, failed, gatewayOn, SOON, TAKEN } from "./world.ts";

export function deliveryContract({ create }: DatabaseUnderTest): void {
  const opened = async () => gatewayOn((await create()).url);
  const stateOf = async ({ store }: Awaited<ReturnType<typeof opened>>) => {
    const state = await store.destinations.read("crm");
    if (!state) throw new Error("The destination is not known.");
    return state;
  };
  const by = { actor: "admin", at: "2026-11-20T09:30:00.000Z" };

  describe("A destination", () => {
    it("gets each event once and in order where none fails, and goes on there after a restart", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, names(0, 30));
      const first = deliver(gateway, {});
      await until(() => first.taken.length === 30);
      await first.stop();
      await appendAll(gateway.events, ["later"]);
      const second = deliver(gateway, {});
      await until(() => second.taken.length > 0);
      expect(second.taken).toEqual(["later"]);
      expect((await stateOf(gateway)).delivered).toBeGreaterThanOrEqual(30);
    });

    it("begins at the head if it says so, and gets what came while it was stopped", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, ["before"]);
      const first = deliver(gateway, { own: { from: "now" } });
      await until(() => gateway.store.destinations.read("crm"));
      await first.stop();
      await appendAll(gateway.events, ["meanwhile"]);
      const second = deliver(gateway, { own: { from: "now" } });
      await until(() => second.taken.length > 0);
      expect(second.taken).toEqual(["meanwhile"]);
    });

    it("waits at an event that fails with order strict, also over a restart", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, ["a"]);
      await appendAll(gateway.events, ["b"]);
      const first = deliver(gateway, { answer: () => failed() });
      await until(() => first.attempts.length > 3);
      await first.stop();
      expect(new Set(first.attempts)).toEqual(new Set(["a"]));
      const { failures, failingSince, lastAnswer } = await stateOf(gateway);
      expect([failures > 2, failingSince, lastAnswer?.status, lastAnswer?.text]).toEqual([
        true,
        by.at,
        500,
        "call ****",
      ]);
      const second = deliver(gateway, {});
      await until(() => second.taken.length === 2);
      expect(second.taken).toEqual(["a", "b"]);
      await until(async () => (await stateOf(gateway)).failingSince === null);
    });

    it("goes on with order free, and sends what failed again until it is taken", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, names(0, 20));
      let isBack = false;
      const answer = ({ sessionId }: { sessionId: string }) => (sessionId === "s3" && !isBack ? failed() : TAKEN);
      const { taken, attempts } = deliver(gateway, { answer, own: { order: "free" } });
      await until(() => taken.length === 19);
      await until(() => attempts.filter((each) => each === "s3").length > 2);
      expect(await gateway.store.destinations.letters("crm", { after: 0, limit: 10 })).toMatchObject([
        { lastAnswer: { status: 500, text: "call ****" } },
      ]);
      isBack = true;
      await until(() => taken.includes("s3"));
      await until(async () => (await gateway.store.destinations.letterCounts()).size === 0);
      expect(taken.toSorted()).toEqual(names(0, 20).toSorted());
    });

    it("keeps the events of a receiver that is away in the log, also with order free", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, names(0, 200));
      let isBack = false;
      const retries = { ...SOON, delaysMs: [1, 20] as [number, number] };
      const delivering = deliver(gateway, {
        answer: () => (isBack ? TAKEN : failed()),
        own: { order: "free" },
        deps: { retries },
      });
      await until(() => delivering.attempts.length > 20);
      const waiting = (await gateway.store.destinations.letterCounts()).get("crm")?.waiting ?? 0;
      expect(waiting).toBeLessThan(100);
      isBack = true;
      await until(() => new Set(delivering.taken).size === 200);
    });

    it("is disabled by 410, keeps its place, and goes on when it is resumed", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, ["a", "b"]);
      let isGone = true;
      const answer = () => (isGone ? ({ outcome: "gone", status: 410, text: null } as const) : TAKEN);
      const { taken, attempts } = deliver(gateway, { answer });
      await until(async () => (await gateway.store.destinations.read("crm"))?.state === "DISABLED");
      expect(await stateOf(gateway)).toMatchObject({ reason: "GONE", lastAnswer: { status: 410 } });
      expect(attempts).toHaveLength(1);
      isGone = false;
      await gateway.store.destinations.change("crm", { state: "ACTIVE", cursor: null }, by);
      await until(() => taken.length === 2);
    });

    // It was tried for ever, though it should have been disabled: https://github.com/hookdeck/outpost/issues/596
    it("is disabled after three days without a success, and drops nothing", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, ["a"]);
      let now = NOW;
      const clock = () => (now += 86_400_000 / 4);
      const first = deliver(gateway, { answer: () => failed(), deps: { clock } });
      await until(async () => (await gateway.store.destinations.read("crm"))?.state === "DISABLED");
      // It would disable the destination again.
      await first.stop();
      expect(await stateOf(gateway)).toMatchObject({ reason: "FAILING", delivered: 0 });
      await gateway.store.destinations.change("crm", { state: "ACTIVE", cursor: null }, by);
      const again = deliver(gateway, {});
      await until(async () => (await stateOf(gateway)).delivered === 1);
      expect(again.taken).toEqual(["a"]);
    });

    // Events of a pause are discarded elsewhere: https://github.com/frain-dev/convoy/issues/1453
    it("stops when it is paused, and sends again from a cursor", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, ["a", "b"]);
      const { taken } = deliver(gateway, {});
      await until(() => taken.length === 2);
      await until(async () => (await stateOf(gateway)).delivered === 2);
      await gateway.store.destinations.change("crm", { state: "PAUSED", cursor: null }, by);
      await appendAll(gateway.events, ["c"]);
      const start = gateway.events.oldestCursor();
      await gateway.store.destinations.change("crm", { state: "ACTIVE", cursor: start }, by);
      await until(() => taken.filter((each) => each === "a").length > 1);
      await until(() => taken.lastIndexOf("c") > taken.lastIndexOf("a"));
      await until(async () => (await stateOf(gateway)).cursor === gateway.events.markHead()());
      expect(new Set(taken)).toEqual(new Set(["a", "b", "c"]));
    });

    it("gives up a letter after three days, and lists it", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, ["a", "b"]);
      let ofA = 0;
      const clock = () => (ofA > 1 ? NOW + 4 * 86_400_000 : NOW);
      const answer = ({ sessionId }: { sessionId: string }) => {
        if (sessionId !== "a") return TAKEN;
        ofA += 1;
        return failed();
      };
      deliver(gateway, { answer, own: { order: "free" }, deps: { clock } });
      await until(async () => (await gateway.store.destinations.letterCounts()).get("crm")?.dead === 1);
      const [letter] = await gateway.store.destinations.letters("crm", { after: 0, limit: 10 });
      expect(letter?.waitMs).toBeNull();
    });

    it("leaves out an event that was erased while it waited", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, ["a", "b"]);
      let isErased = false;
      const missing = { outcome: "missing", why: null } as const;
      const { attempts, taken } = deliver(gateway, {
        answer: ({ sessionId }) => (sessionId === "a" ? (isErased ? missing : failed()) : TAKEN),
      });
      await until(() => attempts.length > 2);
      isErased = true;
      await until(() => taken.length === 1);
      await until(async () => (await stateOf(gateway)).skipped === 1);
      expect(taken).toEqual(["b"]);
    });
  });
}
