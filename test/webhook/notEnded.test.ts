import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import { createEarlyEvents } from "../../src/webhook/earlyEvents.ts";
import { createEndRule } from "../../src/webhook/endRule.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { createReceiver } from "../../src/webhook/receive.ts";
import { createReprocess } from "../../src/webhook/reprocess.ts";
import { createSeenEventNames } from "../../src/webhook/seenEventNames.ts";
import { logOver, NOW } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { encodeText } from "../support/encodeText.ts";
import { body } from "./delivery.ts";

const NO_END = { answer_at: "", end_at: "", duration: 0, billsec: 0, hangup_side: "", hangup_reason: "" };
const started = (session_id: string) => body({ session_id, ...NO_END }, { event_name: "call_started" });
const ended = (session_id: string) => body({ session_id });

describe.each(databases)("A webhook that is not the end of a call, on %s", (_, database) => {
  async function setUp(names: readonly string[] = []) {
    const store = await tempStore((await database.create()).url);
    const { quarantine, eventNames } = store;
    const lines: string[] = [];
    const log = createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) });
    const events = await logOver(store.events);
    const parse = createParseCallEnded("Asia/Shanghai");
    const own = { events, quarantine, parse, keepsBodies: true, clock: () => NOW, log };
    const seen = createSeenEventNames({ store: eventNames, log });
    const earlyEvents = createEarlyEvents(own);
    const receiving = {
      ...own,
      accepted: () => ["value"],
      whyNoEnd: createEndRule(names),
      earlyEvents,
      eventNames: seen,
    };
    return {
      ...store,
      log: events,
      lines,
      receive: createReceiver(receiving).receive,
      reprocessWith: (others: readonly string[]) => createReprocess({ ...own, whyNoEnd: createEndRule(others) }),
      aside: () => quarantine.page({ kind: "NOT_ENDED", after: null, limit: 99, bodyBytes: 99_999 }),
    };
  }

  it("is kept aside once, and its call begins with its end", async () => {
    const { receive, log, quarantine, aside } = await setUp();
    expect(await receive(started("a"))).toBe("not_ended");
    expect(await receive(started("a"))).toBe("not_ended");
    expect(await log.bySession("a")).toBeNull();
    expect(await receive(ended("a"))).toBe("appended");
    expect(await log.bySession("a")).toMatchObject({ revision: 1, eventName: "call_ended" });
    expect([await quarantine.count("UNREADABLE"), await quarantine.count("NOT_ENDED")]).toEqual([0, 1]);
    const [kept] = await aside();
    expect(kept).toMatchObject({ kind: "NOT_ENDED", reason: "The event does not show that its call has ended." });
    expect(Buffer.from(kept?.body ?? [])).toEqual(started("a"));
  });

  it("adds to a call that has ended, such as its recording", async () => {
    const { receive, log, aside } = await setUp();
    await receive(body({ session_id: "a", record_url: "" }));
    const recorded = { session_id: "a", record_url: "https://files.example/late.mp3" };
    expect(await receive(body({ ...recorded, ...NO_END }, { event_name: "recording_ready" }))).toBe("revised");
    expect(await log.bySession("a")).toMatchObject({ recordUrl: recorded.record_url, eventName: "call_ended" });
    expect(await aside()).toEqual([]);
  });

  it("is read again once EVENT_NAMES has its name", async () => {
    const { receive, log, aside, reprocessWith, quarantine } = await setUp(["CallEnd"]);
    expect(await receive(ended("a"))).toBe("not_ended");
    const [{ id, reason } = { id: 0, reason: "" }] = await aside();
    expect(reason).toBe("EVENT_NAMES does not have the event's name.");
    expect(await reprocessWith(["CallEnd"])(id, "ops")).toEqual({ event: null, reason });
    expect(await reprocessWith(["call_ended"])(id, "ops")).toMatchObject({ event: { sessionId: "a", revision: 1 } });
    expect(await quarantine.count("NOT_ENDED")).toBe(0);
    expect(await log.bySession("a")).not.toBeNull();
  });

  it("has its name shown once, with masked digits, and one line in the log", async () => {
    const { receive, eventNames, lines } = await setUp();
    for (const name of ["call_started", "call_started", "ring 13800010001"])
      await receive(body({ session_id: name, ...NO_END }, { event_name: name }));
    await receive(ended("b"));
    await receive(body({ session_id: "c" }, { event_name: null }));
    const names = await eventNames.all();
    expect(new Map(names.map(({ name, isEnd }) => [name, isEnd]))).toEqual(
      new Map<string | null, boolean>([
        ["call_started", false],
        ["ring ***01", false],
        ["call_ended", true],
        [null, true],
      ]),
    );
    expect(lines.filter((line) => line.includes("it is kept aside"))).toHaveLength(2);
    expect(lines.join("")).not.toContain("13800010001");
  });

  it("has a bounded number of names, and is kept nevertheless", async () => {
    const { receive, eventNames, quarantine } = await setUp();
    for (let at = 0; at < 60; at += 1)
      await receive(body({ session_id: `${at}`, ...NO_END }, { event_name: `odd ${at}` }));
    expect(await eventNames.all()).toHaveLength(50);
    expect(await quarantine.count("NOT_ENDED")).toBe(60);
  });

  it("expires alone, before deliveries that could not be read", async () => {
    const { receive, quarantine } = await setUp();
    await receive(started("a"));
    await receive(Buffer.from("{"));
    expect(await quarantine.purgeNotEnded("2027-01-01T00:00:00.000Z", 10)).toBe(1);
    expect([await quarantine.count("UNREADABLE"), await quarantine.count("NOT_ENDED")]).toEqual([1, 0]);
    expect(await quarantine.purge("2027-01-01T00:00:00.000Z", 10)).toBe(1);
  });
});

describe.each(databases)("A webhook in another charset, on %s", (_, database) => {
  async function setUp() {
    const store = await tempStore((await database.create()).url);
    const log = createLogger({ level: "silent", secrets: [] });
    const events = await logOver(store.events);
    const parse = createParseCallEnded("Asia/Shanghai");
    const own = { events, quarantine: store.quarantine, parse, whyNoEnd: createEndRule([]), clock: () => NOW, log };
    const eventNames = createSeenEventNames({ store: store.eventNames, log });
    const earlyEvents = createEarlyEvents({ ...own, keepsBodies: true });
    const { receive } = createReceiver({ ...own, keepsBodies: true, accepted: () => [], earlyEvents, eventNames });
    return { ...store, log: events, receive, reprocess: createReprocess({ ...own, keepsBodies: true }) };
  }
  const gbk = encodeText(body().toString(), "gbk");

  it("is read where it is declared, and its body is kept as UTF-8", async () => {
    const { receive, log, rawDeliveries } = await setUp();
    expect(await receive(gbk, { "content-type": "application/json;charset=gbk" })).toBe("appended");
    expect(await log.bySession("s-1")).toMatchObject({ extra: { 姓名: "张三" } });
    expect(Buffer.from((await rawDeliveries.at(1)) ?? [])).toEqual(body());
  });

  it("waits with the declared charset where that is wrong, and is read in a named one", async () => {
    const { receive, log, quarantine, reprocess } = await setUp();
    expect(await receive(gbk, { "content-type": "application/json; charset=UTF-8" })).toBe("quarantined");
    const page = { kind: "UNREADABLE", after: null, limit: 1, bodyBytes: 99_999 } as const;
    const [{ id, charset, body: kept } = { id: 0, charset: null, body: gbk }] = await quarantine.page(page);
    expect([charset, Buffer.from(kept)]).toEqual(["UTF-8", gbk]);
    expect(await reprocess(id, "ops")).toEqual({ event: null, reason: "The body is not JSON." });
    expect(await reprocess(id, "ops", "utf-16le")).toMatchObject({ event: null });
    expect(await reprocess(id, "ops", "gbk")).toMatchObject({ event: { extra: { 姓名: "张三" } }, reason: null });
    expect(await log.bySession("s-1")).toMatchObject({ revision: 1 });
    expect(await quarantine.count("UNREADABLE")).toBe(0);
  });

  it("is read where it is compressed, and waits as it came where it is not what its head says", async () => {
    const { receive, quarantine } = await setUp();
    expect(await receive(gzipSync(body()), { "content-encoding": "gzip" })).toBe("appended");
    const cut = gzipSync(body({ session_id: "b" })).subarray(0, -9);
    expect(await receive(cut, { "content-encoding": "gzip" })).toBe("quarantined");
    expect(await receive(gzipSync(Buffer.alloc(1_000_000)), { "content-encoding": "gzip" })).toBe("quarantined");
    const kept = await quarantine.page({ kind: "UNREADABLE", after: null, limit: 9, bodyBytes: 99_999 });
    expect(kept.map(({ reason }) => reason)).toEqual(Array(2).fill("The body is not what its Content-Encoding says."));
    expect(Buffer.from(kept[1]?.body ?? [])).toEqual(cut);
  });

  it.each(["gzip", "br", "compress", "gzip, gzip", "binary", "8bit", "aws-chunked"])(
    "is read where it is plain, and only its head says %s",
    async (encoding) => {
      const { receive } = await setUp();
      expect(await receive(body(), { "content-encoding": encoding })).toBe("appended");
    },
  );
});
