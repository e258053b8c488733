import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import { openEventLog } from "../../src/events/eventLog.ts";
import { open, tempFile } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import { NO_SERVICE, startGateway } from "../support/gateway.ts";
import { appendAll, callEnded, next, NOW, openLog, signer, sessions, take } from "./callEnded.ts";

/** A log in whose file the second of three entries is damaged. */
async function damagedLog(damage = `data = replace(data, '"normal"', '"nornal"')`) {
  const file = tempFile();
  const lines: string[] = [];
  const log = createLogger({ level: "warn", secrets: [], write: (line) => lines.push(line) });
  const openAgain = async () => {
    const store = await open(`file:${file}`);
    const events = await openEventLog({
      store: store.events,
      signer,
      clock: () => NOW,
      damaged: store.damagedPositions,
      checkpointMs: 60_000,
      log,
    });
    return { events, close: async () => (await events[Symbol.asyncDispose](), store[Symbol.asyncDispose]()) };
  };
  const first = await openAgain();
  const reader = await first.events.follow({ after: null, filter: {}, revisions: false });
  const { cursor } = (await next(reader)) as { cursor: string };
  await reader.return?.();
  for (const sessionId of ["before", "damaged", "after"])
    await first.events.append(callEnded({ sessionId }), "WEBHOOK");
  await first.close();
  {
    using database = new DatabaseSync(file);
    // Still JSON, and still a call: only its sum tells.
    database.exec(`update events set ${damage} where session_id = 'damaged'`);
  }
  return { ...(await openAgain()), cursor, lines, file };
}

describe("A damaged entry of the log", () => {
  it("is a gap at its position, and stops no reader of other entries", async () => {
    const { events, close, cursor, lines } = await damagedLog();
    const reader = await events.follow({ after: cursor, filter: {}, revisions: false });
    const before = (await take(reader, 1))[0];
    expect(before).toMatchObject({ sessionId: "before" });
    expect(await next(reader)).toMatchObject({ kind: "gap", after: before?.cursor });
    expect(await take(reader, 1)).toMatchObject([{ sessionId: "after" }]);
    await events.append(callEnded({ sessionId: "live" }), "WEBHOOK");
    expect((await take(reader, 1)).map(({ sessionId }) => sessionId)).toEqual(["live"]);
    expect(lines.filter((line) => line.includes("damaged")).map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: "error", seq: 2 }),
    ]);
    await reader.return?.();
    await close();
  });

  it("is a gap for a reader whose filter its call would match", async () => {
    const { events, close, cursor } = await damagedLog("task_id = '999'");
    const reader = await events.follow({ after: cursor, filter: { taskIds: ["7"] }, revisions: false });
    const before = (await take(reader, 1))[0];
    expect(await next(reader)).toMatchObject({ kind: "gap", after: before?.cursor });
    expect(await take(reader, 1)).toMatchObject([{ sessionId: "after" }]);
    await reader.return?.();
    await close();
  });

  it("is found at the start: the gateway reports DEGRADED and still works", async () => {
    const { file, close } = await damagedLog();
    await close();
    await using gateway = await startGateway(NO_SERVICE, { DATABASE_URL: `file:${file}` });
    const readiness = await fetch(`${gateway.url}/readyz`);
    expect([readiness.status, await readiness.text()]).toEqual([200, expect.stringContaining("degraded")]);
    expect((await gateway.deliver(callEndedEvent())).status).toBe(200);
    const { errors } = await gateway.ask(`{ callEnded(sessionId: "damaged") { sessionId } }`);
    expect(errors).toMatchObject([{ extensions: { code: "STORE_UNAVAILABLE", retryable: false } }]);
  });

  it("is an error if it is requested", async () => {
    const { events, close } = await damagedLog();
    await expect(events.bySession("damaged")).rejects.toThrow();
    // It fails alone among many that are asked for.
    const found = await events.newestOf(["before", "damaged"]);
    expect(found[0]).toMatchObject({ sessionId: "before" });
    expect(found[1]).toBeInstanceOf(Error);
    const after = (await events.bySession("before"))?.cursor ?? null;
    const page = { first: 10, after, filter: {}, revisions: false, order: "oldestFirst" } as const;
    await expect(events.page(page)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE", retryable: false });
    await close();
  });

  it("does not prevent a further delivery of its call", async () => {
    const { events, close } = await damagedLog();
    const delivered = callEnded({ sessionId: "damaged", hangupReason: "delivered again" });
    expect(await events.append(delivered, "WEBHOOK")).toBe("revised");
    expect(await events.bySession("damaged")).toMatchObject({ hangupReason: "delivered again", revision: 2 });
    expect(await events.append(delivered, "WEBHOOK")).toBe("known");
    await close();
  });

  it("reaches no durable reader, neither as an entry nor as null", async () => {
    const { events, close } = await damagedLog();
    const batches = await events.followBatches(events.oldestCursor());
    const received: unknown[] = [];
    while (received.length < 2) received.push(...((await batches.next()).value as { events: unknown[] }).events);
    expect(received).toMatchObject([{ sessionId: "before" }, { sessionId: "after" }]);
    await batches.return?.();
    await close();
  });
});

describe("A log from before entries had checksums", () => {
  it("is served after an upgrade, while a later entry without a checksum is damaged", async () => {
    const file = tempFile();
    const logOf = async () => {
      const store = await open(`file:${file}`);
      return { events: await openLog(store.events), close: () => store[Symbol.asyncDispose]() };
    };
    const old = await logOf();
    await appendAll(old.events, ["first", "newest"]);
    await old.close();
    {
      using database = new DatabaseSync(file);
      database.exec(
        `update events set checksum = null; update settings set value = '2' where name = 'checksummed_after'`,
      );
    }
    const upgraded = await logOf();
    await appendAll(upgraded.events, ["behind"]);
    const page = { first: 10, after: null, filter: {}, revisions: true, order: "oldestFirst" } as const;
    expect(sessions((await upgraded.events.page(page)).events)).toEqual(["first", "newest", "behind"]);
    await upgraded.close();
    {
      using database = new DatabaseSync(file);
      database.exec(`update events set checksum = null where session_id = 'behind'`);
    }
    const damaged = await logOf();
    expect(await damaged.events.bySession("newest")).toMatchObject({ sessionId: "newest" });
    await expect(damaged.events.bySession("behind")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await damaged.close();
  });
});
