// Clocks that jump by days and come back, on both databases. No attempt depends on them: what waits is measured without a clock while the
// gateway runs.
import { describe, expect, it } from "vitest";
import { appendAll, NOW } from "../events/callEnded.ts";
import type { DatabaseUnderTest } from "../store/databases.ts";
import { until } from "../support/until.ts";
import { deliver, failed, TAKEN, withClock } from "./world.ts";

const DAY_MS = 86_400_000;
const answer = { at: new Date(NOW).toISOString(), status: 500, text: null };

export function clockContract({ create }: DatabaseUnderTest): void {
  const opened = async () => withClock((await create()).url);

  describe("A destination", () => {
    it.each([4 * DAY_MS, -4 * DAY_MS])(
      "is not disabled because the clock is wrong by %i ms for a while",
      async (by) => {
        const { clock, deps, state, ...gateway } = await opened();
        await appendAll(gateway.events, ["a"]);
        const { attempts } = deliver(gateway, { answer: () => failed(), deps });
        const tryMore = async () => {
          const before = attempts.length;
          await until(() => attempts.length > before + 12);
        };
        await tryMore();
        clock.now += by;
        await tryMore();
        clock.now = NOW + 60_000;
        await tryMore();
        await until(async () => (await state())?.failingSince === new Date(clock.now).toISOString());
        expect((await state())?.state).toBe("ACTIVE");
        clock.now += DAY_MS / 2;
        await tryMore();
        expect((await state())?.state).toBe("ACTIVE");
      },
    );

    it("gives up no letter before its tenth attempt, though the clock jumps ahead by days after the first one", async () => {
      const { clock, deps, letters, ...gateway } = await opened();
      await appendAll(gateway.events, ["a", "b"]);
      let ofA = 0;
      const refuse = ({ sessionId }: { sessionId: string }) => {
        if (sessionId !== "a") return TAKEN;
        ofA += 1;
        if (ofA > 1) clock.now = NOW + 4 * DAY_MS;
        return failed();
      };
      deliver(gateway, { answer: refuse, own: { order: "free" }, deps });
      const dead = await until(async () => {
        const [letter] = await letters();
        return letter?.waitMs === null && letter;
      });
      expect([ofA, dead.attempts]).toEqual([10, 10]);
    });

    it("loses no letter whose first attempt was made while the clock was days behind", async () => {
      const { letters, ...gateway } = await opened();
      const { destinations } = gateway.store;
      await appendAll(gateway.events, ["a"]);
      await destinations.begin("crm", gateway.events.oldestCursor());
      const [row] = await gateway.store.events.newestRevisions(["a"]);
      const seq = row?.seq ?? 0;
      const before = new Date(NOW - 40 * DAY_MS).toISOString();
      await destinations.keepLetter("crm", seq, { answer: { ...answer, at: before }, waitMs: 3_600_000 });
      expect(await destinations.purge(new Date(NOW - 30 * DAY_MS).toISOString(), 10)).toEqual(new Map());
      expect(await letters()).toHaveLength(1);
    });

    it("waits no days for what was stored while the clock of the database was days ahead", async () => {
      const { deps, state, letters, ...gateway } = await opened();
      const { destinations } = gateway.store;
      await appendAll(gateway.events, ["letter", "new"]);
      await destinations.begin("crm", gateway.events.oldestCursor());
      const progress = { cursor: null, delivered: 0, skipped: 0, answer, failures: 1, failingSince: answer.at };
      const run = (await state())?.run ?? 0;
      await destinations.advance("crm", run, { ...progress, waitMs: 3 * DAY_MS });
      await destinations.keepLetter("crm", 1, { answer, waitMs: 3 * DAY_MS });
      expect([(await state())?.waitMs, (await letters())[0]?.waitMs]).toEqual([0, 0]);
      await destinations.change("crm", { state: "ACTIVE", cursor: null }, { actor: "admin", at: answer.at });
      await destinations.advance("crm", run + 1, { ...progress, waitMs: 3 * DAY_MS });
      const { taken } = deliver(gateway, { own: { order: "free", from: "now" }, deps });
      await until(() => taken.includes("new") && taken.includes("letter"));
      await until(async () => (await letters()).length === 0);
    });
  });
}
