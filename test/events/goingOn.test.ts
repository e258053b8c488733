import { DatabaseSync } from "node:sqlite";
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openEventLog, type EventLog } from "../../src/events/eventLog.ts";
import { silentLog } from "../support/silentLog.ts";
import { callEndedEvents, followCallEnded, followStream } from "../../src/resolvers/callEnded.ts";
import { world } from "../resolvers/world.ts";
import { open, tempFile } from "../store/tempStore.ts";
import { callEnded, NOW, signer, sessions } from "./callEnded.ts";

/** A log with entries s0, s1 and so on, some of them damaged in its file. */
async function damagedLog(entries: number, damaged: readonly number[], isExamined: boolean) {
  const file = tempFile();
  const openLog = async () => {
    const store = await open(`file:${file}`);
    const known = isExamined ? store.damagedPositions : [];
    const log = await openEventLog({
      store: store.events,
      signer,
      clock: () => NOW,
      damaged: known,
      checkpointMs: 60_000,
      log: silentLog,
    });
    return { store, log, close: async () => (await log[Symbol.asyncDispose](), store[Symbol.asyncDispose]()) };
  };
  const written = await openLog();
  for (let at = 0; at < entries; at += 1) await written.log.append(callEnded({ sessionId: `s${at}` }), "WEBHOOK");
  await written.close();
  {
    using database = new DatabaseSync(file);
    const damage = database.prepare("update events set data = replace(data, 'normal', 'nornal') where session_id = ?");
    for (const at of damaged) damage.run(`s${at}`);
  }
  return openLog();
}

type Failure = { code?: string; cursor?: string };

/** Reads page after page, and continues after the cursor of each error. Returns the entries and the number of errors. */
async function readPages(log: EventLog, first: number, order: "oldestFirst" | "newestFirst") {
  const { context } = world({ own: { events: log } });
  const received: string[] = [];
  let after: string | null = null;
  for (let errors = 0; ;) {
    try {
      const page = await callEndedEvents({ first, after, order, revisions: true }, context);
      received.push(...page.edges.map(({ node }) => node.sessionId));
      if (!page.pageInfo.hasNextPage) return { received, errors };
      after = page.pageInfo.endCursor();
    } catch (error) {
      const { code, cursor } = error as Failure;
      expect([code, typeof cursor]).toEqual(["STORE_UNAVAILABLE", "string"]);
      after = cursor ?? null;
      errors += 1;
    }
  }
}

/** Subscribes to `callEnded`, and resumes after the cursor of each error, until `count` events were received. */
async function readStream(log: EventLog, count: number): Promise<string[]> {
  const { context } = world({ own: { events: log } });
  const received: string[] = [];
  let after = log.oldestCursor();
  while (received.length < count) {
    const stream = await followCallEnded({ after, revisions: true }, context);
    try {
      while (received.length < count) {
        const { value } = await stream.next();
        received.push(value.sessionId);
        after = value.cursor;
      }
    } catch (error) {
      const { code, cursor } = error as Failure;
      expect(code).toBe("CURSOR_EXPIRED");
      after = cursor ?? "none";
    } finally {
      await stream.return?.();
    }
  }
  return received;
}

const logs = fc.integer({ min: 1, max: 7 }).chain((entries) =>
  fc.record({
    entries: fc.constant(entries),
    damaged: fc.subarray(Array.from({ length: entries }, (_, at) => at)),
    first: fc.integer({ min: 1, max: 4 }),
    order: fc.constantFrom("oldestFirst" as const, "newestFirst" as const),
    isExamined: fc.boolean(),
  }),
);
const only = (entries: number, damaged: readonly number[]) =>
  Array.from({ length: entries }, (_, at) => at)
    .filter((at) => !damaged.includes(at))
    .map((at) => `s${at}`);

describe("A client that continues after the cursor of each error gets every undamaged entry", () => {
  it("by pages in both orders, wherever the damage is, known or not", async () => {
    await fc.assert(
      fc.asyncProperty(logs, async ({ entries, damaged, first, order, isExamined }) => {
        const { log, close } = await damagedLog(entries, damaged, isExamined);
        const { received, errors } = await readPages(log, first, order);
        const whole = only(entries, damaged);
        expect(received).toEqual(order === "oldestFirst" ? whole : whole.toReversed());
        expect(errors).toBe(damaged.length);
        await close();
      }),
      {
        numRuns: 20,
        examples: [
          [{ entries: 1, damaged: [0], first: 1, order: "oldestFirst", isExamined: false }],
          [{ entries: 5, damaged: [0, 1, 4], first: 4, order: "newestFirst", isExamined: true }],
        ],
      },
    );
  });

  it.each([
    ["first and last", [0, 4]],
    ["two in a row", [2, 3]],
    ["all but one", [0, 1, 2, 4]],
  ])("by callEnded, with %s damaged", async (_, damaged) => {
    const { log, close } = await damagedLog(5, damaged, false);
    onTestFinished(close);
    const whole = only(5, damaged);
    await log.append(callEnded({ sessionId: "live" }), "WEBHOOK");
    expect(await readStream(log, whole.length + 1)).toEqual([...whole, "live"]);
  });

  it("by callEndedStream in one subscription, with a gap for each damaged entry", async () => {
    const { log, close } = await damagedLog(5, [0, 2, 3], false);
    onTestFinished(close);
    const items = await followStream(
      { after: log.oldestCursor(), revisions: true },
      world({ own: { events: log } }).context,
    );
    onTestFinished(async () => void (await items.return?.()));
    const received: string[] = [];
    while (!received.includes("s4")) {
      const { value } = await items.next();
      received.push(value.kind === "event" ? value.event.sessionId : value.kind);
    }
    expect(received).toEqual(["checkpoint", "gap", "s1", "gap", "gap", "s4"]);
  });
});

describe("A page with a filter that a damaged entry may match", () => {
  it("ends before the entry, and the next page is an error with a cursor after it", async () => {
    const { log, close } = await damagedLog(5, [2], true);
    onTestFinished(close);
    const page = (after: string | null) =>
      log.page({ first: 10, after, filter: { taskIds: ["7"] }, revisions: false, order: "oldestFirst" });
    const before = await page(null);
    expect([sessions(before.events), before.hasMore]).toEqual([["s0", "s1"], true]);
    const error = await page(before.events[1]?.cursor ?? null).catch((failure: Failure) => failure);
    const rest = await page((error as Failure).cursor ?? null);
    expect([sessions(rest.events), rest.hasMore]).toEqual([["s3", "s4"], false]);
  });
});
