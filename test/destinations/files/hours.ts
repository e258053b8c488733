// A destination that gets files of hours, on both databases: when an hour is handed over, and what a restart, a pause and a failure do to it.
import { describe, expect, it } from "vitest";
import type { Store } from "../../../src/store/store.ts";
import { appendAll, logOver, names, NOW } from "../../events/callEnded.ts";
import type { DatabaseUnderTest } from "../../store/databases.ts";
import { tempStore } from "../../store/tempStore.ts";
import { until } from "../../support/until.ts";
import { failed, QUICK } from "../world.ts";
import { hand, HOUR_MS, refusing, type World } from "./handing.ts";

const by = { actor: "admin", at: "2026-11-20T09:30:00.000Z" };

export function hoursContract({ create }: DatabaseUnderTest): void {
  async function opened(): Promise<World & { state(): ReturnType<Store["destinations"]["read"]> }> {
    const clock = { now: NOW };
    const store = await tempStore((await create()).url);
    const events = await logOver(store.events, { clock: () => clock.now });
    return { clock, store, events, state: () => store.destinations.read("crm") };
  }
  let passed = 0;
  /** Hands over another hour meanwhile: by then it has read all that was in the log, and has handed over what is due. */
  async function passOn({ clock, events }: World, handing: ReturnType<typeof hand>): Promise<void> {
    const { now } = clock;
    passed += 1;
    const name = `earlier${passed}`;
    clock.now = now - 5 * HOUR_MS;
    await appendAll(events, [name]);
    clock.now = now;
    await until(() => handing.taken.some((text) => text.endsWith(` ${name}`)));
  }

  describe("A destination that gets files", () => {
    it("gets an hour when it is over by a minute, in the order of the log, and late calls of it afterwards", async () => {
      const world = await opened();
      const handing = hand(world);
      for (const name of names(0, 10)) await appendAll(world.events, [name]);
      world.clock.now = Date.parse("2026-11-20T10:00:59.999Z");
      await appendAll(world.events, ["next"]);
      await passOn(world, handing);
      expect(handing.taken).toHaveLength(1);
      world.clock.now += 1;
      await until(() => handing.taken.length === 2);
      world.clock.now = NOW;
      await appendAll(world.events, ["late"]);
      world.clock.now = Date.parse("2026-11-20T10:30:00.000Z");
      await until(() => handing.taken.length === 3);
      world.clock.now += HOUR_MS;
      await until(() => handing.taken.length === 4);
      expect(handing.taken.slice(1)).toEqual([`09: ${names(0, 10).join(" ")}`, "09: late", "10: next"]);
      await until(async () => (await world.state())?.delivered === 13);
    });

    it("gets an hour whole after a restart and a pause in its midst", async () => {
      const world = await opened();
      const first = hand(world);
      await appendAll(world.events, ["a"]);
      await passOn(world, first);
      await first.stop();
      await appendAll(world.events, ["b"]);
      const second = hand(world);
      await passOn(world, second);
      await world.store.destinations.change("crm", { state: "PAUSED", cursor: null }, by);
      await appendAll(world.events, ["c"]);
      await world.store.destinations.change("crm", { state: "ACTIVE", cursor: null }, by);
      await passOn(world, second);
      world.clock.now += HOUR_MS;
      await until(() => second.taken.includes("09: a b c"));
      expect(first.taken.filter((text) => text.startsWith("09"))).toEqual([]);
      await until(async () => (await world.state())?.cursor === world.events.markHead()());
    });

    it("gets earlier hours one after the other, each once", async () => {
      const world = await opened();
      for (const hour of [3, 2, 1]) {
        world.clock.now = NOW - hour * HOUR_MS;
        await appendAll(world.events, [`a${hour}`]);
        await appendAll(world.events, [`b${hour}`]);
      }
      world.clock.now = NOW;
      const handing = hand(world);
      await until(() => handing.taken.length === 3);
      expect(handing.taken).toEqual(["06: a3 b3", "07: a2 b2", "08: a1 b1"]);
    });

    it("gets an hour again until it is taken, and the next one after it", async () => {
      const world = await opened();
      await appendAll(world.events, ["a"]);
      world.clock.now += HOUR_MS;
      await appendAll(world.events, ["b"]);
      world.clock.now += HOUR_MS;
      let isAway = true;
      const handing = hand(world, () => (isAway ? failed() : []));
      await until(() => handing.attempts() > 3);
      expect(await world.state()).toMatchObject({
        state: "ACTIVE",
        failingSince: "2026-11-20T11:30:00.000Z",
        delivered: 0,
      });
      isAway = false;
      await until(() => handing.taken.length === 2);
      expect(handing.taken).toEqual(["09: a", "10: b"]);
      await until(async () => (await world.state())?.failures === 0);
    });

    it("gets the others with order free where one event cannot be read, and that one when it can", async () => {
      const world = await opened();
      for (const name of ["a", "bad", "b"]) await appendAll(world.events, [name]);
      world.clock.now += HOUR_MS * 2;
      let answer = refusing("bad", false);
      const handing = hand(world, (...asked) => answer(...asked));
      await until(async () => (await world.store.destinations.letterCounts()).get("crm")?.waiting === 1);
      expect(handing.taken).toEqual(["09: a b"]);
      await until(async () => (await world.state())?.cursor === world.events.markHead()());
      expect(await world.state()).toMatchObject({ state: "ACTIVE", failures: 0 });
      answer = () => [];
      await until(() => handing.taken.includes("09: bad"));
      await until(async () => (await world.store.destinations.letterCounts()).size === 0);
    });

    it("waits with order strict at an event that cannot be read, with those before it written", async () => {
      const world = await opened();
      for (const name of ["a", "bad", "b"]) await appendAll(world.events, [name]);
      world.clock.now += HOUR_MS * 2;
      let answer = refusing("bad", true);
      const handing = hand(world, (...asked) => answer(...asked), { order: "strict" });
      await until(() => handing.attempts() > 3);
      expect(handing.taken).toEqual(["09: a"]);
      answer = () => [];
      await until(async () => (await world.state())?.delivered === 3);
      expect(handing.taken).toEqual(["09: a", "09: bad b"]);
    });

    it("gets an event of the future when it has waited for an hour", async () => {
      const world = await opened();
      world.clock.now = NOW + 240 * HOUR_MS;
      await appendAll(world.events, ["ahead"]);
      world.clock.now = NOW;
      const handing = hand(world, () => [], { times: { ...QUICK, hourEndMs: 20 } });
      await until(() => handing.taken.includes("09: ahead"));
      await until(async () => (await world.state())?.cursor === world.events.markHead()());
      expect(handing.taken).toEqual(["09: ahead"]);
    });

    it("is disabled when it is gone, and its events wait in the log", async () => {
      const world = await opened();
      await appendAll(world.events, ["a"]);
      world.clock.now += HOUR_MS * 2;
      const handing = hand(world, () => ({ outcome: "gone", status: 410, text: null }));
      await until(async () => (await world.state())?.state === "DISABLED");
      expect([handing.attempts(), (await world.state())?.delivered]).toEqual([1, 0]);
    });

    it("passes over an event that is erased before its hour is over", async () => {
      const world = await opened();
      await appendAll(world.events, ["a"]);
      await appendAll(world.events, ["b"]);
      world.clock.now += HOUR_MS * 2;
      const handing = hand(world, (_, events) => events.slice(0, 1).map((event) => ({ event, why: null })));
      await until(async () => (await world.state())?.skipped === 1);
      expect(handing.taken).toEqual(["09: b"]);
      await until(async () => (await world.state())?.delivered === 1);
    });

    it("gets what a destination of its name had kept as letters", async () => {
      const world = await opened();
      await appendAll(world.events, ["a"]);
      const { events, store } = world;
      await store.destinations.begin("crm", events.markHead()());
      const answer = { at: by.at, status: 500, text: null };
      expect(await store.destinations.keepLetter("crm", 1, { answer, waitMs: 0 })).toBe(true);
      world.clock.now += HOUR_MS * 2;
      const handing = hand(world);
      await until(async () => (await store.destinations.letterCounts()).size === 0);
      expect(handing.taken).toEqual(["09: a"]);
    });
  });
}
