import { Kysely } from "kysely";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { DatabaseUnderTest } from "../databases.ts";
import { ANY_QUOTA, open, submission, tempStore } from "../tempStore.ts";

const delivery = (body: Uint8Array, reason = "The body is not JSON.") => ({
  receivedAt: "2026-11-20T09:30:00.000Z",
  kind: "UNREADABLE" as const,
  reason,
  charset: null, sessionId: null,
  body,
});

export function keepContract({ create }: DatabaseUnderTest): void {
  const fresh = async () => tempStore((await create()).url);

  describe("The quarantine", () => {
    it("keeps an unreadable delivery byte by byte", async () => {
      const { url, ask } = await create();
      const bodies = [Buffer.from([0, 255, 0, 13, 10, 0xd8, 0x00]), Buffer.alloc(0), Buffer.alloc(256 * 1024, 7)];
      const store = await open(url);
      for (const body of bodies) await store.quarantine.add(delivery(body));
      expect(await store.quarantine.count("UNREADABLE")).toBe(3);
      await store[Symbol.asyncDispose]();
      const rows = await ask("select body, reason, received_at from quarantine order by id");
      expect(
        rows.map((row) => Buffer.from(row["body"] as Uint8Array).equals(bodies[rows.indexOf(row)] as Buffer)),
      ).toEqual([true, true, true]);
      expect(rows[0]).toMatchObject({ reason: "The body is not JSON.", received_at: "2026-11-20T09:30:00.000Z" });
    });

    it("keeps a delivery once that comes a hundred times", async () => {
      const { quarantine } = await fresh();
      const again = () => quarantine.add(delivery(Buffer.from("{"), "Another reason."));
      await Promise.all(Array.from({ length: 100 }, again));
      expect(await quarantine.count("UNREADABLE")).toBe(1);
      await quarantine.add(delivery(Buffer.from("{ ")));
      expect(await quarantine.count("UNREADABLE")).toBe(2);
    });
  });

  describe("A94: many unreadable deliveries at once", () => {
    it("are all kept, equal ones once, in few transactions", async () => {
      const { quarantine } = await fresh();
      const bodies = Array.from({ length: 150 }, (_, at) => Buffer.from(`{ ${at % 100}`));
      const transactions = vi.spyOn(Kysely.prototype, "transaction");
      onTestFinished(() => transactions.mockRestore());
      await Promise.all(bodies.map((body) => quarantine.add(delivery(body))));
      expect(transactions.mock.calls.length).toBeLessThan(20);
      const kept = await quarantine.page({ kind: "UNREADABLE", after: null, limit: 200, bodyBytes: 100 });
      const texts = kept.map(({ body }) => Buffer.from(body).toString());
      expect(texts.toSorted()).toEqual([...new Set(bodies.map(String))].toSorted());
    });

    it("are kept though one of them is refused", async () => {
      const { quarantine } = await fresh();
      const good = Array.from({ length: 10 }, (_, at) => delivery(Buffer.from(`{ ${at}`)));
      const refused = { ...delivery(Buffer.from("x")), reason: null as unknown as string };
      const outcomes = await Promise.allSettled([refused, ...good].map((each) => quarantine.add(each)));
      expect(outcomes.map(({ status }) => status)).toEqual(["rejected", ...good.map(() => "fulfilled")]);
      expect(await quarantine.count("UNREADABLE")).toBe(10);
    });
  });

  describe("Claiming an idempotency key", () => {
    it("returns the first submission to later ones", async () => {
      const { submissions } = await fresh();
      const first = submission({ id: "1" });
      expect(await submissions.claim(first, ANY_QUOTA)).toEqual({ claimed: true });
      const second = submission({ id: "2", inputSha256: "b".repeat(64), name: "Other" });
      expect(await submissions.claim(second, ANY_QUOTA)).toEqual({ claimed: false, holder: first });
      expect(await submissions.byId("2")).toBeNull();
    });

    it("succeeds for one of 50 simultaneous submissions", async () => {
      const { submissions } = await fresh();
      const claims = await Promise.all(
        Array.from({ length: 50 }, (_, at) => submissions.claim(submission({ id: `${at}` }), ANY_QUOTA)),
      );
      const holders = claims.flatMap((claim) => (claim.claimed ? [] : [claim.holder?.id]));
      expect(holders).toHaveLength(49);
      expect(new Set(holders).size).toBe(1);
    });

    it("succeeds with another viewer or another spelling of the key", async () => {
      const { submissions } = await fresh();
      const others = [{}, { viewer: "ops" }, { idempotencyKey: "KEY" }, { idempotencyKey: "key " }];
      const claims = await Promise.all(others.map((own, at) => submissions.claim(submission({ id: `${at}`, ...own }), ANY_QUOTA)));
      expect(claims).toEqual(others.map(() => ({ claimed: true })));
    });

    it("is on disk when the promise resolves", async () => {
      const { url } = await create();
      const store = await open(url);
      await store.submissions.claim(submission({ id: "1" }), ANY_QUOTA);
      await store[Symbol.asyncDispose]();
      const { submissions } = await tempStore(url);
      expect(await submissions.byId("1")).toEqual(submission({ id: "1" }));
    });
  });

  describe("A stored submission", () => {
    it("keeps its status", async () => {
      const { submissions } = await fresh();
      await submissions.claim(submission({ id: "1" }), ANY_QUOTA);
      await submissions.settle("1", "ACCEPTED");
      expect(await submissions.byId("1")).toEqual(submission({ id: "1", status: "ACCEPTED" }));
      const again = await submissions.claim(submission({ id: "2" }), ANY_QUOTA);
      expect(again).toMatchObject({ claimed: false, holder: { id: "1", status: "ACCEPTED" } });
    });

    it("frees its key when it is released", async () => {
      const { submissions } = await fresh();
      await submissions.claim(submission({ id: "1" }), ANY_QUOTA);
      await submissions.release("1");
      expect(await submissions.byId("1")).toBeNull();
      expect(await submissions.claim(submission({ id: "2" }), ANY_QUOTA)).toEqual({ claimed: true });
    });

    it("fails with STORE_UNAVAILABLE if its status is unknown", async () => {
      const { url, ask } = await create();
      const store = await open(url);
      await store.submissions.claim(submission({ id: "1" }), ANY_QUOTA);
      await store[Symbol.asyncDispose]();
      await ask("update submissions set status = 'LOST'");
      const { submissions } = await tempStore(url);
      await expect(submissions.byId("1")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    });
  });

  describe("Purging the quarantine", () => {
    it("deletes old deliveries in steps, oldest first", async () => {
      const { quarantine } = await fresh();
      for (const day of ["03", "01", "02"]) {
        const receivedAt = `2026-11-${day}T00:00:00.000Z`;
        await quarantine.add({ ...delivery(Buffer.from(day)), receivedAt });
      }
      const purge = (limit: number) => quarantine.purge("2026-11-03T00:00:00.000Z", limit);
      expect([await purge(1), await purge(10), await purge(10)]).toEqual([1, 1, 0]);
      expect(await quarantine.page({ kind: "UNREADABLE", after: null, limit: 10, bodyBytes: 10 })).toMatchObject([
        { receivedAt: "2026-11-03T00:00:00.000Z" },
      ]);
    });
  });

  describe("The stores of one database", () => {
    it("keep their simultaneous transactions apart", async () => {
      const { events, submissions, quarantine } = await fresh();
      const work = Array.from({ length: 30 }, (_, at) => [
        submissions.claim(submission({ id: `${at}`, idempotencyKey: `${at}` }), ANY_QUOTA),
        quarantine.add(delivery(Buffer.from(`${at}`))),
        events.purge("2000", 10),
        events.head(),
      ]);
      await Promise.all(work.flat());
      expect(await quarantine.count("UNREADABLE")).toBe(30);
    });
  });

  describe("The signing key of cursors", () => {
    it("has 32 bytes, stays over a restart, and differs in another database", async () => {
      const [a, b] = [await create(), await create()];
      const first = await open(a.url);
      await first[Symbol.asyncDispose]();
      const [again, other] = [await tempStore(a.url), await tempStore(b.url)];
      expect(again.signingKey).toHaveLength(32);
      expect(again.signingKey).toEqual(first.signingKey);
      expect(again.signingKey).not.toEqual(other.signingKey);
    });
  });
}
