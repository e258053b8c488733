// Failures of a receiver, of single events and of the gateway itself, on both databases.
import { describe, expect, it } from "vitest";
import type { Attempt, EventReference } from "../../src/destinations/deliverer.ts";
import { createLogger } from "../../src/logger.ts";
import { noDestinationObserver as NO_OBSERVER } from "../../src/destinations/observer.ts";
import { appendAll, logOver, names } from "../events/callEnded.ts";
import type { DatabaseUnderTest } from "../store/databases.ts";
import { until } from "../support/until.ts";
import { deliver, failed, gatewayOn, SOON, TAKEN } from "./world.ts";

const HOUR_MS = 3_600_000;
const hindered: Attempt = { outcome: "failed", status: null, text: "not now", retryAfterMs: null, isOwn: true };

export function collectingLog() {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
  return { log: createLogger({ level: "debug", secrets: [], write }), lines };
}

export function failureContract({ create }: DatabaseUnderTest): void {
  const opened = async () => {
    const gateway = await gatewayOn((await create()).url);
    const state = async () => {
      const found = await gateway.store.destinations.read("crm");
      if (!found) throw new Error("The destination is not known.");
      return found;
    };
    const letters = () => gateway.store.destinations.letters("crm", { after: 0, limit: 100 });
    return { ...gateway, state, letters };
  };
  const poison = ({ sessionId }: EventReference) => (sessionId.startsWith("bad") ? failed() : TAKEN);

  describe("A destination with order free", () => {
    it("goes on where one event fails while another is taken", async () => {
      const gateway = await opened();
      const { log, lines } = collectingLog();
      await appendAll(gateway.events, names(0, 40));
      const tries = new Map<string, number>();
      const answer = async ({ sessionId }: EventReference) => {
        const count = (tries.get(sessionId) ?? 0) + 1;
        tries.set(sessionId, count);
        await new Promise((resolve) => setImmediate(resolve));
        return Number(sessionId.slice(1)) % 2 === 0 && count === 1 ? failed() : TAKEN;
      };
      const { taken } = deliver(gateway, { answer, own: { order: "free", maxInFlight: 8 }, deps: { log } });
      await until(() => new Set(taken).size === 40);
      await until(async () => (await gateway.letters()).length === 0);
      expect(JSON.stringify(lines)).not.toContain("was interrupted");
      expect(taken).toHaveLength(40);
    });

    it("stays active and sends new events at once while single events are rejected for days", async () => {
      const gateway = await opened();
      const delivering = deliver(gateway, { answer: poison, own: { order: "free" } });
      await appendAll(gateway.events, ["bad 1", "bad 2"]);
      await until(() => delivering.attempts.filter((each) => each === "bad 1").length > 15);
      await appendAll(gateway.events, ["good"]);
      await until(() => delivering.taken.includes("good"));
      await until(() => delivering.attempts.filter((each) => each === "bad 2").length > 25);
      await until(async () => (await gateway.state()).failures === 0);
      expect(await gateway.state()).toMatchObject({ state: "ACTIVE", failingSince: null, waitMs: 0 });
    });

    it("sends nothing before the time for which the receiver asked, though other events are taken meanwhile", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, ["slow", "busy"]);
      let finish: (attempt: Attempt) => void = () => undefined;
      const slow = new Promise<Attempt>((resolve) => (finish = resolve));
      let begin: () => void = () => undefined;
      const begun = new Promise<void>((resolve) => (begin = resolve));
      // Refused only when the other one is under way.
      const refuse = () => begun.then(() => failed(HOUR_MS));
      const answer = ({ sessionId }: EventReference) => {
        if (sessionId !== "slow") return refuse();
        begin();
        return slow;
      };
      const first = deliver(gateway, { answer, own: { order: "free", maxInFlight: 2 } });
      await until(async () => ((await gateway.state().catch(() => null))?.waitMs ?? 0) > 0);
      finish(TAKEN);
      await until(async () => (await gateway.state()).delivered === 1);
      await appendAll(gateway.events, ["later"]);
      await until(async () => (await gateway.state()).failures === 0);
      expect((await gateway.state()).waitMs).toBeGreaterThan(HOUR_MS / 2);
      await first.stop();
      expect(first.attempts.toSorted()).toEqual(["busy", "slow"]);
      expect((await gateway.state()).waitMs).toBeGreaterThan(HOUR_MS / 2);
    });

    it("makes one attempt at a time while the receiver is away", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, names(0, 60));
      let [underWay, most, made] = [0, 0, 0];
      const answer = async () => {
        made += 1;
        underWay += 1;
        if (made > 20) most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        return failed();
      };
      deliver(gateway, { answer, own: { order: "free", maxInFlight: 8 } });
      await until(() => made > 40);
      expect(most).toBe(1);
    });

    it("keeps no letter of an event that was taken after a replay", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, ["bad", "good"]);
      const retries = { ...SOON, delaysMs: [HOUR_MS] as [number] };
      const first = deliver(gateway, { answer: poison, own: { order: "free" }, deps: { retries } });
      await until(async () => (await gateway.letters()).length === 1 && first.taken.length === 1);
      await first.stop();
      const cursor = gateway.events.oldestCursor();
      const by = { actor: "admin", at: "2026-11-20T09:30:00.000Z" };
      await gateway.store.destinations.change("crm", { state: "ACTIVE", cursor }, by);
      const second = deliver(gateway, { own: { order: "free" } });
      await until(() => second.taken.includes("bad"));
      await until(async () => (await gateway.letters()).length === 0);
      expect(second.taken.filter((each) => each === "bad")).toHaveLength(1);
    });
  });

  describe("A destination", () => {
    it.each(["strict", "free"] as const)(
      "with order %s does not count it against the receiver that the gateway could not read an event",
      async (order) => {
        const gateway = await opened();
        const { log, lines } = collectingLog();
        await appendAll(gateway.events, ["a"]);
        let isUp = false;
        const answer = () => (isUp ? TAKEN : hindered);
        const { attempts, taken } = deliver(gateway, { answer, own: { order }, deps: { log } });
        await until(() => attempts.length > 12);
        await until(async () => (await gateway.state()).lastAnswer !== null);
        expect(await gateway.state()).toMatchObject({ state: "ACTIVE", failures: 0, failingSince: null });
        expect(JSON.stringify(lines)).toContain("cannot be read now");
        expect(JSON.stringify(lines)).not.toContain("does not take events");
        isUp = true;
        await until(() => taken.length === 1);
      },
    );

    // What days of failures are: https://github.com/svix/svix-docs/pull/159
    it("is not disabled at the first failure after days without an attempt", async () => {
      const gateway = await opened();
      await appendAll(gateway.events, ["a"]);
      const first = deliver(gateway, { answer: () => failed() });
      await until(() => first.attempts.length > 12);
      await first.stop();
      const clock = () => Date.parse("2026-12-01T00:00:00.000Z");
      const second = deliver(gateway, { answer: () => failed(), deps: { clock } });
      await until(() => second.attempts.length > 3);
      await until(async () => (await gateway.state()).failingSince === "2026-12-01T00:00:00.000Z");
      expect((await gateway.state()).state).toBe("ACTIVE");
    });

    it("tells of events that were purged before it got them", async () => {
      const gateway = await opened();
      const { log, lines } = collectingLog();
      await appendAll(gateway.events, ["a"]);
      const first = deliver(gateway, {});
      await until(async () => first.taken.length === 1 && (await gateway.state()).delivered === 1);
      await first.stop();
      await appendAll(gateway.events, ["b", "c"]);
      await gateway.store.events.purge("2027-01-01T00:00:00.000Z", 100);
      const events = await logOver(gateway.store.events);
      await appendAll(events, ["d"]);
      const lost: unknown[][] = [];
      const observer = { ...NO_OBSERVER, lost: (...all: unknown[]) => void lost.push(all) };
      const second = deliver({ ...gateway, events }, { deps: { log, observer } });
      await until(() => second.taken.includes("d"));
      expect(second.taken).toEqual(["d"]);
      expect(lost).toEqual([["crm", "expired", 2]]);
      expect(lines).toContainEqual(
        expect.objectContaining({ level: "error", destination: "crm", after: 1, through: 3, reason: "expired" }),
      );
    });

    it("tells of a letter of which the event was purged", async () => {
      const gateway = await opened();
      const { log, lines } = collectingLog();
      const answer = { status: 500, text: null, at: "2026-11-20T09:30:00.000Z" };
      await appendAll(gateway.events, ["a"]);
      await gateway.store.destinations.begin("crm", gateway.events.markHead()());
      await gateway.store.destinations.keepLetter("crm", 1, { answer, waitMs: 0 });
      await gateway.store.events.purge("2027-01-01T00:00:00.000Z", 100);
      deliver(gateway, { own: { order: "free" }, deps: { log } });
      await until(async () => (await gateway.letters()).length === 0);
      const lost = await until(() => lines.find(({ seq }) => seq === 1));
      expect(lost).toMatchObject({ level: "error", destination: "crm", reason: "expired" });
    });

    it("that begins with a cursor of another log says so in an error, and begins when it is mended", async () => {
      const gateway = await opened();
      const { log, lines } = collectingLog();
      await appendAll(gateway.events, ["a"]);
      const foreign = deliver(gateway, { own: { from: "0000000001AAAAAAAAAAAAAAAA" }, deps: { log } });
      await until(() => lines.some(({ level, msg }) => level === "error" && String(msg).includes("does not begin")));
      await foreign.stop();
      const mended = deliver(gateway, {});
      await until(() => mended.taken.length > 0);
      expect(mended.taken).toEqual(["a"]);
    });
  });
}
