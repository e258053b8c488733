import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { createLog } from "../../src/log.ts";
import { openEventLog } from "../../src/events/eventLog.ts";
import { open, tempFile } from "../store/tempStore.ts";
import { callEnded, next, NOW, seal, take } from "./callEnded.ts";

/** A log in whose file the second of three entries is damaged. */
async function damagedLog() {
  const file = tempFile();
  const lines: string[] = [];
  const log = createLog({ level: "warn", secrets: [], write: (line) => lines.push(line) });
  const openAgain = async () => {
    const store = await open(`file:${file}`);
    const events = await openEventLog({ store: store.events, seal, clock: () => NOW, checkpointMs: 60_000, log });
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
    database.exec(`update events set data = '{"broken' where session_id = 'damaged'`);
  }
  return { ...(await openAgain()), cursor, lines };
}

describe("an entry that cannot be read any more", () => {
  it("is told to the operator, and does not stop the readers of the others", async () => {
    const { events, close, cursor, lines } = await damagedLog();
    const reader = await events.follow({ after: cursor, filter: {}, revisions: false });
    expect((await take(reader, 2)).map(({ sessionId }) => sessionId)).toEqual(["before", "after"]);
    await events.append(callEnded({ sessionId: "live" }), "WEBHOOK");
    expect((await take(reader, 1)).map(({ sessionId }) => sessionId)).toEqual(["live"]);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ level: "error", seq: 2 });
    await reader.return?.();
    await close();
  });

  it("is an error where it is asked for, and no silence", async () => {
    const { events, close } = await damagedLog();
    await expect(events.bySession("damaged")).rejects.toThrow();
    // Of many that are asked for, it fails alone.
    const found = await events.newestOf(["before", "damaged"]);
    expect(found.get("before")).toMatchObject({ sessionId: "before" });
    expect(found.get("damaged")).toBeInstanceOf(Error);
    await expect(
      events.page({ first: 10, after: null, filter: {}, revisions: false, order: "oldestFirst" }),
    ).rejects.toThrow();
    await close();
  });

  it("does not keep out what is told of the same call again", async () => {
    const { events, close } = await damagedLog();
    const told = callEnded({ sessionId: "damaged", hangupReason: "told again" });
    expect(await events.append(told, "WEBHOOK")).toBe("revised");
    expect(await events.bySession("damaged")).toMatchObject({ hangupReason: "told again", revision: 2 });
    await close();
  });
});
