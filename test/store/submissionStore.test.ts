import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { submission, tempFile, tempStore } from "./tempStore.ts";

describe("a key is claimed by one submission", () => {
  it("and whoever comes later is given the one that has it", async () => {
    const { submissions } = await tempStore();
    const first = submission({ id: "1" });
    expect(await submissions.claim(first)).toEqual({ claimed: true });
    const second = submission({ id: "2", inputSha256: "b".repeat(64), name: "Other" });
    expect(await submissions.claim(second)).toEqual({ claimed: false, holder: first });
    expect(await submissions.byId("2")).toBeNull();
  });

  it("also when many come at once", async () => {
    const { submissions } = await tempStore();
    const claims = await Promise.all(
      Array.from({ length: 50 }, (_, at) => submissions.claim(submission({ id: `${at}` }))),
    );
    const holders = claims.flatMap((claim) => (claim.claimed ? [] : [claim.holder.id]));
    expect(holders).toHaveLength(49);
    expect(new Set(holders).size).toBe(1);
  });

  it("while another viewer's, or another spelling, is another key", async () => {
    const { submissions } = await tempStore();
    const others = [{}, { viewer: "ops" }, { idempotencyKey: "KEY" }, { idempotencyKey: "key " }];
    const claims = await Promise.all(others.map((own, at) => submissions.claim(submission({ id: `${at}`, ...own }))));
    expect(claims).toEqual(others.map(() => ({ claimed: true })));
  });

  it("and it is on disk then", async () => {
    const file = tempFile();
    const store = await openStore(file);
    await store.submissions.claim(submission({ id: "1" }));
    await store[Symbol.asyncDispose]();
    const { submissions } = await tempStore(file);
    expect(await submissions.byId("1")).toEqual(submission({ id: "1" }));
  });
});

describe("a submission", () => {
  it("keeps its outcome", async () => {
    const { submissions } = await tempStore();
    await submissions.claim(submission({ id: "1" }));
    await submissions.settle("1", "ACCEPTED");
    expect(await submissions.byId("1")).toEqual(submission({ id: "1", status: "ACCEPTED" }));
    const again = await submissions.claim(submission({ id: "2" }));
    expect(again).toMatchObject({ claimed: false, holder: { id: "1", status: "ACCEPTED" } });
  });

  it("gives its key back when it is released", async () => {
    const { submissions } = await tempStore();
    await submissions.claim(submission({ id: "1" }));
    await submissions.release("1");
    expect(await submissions.byId("1")).toBeNull();
    expect(await submissions.claim(submission({ id: "2" }))).toEqual({ claimed: true });
  });

  it("that was being sent when the gateway ended is UNCONFIRMED, and no other", async () => {
    const { submissions } = await tempStore();
    for (const id of ["1", "2", "3", "4"]) await submissions.claim(submission({ id, idempotencyKey: id }));
    await submissions.settle("2", "REJECTED");
    await submissions.settle("3", "ACCEPTED");
    expect(await submissions.settleAbandoned()).toBe(2);
    const statuses = await Promise.all(["1", "2", "3", "4"].map(async (id) => (await submissions.byId(id))?.status));
    expect(statuses).toEqual(["UNCONFIRMED", "REJECTED", "ACCEPTED", "UNCONFIRMED"]);
    expect(await submissions.settleAbandoned()).toBe(0);
  });

  it("of a status that nobody knows is not shown as something else", async () => {
    const file = tempFile();
    const store = await openStore(file);
    await store.submissions.claim(submission({ id: "1" }));
    await store[Symbol.asyncDispose]();
    {
      using database = new DatabaseSync(file);
      database.exec("update submissions set status = 'LOST'");
    }
    const { submissions } = await tempStore(file);
    await expect(submissions.byId("1")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  });
});
