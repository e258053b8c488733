import { describe, expect, it, onTestFinished } from "vitest";
import { createSubmissionService } from "../../src/tasks/submissionService.ts";
import { startSettling } from "../../src/tasks/startSettling.ts";
import { createSignal } from "../../src/util/signal.ts";
import { databases } from "../store/databases.ts";
import { ANY_QUOTA, submission, tempStore } from "../store/tempStore.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";

describe.each(databases)("startSettling() on %s", (name, { create }) => {
  it("makes what a killed gateway left PENDING UNCONFIRMED, though nobody reads it, and leaves what is being sent", async () => {
    const { url } = await create();
    const store = await tempStore(url);
    // A SQLite file has one gateway.
    const other = name === "SQLite" ? store : await tempStore(url);
    const changes = createSignal();
    const deps = { changes, correlates: true, clock: Date.now, log: silentLog };
    const own = createSubmissionService({ ...store, ...deps });
    const sender = name === "SQLite" ? own : createSubmissionService({ ...other, ...deps });
    await store.submissions.claim(submission({ id: "left", idempotencyKey: "1" }), ANY_QUOTA);
    await store.submissions.claim(
      submission({ id: "sent", idempotencyKey: "2", submittedAt: "2026-11-20T09:31:00.000Z" }),
      ANY_QUOTA,
    );
    expect((await store.submissions.listPending(1)).map(({ id }) => id)).toEqual(["left"]);

    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const sending = sender.whileSending("sent", () => (begun.resolve(), end.promise));
    await begun.promise;
    let rounds = 0;
    const submissions = { listPending: (limit: number) => (rounds++, store.submissions.listPending(limit)) };
    const settling = startSettling({ submissions, submissionService: own, log: silentLog, intervalMs: 5 });
    onTestFinished(() => settling[Symbol.asyncDispose]());
    await until(() => rounds > 3);
    expect((await store.submissions.byId("left"))?.status).toBe("UNCONFIRMED");
    expect((await store.submissions.byId("sent"))?.status).toBe("PENDING");
    end.resolve();
    await sending;
    await until(async () => (await store.submissions.byId("sent"))?.status === "UNCONFIRMED");
  });

  it("goes on after the database failed", async () => {
    let rounds = 0;
    const listPending = () => Promise.reject(new Error(`the database is away ${(rounds += 1)}`));
    const warned: string[] = [];
    const log = { ...silentLog, warn: (_: object, message: string) => void warned.push(message) };
    const submissionService = { byId: async () => null };
    const settling = startSettling({ submissions: { listPending }, submissionService, log, intervalMs: 5 });
    onTestFinished(() => settling[Symbol.asyncDispose]());
    await until(() => rounds > 2);
    expect(warned[0]).toBe("pending submissions could not be settled; it is tried again");
  });
});
