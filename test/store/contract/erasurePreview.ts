import { describe, expect, it } from "vitest";
import type { DatabaseUnderTest } from "../databases.ts";
import { ANY_QUOTA, eachRevises, eventRow, submission, tempStore, WHOLE } from "../tempStore.ts";
import { BY, containing, noFiles, recording } from "./erase.ts";
import { summary } from "./proposals.ts";

const row = (sessionId: string, data: string, body: string | null = null) => ({
  ...eventRow({ sessionId, data: JSON.stringify({ sessionId, data }) }),
  body: body === null ? null : Buffer.from(body),
});
const delivery = (body: string) => ({
  receivedAt: "2026-11-20T09:30:00.000Z",
  kind: "UNREADABLE" as const,
  reason: "x",
  charset: null,
  sessionId: null,
  body: Buffer.from(body),
});
const AT = "2026-11-20T09:31:00.000Z";

export function erasurePreviewContract({ create }: DatabaseUnderTest): void {
  describe("The preview of an erasure", () => {
    it("counts what the erasure takes then, each kind of data, and changes nothing", async () => {
      const store = await tempStore((await create()).url);
      const { events, quarantine, recordings, openCalls, submissions, proposals, rawDeliveries, eraser, audit } = store;
      const rows = [row("a", "Li", "Li"), row("b", "Wu", "says Li"), row("c", "Wu", "Wu"), row("a", "-", "-"), row("a", "-")];
      for (const each of rows) await events.append([each], eachRevises);
      for (const body of ["not Li", "not Wu"]) await quarantine.add(delivery(body));
      await recordings.add([recording("a"), recording("old", "https://files.example/Li.wav"), recording("c")]);
      await openCalls.add([{ sessionId: "open-Li", startAt: AT }]);
      await submissions.claim(submission({ id: "1", name: "Call Li", idempotencyKey: "for Li" }), ANY_QUOTA);
      await submissions.claim(submission({ id: "2", name: "Call Wu", idempotencyKey: "2" }), ANY_QUOTA);
      const proposed = (id: string) => submission({ id, idempotencyKey: id, status: "PROPOSED" });
      const proposal = { expiresAt: AT, summary, policy: "{}", maxWaiting: { count: 9, bytes: 9_000 } };
      await proposals.add(proposed("3"), { ...proposal, input: "{}\n{'Li'}" });
      await proposals.add(proposed("4"), { ...proposal, summary: { ...summary, startDate: "Li's day" }, input: "{}" });

      const expected = {
        calls: 3,
        events: 3,
        rawDeliveries: 3,
        quarantined: 1,
        recordings: 2,
        submissions: 2,
        proposals: 1,
      };
      expect(await eraser.preview(containing("Li"))).toEqual(expected);
      expect((await events.read(WHOLE)).map(({ sessionId }) => sessionId)).toEqual(["a", "b", "c", "a", "a"]);
      expect([await quarantine.count("UNREADABLE"), (await submissions.byId("1"))?.name]).toEqual([2, "Call Li"]);
      expect([(await submissions.byId("3"))?.status, (await rawDeliveries.at(2)) !== null]).toEqual(["PROPOSED", true]);
      expect(await audit.page({ after: null, limit: 9 })).not.toContainEqual(
        expect.objectContaining({ action: "PHONE_FORGOTTEN" }),
      );

      expect(await eraser.erase(containing("Li"), noFiles, BY)).toMatchObject(expected);
      const nothing = Object.fromEntries(Object.keys(expected).map((name) => [name, 0]));
      expect(await eraser.preview(containing("Li"))).toEqual(nothing);
    });
  });
}
