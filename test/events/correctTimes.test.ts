import { describe, expect, it } from "vitest";
import { correctTimes } from "../../src/events/correctTimes.ts";
import { wasAnswered, type CallEndedEvent, type EventSource } from "../../src/events/callEndedEvent.ts";
import { openEventLog } from "../../src/events/eventLog.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { silentLog } from "../support/silentLog.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { databases } from "../store/databases.ts";
import { open } from "../store/tempStore.ts";
import { callEnded, tempLog } from "./callEnded.ts";

const EPOCH = "1970-01-01T00:00:00.000Z";
const UNANSWERED = { answerAt: EPOCH, billsec: 0, duration: 20 };

describe.each(databases)("Times that no call can have, in a log on %s", (_, database) => {
  /** Hands the log to the reader from its oldest entry to its newest. */
  async function setUp() {
    const log = await tempLog({}, (await database.create()).url);
    const correct = correctTimes(log);
    const page = { filter: {}, revisions: true, order: "oldestFirst", after: null, first: 100 } as const;
    return {
      log,
      correctAll: async () => correct((await log.page(page)).events),
      isAnswered: async (sessionId: string) => wasAnswered((await log.bySession(sessionId)) as CallEndedEvent),
    };
  }
  const revisionOf = (event: CallEndedEvent | null) => event?.revision;

  it.each<EventSource>(["WEBHOOK", "RECONCILED"])("are taken out of a call that came as %s, once", async (source) => {
    const { log, correctAll, isAnswered } = await setUp();
    await log.append(callEnded({ sessionId: "old", ...UNANSWERED }), source);
    await log.append(callEnded({ sessionId: "real" }), source);
    expect(await isAnswered("old")).toBe(true);
    await correctAll();
    await correctAll();
    expect([await isAnswered("old"), await isAnswered("real")]).toEqual([false, true]);
    const corrected = await log.bySession("old");
    expect(corrected).toMatchObject({
      answerAt: null,
      revision: 2,
      source,
      unread: [],
      endAt: "2026-11-20T09:01:00.000Z",
    });
    expect(revisionOf(await log.bySession("real"))).toBe(1);
    // The delivery, sent again and read by this version, adds nothing.
    const again = callEnded({ sessionId: "old", ...UNANSWERED, answerAt: null });
    expect(await log.append(again, source)).toBe("known");
  });

  it("are taken out of a call of several deliveries, whose other values stay", async () => {
    const { log, correctAll, isAnswered } = await setUp();
    await log.append(callEnded({ sessionId: "old", ...UNANSWERED, ringTime: null }), "RECONCILED");
    await log.append(callEnded({ sessionId: "old", ...UNANSWERED, ringTime: 7, endAt: EPOCH }), "WEBHOOK");
    await correctAll();
    await correctAll();
    expect(await isAnswered("old")).toBe(false);
    expect(await log.bySession("old")).toMatchObject({
      answerAt: null,
      endAt: "2026-11-20T09:01:00.000Z",
      ringTime: 7,
    });
  });

  it.each(["2038-01-18T00:00:00.000Z", "2099-12-31T15:59:59.000Z"])("may be after all calls: %s", async (answerAt) => {
    const { log, correctAll, isAnswered } = await setUp();
    await log.append(callEnded({ sessionId: "late", ...UNANSWERED, answerAt }), "WEBHOOK");
    await correctAll();
    await correctAll();
    expect(await isAnswered("late")).toBe(false);
    expect(await log.bySession("late")).toMatchObject({ answerAt: null, revision: 2, unread: [] });
  });

  it("are noted as unread where they stand for no calendar's first day", async () => {
    const { log, correctAll } = await setUp();
    await log.append(callEnded({ sessionId: "old", startAt: "1987-06-05T04:03:02.000Z" }), "WEBHOOK");
    await correctAll();
    const unread = [{ field: "startAt", text: "1987-06-05T04:03:02.000Z" }];
    expect(await log.bySession("old")).toMatchObject({ startAt: null, unread, revision: 2 });
  });

  it("are taken out of a log that an earlier version has read by a narrower rule", async () => {
    const { url } = await database.create();
    const rest = { clock: Date.now, checkpointMs: 1_000_000, isCheckDue: false, log: silentLog };
    const page = { filter: {}, revisions: true, order: "newestFirst", after: null, first: 1 } as const;
    {
      await using store = await open(url);
      const signer = createSigner(store.signingKey);
      await using log = await openEventLog({ ...rest, store: store.events, signer });
      await log.append(
        callEnded({ sessionId: "late", ...UNANSWERED, answerAt: "2099-12-31T15:59:59.000Z" }),
        "WEBHOOK",
      );
      const { headCursor } = await log.page(page);
      // What the version that believed far times has stored: it had read everything.
      await store.readers.advance("believable times", headCursor);
    }
    await using gateway = await startGateway(NO_SERVICE, { DATABASE_URL: url, DATABASE_FSYNC: "elsewhere" });
    const query = '{ callEnded(sessionId: "late") { answered answerAt revision } }';
    const corrected = { answered: false, answerAt: null, revision: 2 };
    const ask = () => gateway.ask<{ callEnded: { revision: number } }>(query);
    await until(async () => (await ask()).data?.callEnded.revision === 2);
    expect((await ask()).data).toEqual({ callEnded: corrected });
  });
});
