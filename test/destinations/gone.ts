// Events that a destination cannot get any more, runs that end while they send, and leases that are held for nothing, on both databases.
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { noDestinationObserver } from "../../src/destinations/observer.ts";
import type { EventLog } from "../../src/events/eventLog.ts";
import type { Store } from "../../src/store/store.ts";
import { appendAll, callEnded, logOver } from "../events/callEnded.ts";
import type { DatabaseUnderTest } from "../store/databases.ts";
import { tempDatabase } from "../store/tempStore.ts";
import { until } from "../support/until.ts";
import { collectingLog } from "./failures.ts";
import { deliver, failed, gatewayOn, shortLeases, TAKEN } from "./world.ts";

const HOUR_MS = 3_600_000;
const by = { actor: "admin", at: "2026-11-20T09:30:00.000Z" };
const MISSING = { outcome: "missing", why: null } as const;

function collectingLosses() {
  const lost: unknown[][] = [];
  return { lost, observer: { ...noDestinationObserver, lost: (...all: unknown[]) => void lost.push(all) } };
}

export function goneContract({ name, create }: DatabaseUnderTest): void {
  const opened = async () => {
    const { url } = await create();
    const gateway = await gatewayOn(url);
    const letters = () => gateway.store.destinations.letters("crm", { after: 0, limit: 100 });
    return { url, letters, ...gateway };
  };
  const importOld = (events: EventLog, sessionId: string) =>
    events.append(callEnded({ sessionId, endAt: "2026-08-01T00:00:00.000Z" }), "IMPORTED");
  const eraseAll = (store: Store) => {
    const [all, none] = [() => true, () => false];
    const match = { number: "", event: all, delivery: all, text: none, inputLine: none };
    return store.eraser.erase(match, async () => undefined, by);
  };
  const delivered = async ({ destinations }: Store) => (await destinations.read("crm"))?.delivered ?? 0;

  describe("A destination", () => {
    it("tells of an imported call that expired while the destination waited with it", async () => {
      const { events, store } = await opened();
      const { lost, observer } = collectingLosses();
      await importOld(events, "old");
      await appendAll(events, ["new"]);
      let isGone = false;
      const answer = ({ sessionId }: { sessionId: string }) =>
        sessionId === "old" ? (isGone ? MISSING : failed()) : TAKEN;
      const { attempts, taken } = deliver({ events, store }, { answer, own: { imported: true }, deps: { observer } });
      await until(() => attempts.length > 1);
      expect(await store.events.purgeImported("2026-09-01T00:00:00.000Z", 10)).toBe(1);
      isGone = true;
      await until(() => taken.includes("new"));
      expect(lost).toEqual([["crm", "expired", 1]]);
    });

    it("tells of a letter of an imported call that expired", async () => {
      const { events, store, letters } = await opened();
      const { lost, observer } = collectingLosses();
      await importOld(events, "old");
      await store.destinations.begin("crm", events.markHead()());
      await store.destinations.keepLetter("crm", 1, { answer: { status: 500, text: null, at: by.at }, waitMs: 0 });
      await store.events.purgeImported("2026-09-01T00:00:00.000Z", 10);
      deliver({ events, store }, { own: { imported: true, order: "free" }, deps: { observer } });
      await until(async () => lost.length > 0 && (await letters()).length === 0);
      expect(lost).toEqual([["crm", "expired", 1]]);
    });

    it("keeps no letter of an erased person, and tells of no loss", async () => {
      const { events, store, letters } = await opened();
      const { log, lines } = collectingLog();
      await appendAll(events, ["a"]);
      const free = { order: "free" } as const;
      const first = deliver({ events, store }, { answer: () => failed(HOUR_MS), own: free });
      await until(async () => (await letters()).length === 1);
      await first.stop();
      await eraseAll(store);
      expect(await letters()).toEqual([]);
      await appendAll(events, ["b"]);
      await store.destinations.change("crm", { state: "ACTIVE", cursor: null }, by);
      const second = deliver({ events, store }, { own: free, deps: { log } });
      await until(() => second.taken.includes("b"));
      expect(JSON.stringify(lines)).not.toContain("cannot get an event");
    });

    it("keeps no letter of a person who is erased during an attempt that fails, and tells of no loss", async () => {
      const { events, store, letters } = await opened();
      const { lost, observer } = collectingLosses();
      await appendAll(events, ["a"]);
      const answer = async () => {
        await eraseAll(store);
        return failed(HOUR_MS);
      };
      const { attempts } = deliver({ events, store }, { answer, own: { order: "free" }, deps: { observer } });
      await until(() => lost.length > 0);
      expect([attempts, await letters(), lost]).toEqual([["a"], [], [["crm", "erased", 1]]]);
    });

    it("tells of a damaged entry once, and goes on after it", async () => {
      const { url, events, store } = await opened();
      const { lost, observer } = collectingLosses();
      await appendAll(events, ["before", "damaged", "after"]);
      const damage = `update events set data = replace(data, '"normal"', '"nornal"') where session_id = 'damaged'`;
      if (name === "PostgreSQL") await sql.raw(damage).execute((await tempDatabase(url)).db);
      else {
        using file = new DatabaseSync(url.slice("file:".length));
        file.exec(damage);
      }
      const again = await logOver(store.events);
      const { taken } = deliver({ events: again, store }, { deps: { observer } });
      await until(() => taken.includes("after"));
      await until(async () => (await delivered(store)) === 2);
      expect(taken).toEqual(["before", "after"]);
      expect(lost).toEqual([["crm", "damaged", 1]]);
    });

    // A receiver may ask for a long time for one event that it cannot handle: https://github.com/svix/svix-webhooks/issues/2200
    it("sends new events while a letter waits for the time for which the receiver asked", async () => {
      const { events, store, letters } = await opened();
      await appendAll(events, ["bad"]);
      let tries = 0;
      const answer = ({ sessionId }: { sessionId: string }) =>
        sessionId === "bad" ? failed((tries += 1) > 1 ? HOUR_MS : null) : TAKEN;
      const { taken } = deliver({ events, store }, { answer, own: { order: "free" } });
      await until(async () => ((await letters())[0]?.waitMs ?? 0) > HOUR_MS / 2);
      await appendAll(events, ["good"]);
      await until(() => taken.includes("good"));
      expect((await letters())[0]?.waitMs).toBeGreaterThan(HOUR_MS / 2);
      expect((await store.destinations.read("crm"))?.waitMs).toBe(0);
    });

    // A repeat sent events that were delivered already: https://github.com/dreamgeneX/stargate-backend/issues/136
    it("sends no letter again that was taken meanwhile", async () => {
      const { events, store, letters } = await opened();
      await appendAll(events, ["a"]);
      let isBack = false;
      const answer = () => (isBack ? TAKEN : failed());
      const { taken } = deliver({ events, store }, { answer, own: { order: "free" } });
      await until(async () => (await letters()).length === 1);
      expect(await store.destinations.wakeLetter("crm", 1)).toBe(true);
      isBack = true;
      await until(async () => taken.length === 1 && (await letters()).length === 0);
      expect(await store.destinations.wakeLetter("crm", 1)).toBe(false);
      await appendAll(events, ["b"]);
      await until(() => taken.includes("b"));
      expect(taken).toEqual(["a", "b"]);
    });

    it("that is paused while it sends ends the attempt, and sends the event again when it goes on", async () => {
      const { events, store } = await opened();
      await appendAll(events, ["a"]);
      let isCancelled = false;
      const answer = (_: unknown, count: number, signal: AbortSignal) =>
        count > 1
          ? TAKEN
          : new Promise<never>((_resolve, reject) => {
              signal.addEventListener("abort", () => {
                isCancelled = true;
                reject(signal.reason as Error);
              });
            });
      const { attempts, taken } = deliver({ events, store }, { answer });
      await until(() => attempts.length === 1);
      await store.destinations.change("crm", { state: "PAUSED", cursor: null }, by);
      await until(() => isCancelled);
      expect(await delivered(store)).toBe(0);
      await store.destinations.change("crm", { state: "ACTIVE", cursor: null }, by);
      await until(async () => (await delivered(store)) === 1);
      expect([attempts, taken]).toEqual([["a", "a"], ["a"]]);
    });

    // A SQLite file has one gateway.
    it.runIf(name === "PostgreSQL")(
      "that is paused keeps its lease, and another gateway takes it over when that one stops",
      async () => {
        const { url, events, store } = await opened();
        await appendAll(events, ["a"]);
        await store.destinations.begin("crm", events.oldestCursor());
        await store.destinations.change("crm", { state: "PAUSED", cursor: null }, by);
        const first = deliver({ events, store }, { deps: { leases: await shortLeases(url) } });
        const { db } = await tempDatabase(url);
        const holder = async () => (await db.selectFrom("leases").select("holder").executeTakeFirst())?.holder;
        const held = await until(holder);
        const second = deliver(await gatewayOn(url), { deps: { leases: await shortLeases(url) } });
        await first.stop();
        const now = await until(async () => {
          const found = await holder();
          return found !== held && found;
        });
        expect(now).not.toBe(held);
        expect([first.attempts, second.attempts]).toEqual([[], []]);
        await store.destinations.change("crm", { state: "ACTIVE", cursor: null }, by);
        await until(() => second.taken.length === 1);
        expect(first.attempts).toEqual([]);
      },
    );

    it.runIf(name === "PostgreSQL")("that the file has switched off holds no lease and sends nothing", async () => {
      const { url, events, store } = await opened();
      await appendAll(events, ["a"]);
      const off = deliver({ events, store }, { own: { name: "off", enabled: false } });
      const on = deliver({ events, store }, { own: { name: "on" } });
      await until(() => on.taken.length === 1);
      const { db } = await tempDatabase(url);
      const leases = await db.selectFrom("leases").select("name").execute();
      expect(leases.map((each) => each.name)).toEqual(["destination on"]);
      expect(off.attempts).toEqual([]);
    });
  });
}
