// What people let go on: a destination that was disabled, and an event that was given up. On both databases.
import { describe, expect, it } from "vitest";
import { appendAll, NOW } from "../events/callEnded.ts";
import type { DatabaseUnderTest } from "../store/databases.ts";
import { until } from "../support/until.ts";
import { deliver, failed, TAKEN, withClock } from "./world.ts";

const DAY_MS = 86_400_000;
const by = { actor: "admin", at: new Date(NOW).toISOString() };

export function resumeContract({ create }: DatabaseUnderTest): void {
  const opened = async () => withClock((await create()).url);

  describe("A destination", () => {
    // The next single failure disabled it again: https://github.com/croffasia/itsaplan/pull/298
    it("that is resumed after three days of failures is not disabled by the next ones", async () => {
      const { clock, deps, state, ...gateway } = await opened();
      await appendAll(gateway.events, ["a"]);
      const answer = () => {
        clock.now += DAY_MS / 4;
        return failed();
      };
      const first = deliver(gateway, { answer, deps });
      await until(async () => (await state())?.state === "DISABLED");
      await first.stop();
      await gateway.store.destinations.change("crm", { state: "ACTIVE", cursor: null }, by);
      const { attempts } = deliver(gateway, { answer: () => failed(), deps });
      await until(() => attempts.length > 12);
      await until(async () => ((await state())?.failures ?? 0) > 10);
      expect((await state())?.state).toBe("ACTIVE");
    });

    // Sent again by hand, it was given up before it was sent: https://github.com/open-mercato/open-mercato/pull/1619
    it("sends an event that was given up each time that somebody asks for it, until it is taken", async () => {
      const { clock, deps, letters, ...gateway } = await opened();
      await appendAll(gateway.events, ["bad", "good"]);
      let isBack = false;
      const answer = ({ sessionId }: { sessionId: string }) => {
        if (sessionId !== "bad" || isBack) return TAKEN;
        clock.now += DAY_MS / 2;
        return failed();
      };
      const { attempts } = deliver(gateway, { answer, own: { order: "free" }, deps });
      const dead = await until(async () => (await letters()).find(({ waitMs }) => waitMs === null));
      const before = attempts.length;
      expect(await gateway.store.destinations.wakeLetter("crm", dead.seq)).toBe(true);
      await until(async () => (await letters()).some((each) => each.waitMs === null && each.attempts > dead.attempts));
      expect(attempts.length).toBe(before + 1);
      isBack = true;
      expect(await gateway.store.destinations.wakeLetter("crm", dead.seq)).toBe(true);
      await until(async () => (await letters()).length === 0);
    });
  });
}
