import { describe, expect, it } from "vitest";
import { openStore } from "../../../src/store/store.ts";
import type { NewRecording, RecordingJob, RecordingStore } from "../../../src/store/recordings/recordingStore.ts";
import { silentLog } from "../../support/silentLog.ts";
import { until } from "../../support/until.ts";
import type { DatabaseUnderTest } from "../databases.ts";
import { tempStore } from "../tempStore.ts";

const LOST_AT = "2026-11-20T09:32:00.000Z";
const LEASE_MS = 60_000;
const content = { sha256: "a".repeat(64), contentType: "audio/wav", bytes: 3_000_000_000 };
const archived = { status: "ARCHIVED", ...content, archivedAt: "2026-11-20T09:31:00.000Z" } as const;

export const recording = (sessionId: string, own: Partial<NewRecording> = {}): NewRecording => ({
  sessionId,
  revision: 1,
  receivedAt: "2026-11-20T09:30:00.000Z",
  url: "https://files.example/1",
  refusal: null,
  ...own,
});

async function claimOne(recordings: RecordingStore, holder = "me"): Promise<RecordingJob> {
  const [job] = await recordings.claim(holder, 1, LEASE_MS);
  if (!job) throw new Error("no recording is due");
  return job;
}

const statusOf = async (recordings: RecordingStore, sessionId: string) =>
  (await recordings.bySessions([sessionId])).get(sessionId)?.status;

export function recordingContract({ create }: DatabaseUnderTest): void {
  describe("The store of recordings", () => {
    const opened = async () => (await tempStore((await create()).url)).recordings;

    it("knows when the call of the oldest pending recording came", async () => {
      const recordings = await opened();
      expect(await recordings.oldestPending()).toBeNull();
      await recordings.add([
        recording("lost", { receivedAt: "2026-11-20T08:00:00.000Z", refusal: "no" }),
        recording("new", { receivedAt: "2026-11-20T10:00:00.000Z" }),
        recording("old", { receivedAt: "2026-11-20T09:00:00.000Z" }),
      ]);
      expect(await recordings.oldestPending()).toBe("2026-11-20T09:00:00.000Z");
    });

    it("gives each recording to one holder, newest first, and finds it by its call", async () => {
      const recordings = await opened();
      await recordings.add([]);
      await recordings.add([
        recording("old", { receivedAt: "2026-11-20T09:00:00.000Z" }),
        recording("new", { receivedAt: "2026-11-20T10:00:00.000Z" }),
        recording("middle"),
      ]);
      const claimed = await recordings.claim("me", 2, LEASE_MS);
      expect(claimed.map(({ sessionId, attempts }) => [sessionId, attempts])).toEqual([
        ["new", 1],
        ["middle", 1],
      ]);
      expect((await recordings.claim("other", 5, LEASE_MS)).map(({ sessionId }) => sessionId)).toEqual(["old"]);
      expect(await recordings.claim("other", 5, LEASE_MS)).toEqual([]);
      expect(await recordings.bySessions(["new", "unknown", "nul\0"])).toEqual(
        new Map([["new", expect.objectContaining({ status: "PENDING", sha256: null, settled: null })]]),
      );
      expect(await recordings.counts()).toEqual({ pending: 3, archived: 0, lost: 0 });
    });

    it("gives no recording to two of twelve simultaneous holders", async () => {
      const recordings = await opened();
      await recordings.add(Array.from({ length: 60 }, (_, at) => recording(`s${at}`)));
      const asked = await Promise.all(
        Array.from({ length: 12 }, (_, at) => recordings.claim(`holder ${at}`, 10, LEASE_MS)),
      );
      const claimed = asked.flat().map(({ sessionId }) => sessionId);
      expect(new Set(claimed).size).toBe(claimed.length);
      const rest = await recordings.claim("last", 60, LEASE_MS);
      expect(claimed.length + rest.length).toBe(60);
    });

    it("settles a recording once, and lists settled recordings in that order", async () => {
      const recordings = await opened();
      await recordings.add([recording("a"), recording("b")]);
      const [first, second] = await recordings.claim("me", 2, LEASE_MS);
      if (!first || !second) throw new Error("two recordings must be due");
      expect(await recordings.settle("me", first, archived)).toBe(true);
      expect(await recordings.settle("me", first, archived)).toBe(false);
      expect(await recordings.settle("me", second, { status: "LOST", failure: "gone", lostAt: LOST_AT })).toBe(true);
      const settled = await recordings.settledAfter(0, 10);
      expect(settled).toEqual([
        expect.objectContaining({ sessionId: first.sessionId, ...content, status: "ARCHIVED", failure: null }),
        expect.objectContaining({ sessionId: second.sessionId, status: "LOST", failure: "gone", lostAt: LOST_AT }),
      ]);
      expect(await recordings.settledHead()).toBe(settled[1]?.settled);
      expect(await recordings.settledAfter(settled[0]?.settled ?? 0, 10)).toEqual([settled[1]]);
      expect(await recordings.counts()).toEqual({ pending: 0, archived: 1, lost: 1 });
    });

    it("settles many recordings at once, each with its own outcome", async () => {
      const recordings = await opened();
      await recordings.add(Array.from({ length: 30 }, (_, at) => recording(`s${at}`)));
      const jobs = await recordings.claim("me", 30, LEASE_MS);
      const lost = { status: "LOST", failure: "gone", lostAt: LOST_AT } as const;
      const written = await Promise.all([
        ...jobs.map((job, at) => recordings.settle("me", job, at % 2 === 0 ? archived : lost)),
        ...jobs.slice(0, 2).map((job) => recordings.settle("me", job, archived)),
      ]);
      // A lost recording may still be archived. An archived one stays archived.
      expect(written).toEqual([...jobs.map(() => true), false, true]);
      expect(await recordings.counts()).toEqual({ pending: 0, archived: 16, lost: 14 });
      const settled = await recordings.settledAfter(0, 100);
      expect(new Set(settled.map(({ settled }) => settled)).size).toBe(30);
      expect(settled.at(-1)?.sessionId).toBe(jobs[1]?.sessionId);
    });

    it("marks a recording with a refused link as LOST, until a later revision has an accepted link", async () => {
      const recordings = await opened();
      const refused = "The link is refused: it is not https.";
      await recordings.add([
        recording("a", { refusal: refused }),
        recording("b"),
        recording("c", { refusal: refused }),
      ]);
      const settled = await recordings.settledAfter(0, 10);
      expect(settled.map(({ sessionId, status, failure }) => [sessionId, status, failure])).toEqual([
        ["a", "LOST", refused],
        ["c", "LOST", refused],
      ]);
      expect((await claimOne(recordings)).sessionId).toBe("b");
      expect(await recordings.claim("me", 1, LEASE_MS)).toEqual([]);
      await recordings.add([recording("a", { revision: 2, url: "https://files.example/2" })]);
      expect(await claimOne(recordings)).toMatchObject({ sessionId: "a", revision: 2, attempts: 1 });
      expect(await recordings.settledAfter(0, 10)).toHaveLength(1);
    });

    it("makes a postponed recording due again after its delay, with its failure", async () => {
      const recordings = await opened();
      await recordings.add([recording("a")]);
      await recordings.postpone("me", await claimOne(recordings), "not yet", 30);
      expect((await recordings.bySessions(["a"])).get("a")).toMatchObject({ status: "PENDING", failure: "not yet" });
      const again = await until(async () => (await recordings.claim("me", 1, LEASE_MS))[0]);
      expect(again.attempts).toBe(2);
    });

    it("gives a killed holder's recording to another one when its lease has expired, not before", async () => {
      const recordings = await opened();
      await recordings.add([recording("a")]);
      const [job] = await recordings.claim("killed", 1, LEASE_MS);
      await recordings.renew("killed", ["a"], LEASE_MS);
      expect(await recordings.claim("other", 1, LEASE_MS)).toEqual([]);
      await recordings.renew("killed", ["a"], 300);
      await until(async () => (await recordings.claim("other", 1, LEASE_MS))[0]);
      if (!job) throw new Error("the recording must be due");
      // The old holder can change nothing any more, except that it has archived the bytes.
      expect(await recordings.settle("killed", job, { status: "LOST", failure: "late", lostAt: LOST_AT })).toBe(false);
      await recordings.postpone("killed", job, "late", 0);
      await recordings.release("killed", job);
      expect(await recordings.claim("third", 1, LEASE_MS)).toEqual([]);
      expect(await recordings.settle("killed", job, archived)).toBe(true);
    });

    it("makes a released recording due at once, without counting an attempt", async () => {
      const recordings = await opened();
      await recordings.add([recording("a")]);
      await recordings.release("me", await claimOne(recordings));
      expect((await claimOne(recordings, "other")).attempts).toBe(1);
    });

    it("restarts a recording only with the new URL of a later revision", async () => {
      const recordings = await opened();
      await recordings.add([recording("a"), recording("a", { revision: 2, url: "https://files.example/2" })]);
      expect((await claimOne(recordings)).url).toBe("https://files.example/2");
      const fresh = { revision: 3, url: "https://files.example/3" };
      await recordings.add([recording("a", { revision: 3, url: "https://files.example/2" }), recording("a")]);
      expect(await recordings.claim("me", 1, LEASE_MS)).toEqual([]);
      await recordings.add([recording("a", fresh)]);
      const job = await claimOne(recordings);
      expect(job).toMatchObject({ ...fresh, attempts: 1 });
      await recordings.settle("me", job, { status: "LOST", failure: "gone", lostAt: LOST_AT });
      await recordings.add([recording("a", fresh)]);
      expect(await statusOf(recordings, "a")).toBe("LOST");
      await recordings.add([recording("a", { revision: 4, url: "https://files.example/4" })]);
      expect(await statusOf(recordings, "a")).toBe("PENDING");
      await recordings.settle("me", await claimOne(recordings), archived);
      await recordings.add([recording("a", { revision: 5, url: "https://files.example/5" })]);
      expect(await statusOf(recordings, "a")).toBe("ARCHIVED");
    });

    it("expires recordings with their events, and a content with its last call", async () => {
      const recordings = await opened();
      const at = (day: number) => ({ receivedAt: `2026-11-${day}T00:00:00.000Z` });
      await recordings.add([recording("old", at(10)), recording("older", at(11)), recording("young", at(20))]);
      for (const job of await recordings.claim("me", 3, LEASE_MS)) {
        await recordings.settle("me", job, { ...archived, sha256: job.sessionId === "old" ? "b" : "a" });
      }
      const before = "2026-11-15T00:00:00.000Z";
      const purge = async (receivedBefore: string, limit: number) => {
        const aged = await recordings.listExpired(receivedBefore, limit);
        expect(await recordings.listExpired(receivedBefore, limit)).toEqual(aged);
        await recordings.delete(aged.sessionIds);
        return aged;
      };
      expect(await purge(before, 1)).toEqual({ sessionIds: ["old"], contents: ["b"] });
      expect(await purge(before, 9)).toEqual({ sessionIds: ["older"], contents: [] });
      expect(await purge("2027", 9)).toEqual({ sessionIds: ["young"], contents: ["a"] });
      expect(await purge("2027", 9)).toEqual({ sessionIds: [], contents: [] });
    });
  });

  describe("A recording that the only gateway held when it was killed", () => {
    it("is due at the next start", async () => {
      const { url } = await create();
      const killed = await openStore({ url, log: silentLog, fsync: "elsewhere" });
      await killed.recordings.add([recording("a")]);
      await claimOne(killed.recordings, "killed");
      await killed[Symbol.asyncDispose]();
      expect((await claimOne((await tempStore(url)).recordings)).attempts).toBe(2);
    });
  });
}
