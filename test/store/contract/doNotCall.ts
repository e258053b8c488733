import { describe, expect, it } from "vitest";
import type { DatabaseUnderTest } from "../databases.ts";
import { tempStore } from "../tempStore.ts";

const BY = { actor: "ops", at: "2026-11-20T09:40:00.000Z" };

export function doNotCallContract({ create }: DatabaseUnderTest): void {
  describe("The never-call list", () => {
    it("counts, finds and removes entries, and the audit log has each change", async () => {
      const { doNotCall, audit } = await tempStore((await create()).url);
      const digestsOf = (keys: readonly string[]) => keys.map(doNotCall.digestOf);
      expect([await doNotCall.hasAny(), await doNotCall.find(digestsOf(["1"]))]).toEqual([false, []]);
      const digests = digestsOf(Array.from({ length: 2500 }, (_, at) => String(13_800_000_000 + at)));
      const others = digestsOf(["2125550101", "2125550102"]);
      expect(await doNotCall.add(digests, BY)).toBe(2500);
      expect(await doNotCall.add([...digests.slice(0, 5), ...others.slice(0, 1)], BY)).toBe(1);
      expect([await doNotCall.count(), await doNotCall.hasAny()]).toEqual([2501, true]);
      const asked = digests.slice(1600);
      const found = await doNotCall.find([...others, ...asked]);
      expect(new Set(found)).toEqual(new Set([...others.slice(0, 1), ...asked]));
      expect(await doNotCall.remove(others, BY)).toBe(1);
      expect(await doNotCall.find(others)).toEqual([]);
      const entries = await audit.page({ after: null, limit: 10 });
      expect(entries.map(({ action, subject, count }) => [action, subject, count])).toEqual([
        ["DO_NOT_CALL_REMOVED", null, 1],
        ["DO_NOT_CALL_ADDED", null, 1],
        ["DO_NOT_CALL_ADDED", null, 2500],
      ]);
    });
  });
}
