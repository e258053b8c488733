// What looks at tasks keep: a gateway that evaluates no longer may write late, and a clock may be set back.
import { describe, expect, it } from "vitest";
import type { DatabaseUnderTest } from "../databases.ts";
import { tempStore } from "../tempStore.ts";

const at = (hour: number, minute: number) =>
  `2026-11-20T${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}:00.000Z`;

export function taskLookContract({ create }: DatabaseUnderTest): void {
  const fresh = async () => (await tempStore((await create()).url)).taskLooks;
  const runs = (since: string, seenAt: string) => new Map([["task 7", { since, seenAt }]]);
  const doubts = (text: string) => new Map([["silence", [text]]]);

  describe("Keeping what looks at tasks have shown", () => {
    it("passes over what a gateway writes minutes late", async () => {
      const looks = await fresh();
      await looks.saveRuns(runs(at(9, 0), at(9, 30)));
      await looks.saveRuns(runs(at(9, 10), at(9, 20)));
      await looks.saveDoubts(doubts("newer"), at(9, 30));
      await looks.saveDoubts(doubts("late"), at(8, 31));
      expect(await looks.runs(["task 7"])).toEqual(runs(at(9, 0), at(9, 30)));
      expect(await looks.doubts()).toEqual(doubts("newer"));
    });

    it("takes what is written after the clock was set back by more than an hour", async () => {
      const looks = await fresh();
      await looks.saveRuns(runs(at(9, 0), at(9, 30)));
      await looks.saveRuns(runs(at(8, 0), at(8, 10)));
      await looks.saveDoubts(doubts("ahead"), at(9, 30));
      await looks.saveDoubts(doubts("right"), at(8, 10));
      await looks.saveNotes(new Map([["7", { at: 2, overSince: null, assistantId: null }]]), at(9, 30));
      await looks.saveNotes(new Map([["7", { at: 1, overSince: null, assistantId: null }]]), at(8, 10));
      expect(await looks.runs(["task 7"])).toEqual(runs(at(8, 0), at(8, 10)));
      expect(await looks.doubts()).toEqual(doubts("right"));
      expect((await looks.notes()).get("7")?.at).toBe(1);
    });
  });
}
