import { describe, expect, it } from "vitest";
import type { DatabaseUnderTest } from "../databases.ts";
import { eachRevises, eventRow, tempStore, WHOLE } from "../tempStore.ts";
import { BY, containing, noFiles } from "./erase.ts";

export function erasedPeopleContract({ create }: DatabaseUnderTest): void {
  const fresh = async () => tempStore((await create()).url);
  const imported = (sessionId: string, ...keptFrom: string[]) => ({ ...eventRow({ sessionId }), keptFrom });

  describe("An erased number", () => {
    it("keeps imported calls out in any writing, from the erasure on, and no news", async () => {
      const { events, eraser } = await fresh();
      const added = async (...rows: ReturnType<typeof imported>[]) =>
        (await events.append(rows, eachRevises)).map((row) => row?.sessionId ?? null);
      expect(await added(imported("before", "13800010001"))).toEqual(["before"]);
      await eraser.erase({ ...containing("nothing"), number: "+86 138 0001 0001" }, noFiles, BY);
      const out = ["138-0001-0001", "008613800010001", "1+2", "+12025550101", "A068"];
      const rows = out.map((number, at) => imported(`c${at}`, "95001", number));
      expect(await added(...rows)).toEqual([null, null, "c2", "c3", "c4"]);
      expect(await added({ ...eventRow({ sessionId: "news" }), keptFrom: [] })).toEqual(["news"]);
      const log = (await events.read(WHOLE)).map(({ sessionId }) => sessionId);
      expect(log).toEqual(["before", "c2", "c3", "c4", "news"]);
    });

    it("keeps out 700 of 1,400 imported calls", async () => {
      const { events, eraser } = await fresh();
      await eraser.erase({ ...containing("nothing"), number: "+12025550101" }, noFiles, BY);
      const rows = Array.from({ length: 1400 }, (_, at) => imported(`c${at}`, at % 2 ? "+12025550101" : `+120255${at + 51000}`));
      expect((await events.append(rows, eachRevises)).filter((row) => row !== null)).toHaveLength(700);
    });
  });
}
