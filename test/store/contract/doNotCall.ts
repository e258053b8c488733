import { describe, expect, it } from "vitest";
import type { DatabaseUnderTest } from "../databases.ts";
import { tempStore } from "../tempStore.ts";

const BY = { actor: "ops", at: "2026-11-20T09:40:00.000Z" };

export function doNotCallContract({ create }: DatabaseUnderTest): void {
  describe("The never-call list", () => {
    it("counts, finds and removes entries, and the audit log has each change", async () => {
      const { doNotCall, audit } = await tempStore((await create()).url);
      expect([await doNotCall.hasAny(), await doNotCall.find(["1"])]).toEqual([false, new Set()]);
      const keys = Array.from({ length: 2500 }, (_, at) => String(13_800_000_000 + at));
      expect(await doNotCall.add([...keys, ...keys.slice(0, 3)], BY)).toBe(2500);
      expect(await doNotCall.add([...keys.slice(0, 5), "2125550101"], BY)).toBe(1);
      expect([await doNotCall.count(), await doNotCall.hasAny()]).toEqual([2501, true]);
      const asked = ["2125550101", "2125550102", ...keys.slice(1000)];
      expect(await doNotCall.find(asked)).toEqual(new Set(["2125550101", ...keys.slice(1000)]));
      expect(await doNotCall.remove(["2125550101", "2125550102"], BY)).toBe(1);
      expect(await doNotCall.find(["2125550101"])).toEqual(new Set());
      const entries = await audit.page({ after: null, limit: 10 });
      expect(entries.map(({ action, subject, count }) => [action, subject, count])).toEqual([
        ["DO_NOT_CALL_REMOVED", null, 1],
        ["DO_NOT_CALL_ADDED", null, 1],
        ["DO_NOT_CALL_ADDED", null, 2500],
      ]);
    });
  });
}
