// What holds a person's number outside of the log.
import { describe, expect, it } from "vitest";
import type { DatabaseUnderTest } from "../databases.ts";
import { ANY_QUOTA, appendRows, eventRow, open, submission, tempStore } from "../tempStore.ts";
import { BY, containing, noFiles, recording } from "./erase.ts";

const row = (sessionId: string) => eventRow({ sessionId });

export function leftTracesContract({ create }: DatabaseUnderTest): void {
  const fresh = async () => tempStore((await create()).url);

  describe("A89: a number outside of the log", () => {
    const AT = "2026-11-20T09:31:00.000Z";

    it("leaves the audit log also where retention has deleted the call", async () => {
      const { events, audit, eraser } = await fresh();
      await appendRows(events, [row("of-Li"), row("of-Wu")]);
      for (const sessionId of ["of-Li", "of-Wu"]) await audit.addShown({ actor: "web", at: AT, sessionId });
      await events.purge("2027", 10);
      await eraser.erase(containing("Li"), noFiles, BY);
      const entries = await audit.page({ after: null, limit: 10 });
      expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
        ["PHONE_FORGOTTEN", null],
        ["DELIVERY_SHOWN", "of-Wu"],
        ["DELIVERY_SHOWN", null],
      ]);
    });

    it("leaves recordings and open calls also where retention has deleted the call", async () => {
      const { recordings, openCalls, eraser } = await fresh();
      await recordings.add([recording("of-Li"), recording("a", "https://files.example/Li.wav"), recording("b")]);
      await openCalls.add(["open-Li", "open-Wu"].map((sessionId) => ({ sessionId, startAt: AT })));
      const erased = await eraser.erase(containing("Li"), noFiles, BY);
      expect([erased.recordings, erased.sessionIds.toSorted()]).toEqual([2, ["a", "of-Li", "open-Li"]]);
      expect([...(await recordings.bySessions(["of-Li", "a", "b"])).keys()]).toEqual(["b"]);
    });

    it("leaves the known assistants, until a task shows them again", async () => {
      const { knownAssistants, eraser } = await fresh();
      const versions = Array.from({ length: 120 }, (_, at) => ({
        assistantId: String(at % 3),
        versionId: String(at),
        seenAt: AT,
        data: JSON.stringify({ name: at % 40 === 0 ? "Call Li" : "Call Wu" }),
      }));
      await knownAssistants.save(versions);
      await eraser.erase(containing("Li"), noFiles, BY);
      const kept = await knownAssistants.byVersions(versions);
      expect(kept).toHaveLength(117);
      expect(JSON.stringify(kept)).not.toContain("Li");
    });

    it("cannot be guessed from the digest of an input, and repeats are still recognised", async () => {
      const { url, ask } = await create();
      const store = await open(url);
      const [own, other] = ["a".repeat(64), "b".repeat(64)];
      await store.submissions.claim(submission({ id: "1", inputSha256: own }), ANY_QUOTA);
      await store.eraser.erase(containing("Li"), noFiles, BY);
      const kept = await store.submissions.byId("1");
      expect(kept?.inputSha256).toMatch(/^keyed [\w-]{16}$/);
      await store[Symbol.asyncDispose]();
      expect(JSON.stringify(await ask("select * from submissions"))).not.toContain(own);
      const { submissions } = await tempStore(url);
      const claim = await submissions.claim(submission({ id: "2", inputSha256: own }), ANY_QUOTA);
      expect(claim).toEqual({ claimed: false, holder: kept });
      const holder = kept as NonNullable<typeof kept>;
      expect([own, other].map((sha256) => submissions.hasInput(holder, sha256))).toEqual([true, false]);
    });
  });

  describe("The digest of an input", () => {
    it("is plain while a gateway of an earlier version may compare it, then keyed, each once", async () => {
      const { submissions } = await fresh();
      const at = (hour: number) => `2026-11-20T${String(hour).padStart(2, "0")}:30:00.000Z`;
      for (const hour of [7, 8, 9])
        await submissions.claim(
          submission({ id: String(hour), idempotencyKey: String(hour), submittedAt: at(hour) }),
          ANY_QUOTA,
        );
      expect(await submissions.keyDigests(at(9), 1)).toBe(1);
      expect(await submissions.keyDigests(at(9), 10)).toBe(1);
      expect(await submissions.keyDigests(at(9), 10)).toBe(0);
      const digests = await Promise.all(["7", "8", "9"].map(async (id) => (await submissions.byId(id))?.inputSha256));
      const keyed = expect.stringMatching(/^keyed /) as unknown;
      expect(digests).toEqual([keyed, keyed, "a".repeat(64)]);
    });
  });
}
