import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallEndedEvent } from "../../src/events/callEndedEvent.ts";
import { createLogger } from "../../src/logger.ts";
import { createEarlyEvents } from "../../src/webhook/earlyEvents.ts";
import { createEndRule } from "../../src/webhook/endRule.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { createReceiver } from "../../src/webhook/receive.ts";
import { createSeenEventNames } from "../../src/webhook/seenEventNames.ts";
import { logOver, NOW } from "../events/callEnded.ts";
import { databases } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { body } from "./delivery.ts";

const GOES_ON = {
  caller: "",
  answer_at: "",
  end_at: "",
  duration: 0,
  billsec: 0,
  ring_time: 0,
  hangup_side: "",
  hangup_reason: "",
  record_url: "",
  extra: null,
};

/** What a service may tell of one call, by name. The end leaves fields out that others have. */
const DELIVERIES = {
  call_started: { ...GOES_ON, start_at: "2026-11-20 08:59:59", caller: "A069" },
  call_answered: { ...GOES_ON, answer_at: "2026-11-20 09:00:07", extra: { lead: "7" } },
  recording_ready: { ...GOES_ON, record_url: "https://files.example/late.mp3", task_id: 8 },
  /** It shows an end, and EVENT_NAMES does not have its name. */
  call_analyzed: { duration: 61, hangup_reason: "analyzed", extra: { mood: "good" } },
  call_ended: { caller: "", answer_at: "", billsec: "", hangup_reason: "", record_url: "", extra: null },
  call_corrected: { duration: 60, end_at: "2026-11-20 09:01:01", caller: "" },
};
type Name = keyof typeof DELIVERIES;
const NAMES = Object.keys(DELIVERIES) as Name[];
const ENDS: readonly Name[] = ["call_ended", "call_corrected"];

describe.each(databases)("Events that come before the end of their call, on %s", (kind, database) => {
  async function setUp() {
    const store = await tempStore((await database.create()).url);
    const { quarantine } = store;
    const log = createLogger({ level: "silent", secrets: [] });
    const events = await logOver(store.events);
    const parse = createParseCallEnded("Asia/Shanghai");
    const earlyEvents = createEarlyEvents({ events, quarantine, parse, keepsBodies: true });
    const eventNames = createSeenEventNames({ store: store.eventNames, log });
    const whyNoEnd = createEndRule(ENDS);
    const own = { events, quarantine, parse, keepsBodies: true, clock: () => NOW, log };
    const { receive } = createReceiver({ ...own, accepted: () => [], whyNoEnd, earlyEvents, eventNames });
    const told = async (sessionId: string) => {
      const page = { first: 100_000, after: null, filter: {}, order: "oldestFirst" } as const;
      const of = (all: readonly CallEndedEvent[]) => all.filter((event) => event.sessionId === sessionId);
      return {
        first: of((await events.page({ ...page, revisions: false })).events),
        all: of((await events.page({ ...page, revisions: true })).events),
      };
    };
    return {
      ...store,
      events,
      told,
      deliver: (sessionId: string, name: Name) =>
        receive(body({ session_id: sessionId, ...DELIVERIES[name] }, { event_name: name })),
      /** As the durable reader does. */
      readOn: async (sessionId: string) =>
        earlyEvents.handle((await told(sessionId)).all, new AbortController().signal),
    };
  }

  it("add what the end leaves out, once it has come, and are no longer kept aside", async () => {
    const { deliver, readOn, told, quarantine, events } = await setUp();
    for (const name of ["call_started", "call_answered", "recording_ready"] as const)
      expect(await deliver("a", name)).toBe("not_ended");
    await readOn("a");
    expect((await told("a")).all).toEqual([]);
    await deliver("b", "call_started");
    expect(await deliver("a", "call_ended")).toBe("appended");
    await readOn("a");
    expect(await events.bySession("a")).toMatchObject({
      eventName: "call_ended",
      caller: "A069",
      answerAt: "2026-11-20T01:00:07.000Z",
      extra: { lead: "7" },
      recordUrl: "https://files.example/late.mp3",
      duration: expect.any(Number) as number,
      billsec: null,
    });
    expect((await told("a")).first).toMatchObject([{ revision: 1, eventName: "call_ended", answerAt: null }]);
    expect(await quarantine.count("NOT_ENDED")).toBe(1);
    const { all } = await told("a");
    await readOn("a");
    expect((await told("a")).all).toEqual(all);
  });

  it("are added by their own delivery, where the reader of ends has passed the end before they were kept", async () => {
    const { deliver, events, quarantine } = await setUp();
    const add = quarantine.add.bind(quarantine);
    quarantine.add = async (delivery) => {
      await add(delivery);
      if (delivery.kind === "NOT_ENDED") await deliver("a", "call_ended");
    };
    expect(await deliver("a", "recording_ready")).toBe("not_ended");
    expect(await events.bySession("a")).toMatchObject({ recordUrl: "https://files.example/late.mp3", revision: 2 });
    expect(await quarantine.count("NOT_ENDED")).toBe(0);
  });

  it("make the same call in whatever order they, the ends and repetitions come, and its first event is an end", async () => {
    const { deliver, readOn, told } = await setUp();
    let run = 0;
    const orders = fc.subarray(NAMES, { minLength: 2 }).chain((names) =>
      fc.record({
        one: fc.constant(names),
        other: fc.shuffledSubarray([...names, ...names], { minLength: 2 * names.length }),
        /** After how many deliveries the reader of ends goes on; it always does at last. */
        readsAt: fc.subarray(Array.from({ length: 2 * names.length }, (_, at) => at)),
      }),
    );
    async function callAfter(names: readonly Name[], readsAt: readonly number[]) {
      run += 1;
      const id = `call ${run}`;
      for (const [at, name] of names.entries()) {
        await deliver(id, name);
        if (readsAt.includes(at)) await readOn(id);
      }
      await readOn(id);
      return told(id);
    }
    /** As a client sees it, apart from its place and how many revisions it took. */
    const shown = ({
      sessionId: _id,
      cursor: _cursor,
      revision: _revision,
      origins: _origins,
      ...call
    }: CallEndedEvent) => JSON.stringify(call);
    await fc.assert(
      fc.asyncProperty(orders, async ({ one, other, readsAt }) => {
        const [left, right] = [await callAfter(one, []), await callAfter(other, readsAt)];
        expect(right.all.slice(-1).map(shown)).toEqual(left.all.slice(-1).map(shown));
        const ends = other.filter((name) => ENDS.includes(name));
        expect(right.first.map(({ eventName }) => eventName)).toEqual(ends.slice(0, 1));
        // With one end, a subscriber is told the same event in any order.
        if (new Set(ends).size === 1) expect(right.first.map(shown)).toEqual(left.first.map(shown));
      }),
      { numRuns: kind === "SQLite" ? 20 : 5 },
    );
  });
});
