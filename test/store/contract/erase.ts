import { describe, expect, it } from "vitest";
import type { ErasureMatch } from "../../../src/store/events/erasureMatch.ts";
import type { DatabaseUnderTest } from "../databases.ts";
import { ANY_QUOTA, appendRows, eachRevises, eventRow, open, seqs, submission, tempStore, WHOLE } from "../tempStore.ts";

/** Matches each record that contains the text. */
export const containing = (text: string): ErasureMatch => ({
  number: "", event: (data) => data.includes(text),
  delivery: (body) => Buffer.from(body).includes(text),
  text: (value) => value.includes(text),
  inputLine: (line) => line.includes(text),
});
/** Removes no files before the erasure. */
export const noFiles = async () => undefined;
export const BY = { actor: "ops", at: "2026-11-20T09:40:00.000Z" };
const row = (sessionId: string, data: string) => eventRow({ sessionId, data: JSON.stringify({ sessionId, data }) });
const delivery = (body: string) => ({
  receivedAt: "2026-11-20T09:30:00.000Z",
  kind: "UNREADABLE" as const,
  reason: "x",
  charset: null, sessionId: null,
  body: Buffer.from(body),
});
export const recording = (sessionId: string, url = `https://files.example/${sessionId}`) => ({
  sessionId,
  revision: 1,
  receivedAt: "2026-11-20T09:30:00.000Z",
  url,
  refusal: null,
});

export function eraseContract({ create }: DatabaseUnderTest): void {
  const fresh = async () => tempStore((await create()).url);

  describe("Erasing a person's number", () => {
    it("deletes all revisions of calls with the number, and no other call", async () => {
      const { events, eraser } = await fresh();
      await events.append([row("a", "Li"), row("b", "Wu"), row("a", "-"), row("c", "-")], eachRevises);
      const erased = await eraser.erase(containing("Li"), noFiles, BY);
      expect(erased).toMatchObject({ sessionIds: ["a"], events: 2, quarantined: 0, recordings: 0 });
      expect((await events.read(WHOLE)).map(({ sessionId }) => sessionId)).toEqual(["b", "c"]);
      expect(await events.revisionsOf("a")).toEqual([]);
    });

    it("deletes 617 of 1,234 events", async () => {
      const { events, eraser } = await fresh();
      const rows = Array.from({ length: 1234 }, (_, at) => row(`s${at}`, at % 2 === 0 ? "Li" : "Wu"));
      await appendRows(events, rows);
      expect((await eraser.erase(containing("Li"), noFiles, BY)).events).toBe(617);
      expect(await events.read(WHOLE)).toHaveLength(617);
    });

    it("deletes events that are appended during the search", async () => {
      const { events, eraser } = await fresh();
      await appendRows(events, [row("a", "Li")]);
      const late = async () => void (await appendRows(events, [row("b", "Li")]));
      expect((await eraser.erase(containing("Li"), late, BY)).sessionIds).toEqual(["a", "b"]);
      expect(await events.read(WHOLE)).toEqual([]);
    });

    it("deletes the recordings of its calls, except the content that another call shares", async () => {
      const { events, eraser, recordings } = await fresh();
      await appendRows(events, [row("a", "Li"), row("b", "Li"), row("c", "Wu"), row("d", "Li")]);
      await recordings.add(["a", "b", "c", "d"].map((id) => recording(id)));
      const jobs = await recordings.claim("me", 10, 60_000);
      for (const [sessionId, sha256] of [
        ["a", "1"],
        ["b", "2"],
        ["c", "2"],
      ] as const) {
        const job = jobs.find((each) => each.sessionId === sessionId) as (typeof jobs)[number];
        const archivedAt = "2026-11-20T09:31:00.000Z";
        await recordings.settle("me", job, {
          status: "ARCHIVED",
          sha256,
          contentType: "audio/wav",
          bytes: 1,
          archivedAt,
        });
      }
      const reported: unknown[] = [];
      const erased = await eraser.erase(containing("Li"), async (traces) => void reported.push(traces), BY);
      const traces = { jobs: [{ sessionId: "d", url: "https://files.example/d" }], contents: ["1"] };
      expect(erased).toMatchObject({ recordings: 3, ...traces });
      expect(reported).toEqual([traces]);
      await recordings.add([recording("a", "https://files.example/other")]);
      expect([...(await recordings.bySessions(["a", "b", "c", "d"])).keys()]).toEqual(["c"]);
    });

    it("erases nothing if the files cannot be removed, so that a second try finds them", async () => {
      const { events, eraser } = await fresh();
      await appendRows(events, [row("a", "Li")]);
      const failing = () => Promise.reject(new Error("the disk failed"));
      await expect(eraser.erase(containing("Li"), failing, BY)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      expect(await events.read(WHOLE)).toHaveLength(1);
    });
  });

  describe("An erased call", () => {
    it("is not stored again by later deliveries, also after a restart", async () => {
      const { url } = await create();
      const first = await open(url);
      await appendRows(first.events, [row("a", "Li")]);
      await first.eraser.erase(containing("Li"), noFiles, BY);
      expect(await appendRows(first.events, [row("a", "Li"), row("b", "Wu"), row("a", "Wu")])).toEqual([
        false,
        true,
        false,
      ]);
      await first[Symbol.asyncDispose]();
      const { events } = await tempStore(url);
      expect(await appendRows(events, [row("a", "Wu")])).toEqual([false]);
      expect(await events.revisionsOf("a")).toEqual([]);
    });

    it("is not quarantined again if it could not be read", async () => {
      const { quarantine, eraser } = await fresh();
      for (const body of ["not Li", "not Wu"]) await quarantine.add(delivery(body));
      expect(await eraser.erase(containing("Li"), noFiles, BY)).toMatchObject({ events: 0, quarantined: 1 });
      await quarantine.add(delivery("not Li"));
      expect(await quarantine.count("UNREADABLE")).toBe(1);
    });

    it("is not quarantined again by a repeat that comes during the erasure", async () => {
      const { quarantine, eraser } = await fresh();
      for (let round = 0; round < 10; round += 1) {
        await quarantine.add(delivery(`not Li ${round}`));
        const erasure = { isOver: false };
        const repeat = async () => {
          while (!erasure.isOver) await quarantine.add(delivery(`not Li ${round}`));
        };
        const repeats = Promise.all([1, 2, 3, 4].map(repeat));
        await eraser.erase(containing("Li"), noFiles, BY).finally(() => (erasure.isOver = true));
        await repeats;
        expect(await quarantine.count("UNREADABLE")).toBe(0);
      }
    });

    it("leaves only a hash of its session id", async () => {
      const { url, ask } = await create();
      const store = await open(url);
      await appendRows(store.events, [row("session-of-Li", "Li")]);
      await store.eraser.erase(containing("Li"), noFiles, BY);
      await store[Symbol.asyncDispose]();
      const kept = await ask("select mark from forgotten");
      expect(kept).toEqual([{ mark: expect.stringMatching(/^[\w-]{16}$/) as unknown }]);
    });
  });

  describe("Erasing a number that is in a submission's name and key", () => {
    it("removes both texts, and the key still counts as used", async () => {
      const { submissions, eraser } = await fresh();
      const own = submission({ id: "1", name: "For Li", idempotencyKey: "Li-1" });
      const others = submission({ id: "2", name: "For Wu", idempotencyKey: "Wu-1" });
      for (const each of [own, others]) await submissions.claim(each, ANY_QUOTA);
      await eraser.erase(containing("Li"), noFiles, BY);
      const kept = await submissions.byKey("web", "Li-1");
      expect(kept).toMatchObject({
        id: "1",
        name: "(forgotten)",
        idempotencyKey: expect.not.stringContaining("Li-1") as unknown,
      });
      const again = await submissions.claim(submission({ id: "3", idempotencyKey: "Li-1" }), ANY_QUOTA);
      expect(again).toEqual({ claimed: false, holder: kept });
      expect(await submissions.byId("3")).toBeNull();
      const digest = expect.stringMatching(/^keyed /) as unknown;
      expect(await submissions.byKey("web", "Wu-1")).toEqual({ ...others, inputSha256: digest });
    });
  });

  describe("The log after an erasure", () => {
    it("keeps its head, also if its newest event was erased", async () => {
      const { url } = await create();
      const store = await open(url);
      await appendRows(store.events, [row("a", "Wu"), row("b", "Li")]);
      expect(await store.events.erasureCount()).toBe(0);
      await store.eraser.erase(containing("Li"), noFiles, BY);
      await store.eraser.erase(containing("nobody"), noFiles, BY);
      expect([await store.events.head(), await store.events.erasureCount()]).toEqual([2, 2]);
      await store.eraser.erase(containing("Wu"), noFiles, BY);
      expect([await store.events.head(), await store.events.erasureCount()]).toEqual([2, 3]);
      await store[Symbol.asyncDispose]();
      const { events } = await tempStore(url);
      expect([await events.head(), await events.purgedThrough()]).toEqual([2, 0]);
      await appendRows(events, [row("c", "Wu")]);
      expect(seqs(await events.read(WHOLE))).toEqual([3]);
    });

    it("accepts events during and after two scrubs", async () => {
      const { events, eraser } = await fresh();
      await appendRows(events, [row("a", "Wu"), row("b", "Li"), row("c", "Wu")]);
      await eraser.erase(containing("Li"), noFiles, BY);
      await Promise.all([eraser.scrub(), eraser.scrub(), appendRows(events, [row("d", "Wu")])]);
      expect(seqs(await events.read(WHOLE))).toEqual([1, 3, 4]);
    });
  });
}
