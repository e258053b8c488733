import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openEventLog } from "../../../src/events/eventLog.ts";
import { createLogger } from "../../../src/logger.ts";
import { openStore } from "../../../src/store/store.ts";
import { callEnded, signer } from "../../events/callEnded.ts";
import { textAt } from "../../house/sources.ts";
import { silentLog } from "../../support/silentLog.ts";
import { postgres } from "../databases.ts";
import { appendRows, eventRow, seqs, tempStore, WHOLE } from "../tempStore.ts";

const AFTER_RESTORE = readFileSync(new URL("../../../ops/afterRestore.sql", import.meta.url), "utf8");
const row = (sessionId: string) => eventRow({ sessionId });
const request = { filter: {}, revisions: true, first: 10, order: "oldestFirst" } as const;
/** Positions behind a loss follow the clock in milliseconds. */
const isSkippedTo = (seq: number | undefined): boolean => (seq ?? 0) > Date.UTC(2026, 0, 1);

/** A database of running gateways; `lose` takes it back to the state before the last commits, as a standby that was behind is. */
async function database() {
  const { url, ask } = await postgres.create();
  const lose = async (from: number) => {
    await ask(`delete from events where seq >= ${from}`);
    await ask(`select setval(pg_get_serial_sequence('events', 'seq'), ${from - 1})`);
  };
  return { url, lose };
}

describe("After a failover to a standby without the last commits, a running gateway", () => {
  it("gives no position of a lost event to another event, and logs the loss once", async () => {
    const { url, lose } = await database();
    const lines: string[] = [];
    const log = createLogger({ level: "error", secrets: [], write: (line) => lines.push(line) });
    await using gateway = await openStore({ url, log, fsync: "elsewhere" });
    await appendRows(gateway.events, [row("a"), row("b"), row("c")]);
    await lose(2);
    await appendRows(gateway.events, [row("d")]);
    await appendRows(gateway.events, [row("e")]);
    const [kept, first, second] = seqs(await gateway.events.read(WHOLE));
    expect([kept, isSkippedTo(first), second]).toEqual([1, true, (first ?? 0) + 1]);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ lostEvents: 2 }]);
  });

  it("also skips positions that it has only read", async () => {
    const { url, lose } = await database();
    const [one, other] = [await tempStore(url), await tempStore(url)];
    await appendRows(one.events, [row("a"), row("b")]);
    await other.events.read(WHOLE);
    await lose(2);
    await appendRows(other.events, [row("c")]);
    await appendRows(one.events, [row("d")]);
    const [kept, first, second] = seqs(await one.events.read(WHOLE));
    expect([kept, isSkippedTo(first), second]).toEqual([1, true, (first ?? 0) + 1]);
  });

  it("appends a lost event again, and names where readers of lost events go on", async () => {
    const { url, lose } = await database();
    const { events: store } = await tempStore(url);
    await using log = await openEventLog({ store, signer, clock: Date.now, checkpointMs: 1e6, log: silentLog });
    await log.append(callEnded({ sessionId: "a" }), "WEBHOOK");
    const kept = (await log.page({ ...request, after: null })).headCursor;
    await log.append(callEnded({ sessionId: "lost" }), "WEBHOOK");
    const ahead = (await log.page({ ...request, after: null })).headCursor;
    await lose(2);
    await expect(log.page({ ...request, after: ahead })).rejects.toMatchObject({ code: "CURSOR_INVALID" });
    expect(await log.append(callEnded({ sessionId: "lost" }), "RECONCILED")).toBe("appended");
    await log.refresh();
    const refused = { code: "CURSOR_INVALID", cursor: kept };
    await expect(log.page({ ...request, after: ahead })).rejects.toMatchObject(refused);
    expect((await log.page({ ...request, after: kept })).events).toMatchObject([{ sessionId: "lost" }]);
    expect(log.lostEvents()).toBe(1);
  });

  it("skips positions after a promotion that it has not seen, and keeps the range of an operator that restored before", async () => {
    const { url, ask } = await postgres.create();
    const timeline = "update settings set value = '00000000' where name = 'log_timeline'";
    const readRange = async () => (await tempStore(url)).events.lostPositions();
    const gateway = await tempStore(url);
    await appendRows(gateway.events, [row("a")]);
    await ask(AFTER_RESTORE);
    const before = await readRange();
    await ask(timeline);
    await appendRows(gateway.events, [row("b")]);
    const merged = await readRange();
    expect(merged).toMatchObject({ after: 1, events: 0 });
    expect(merged?.through).toBeGreaterThan(before?.through ?? Infinity);
    await ask(timeline);
    // A group of new calls alone, which needs no read of known ones.
    await appendRows(gateway.events, [row("c")]);
    expect((await readRange())?.after).toBe((merged?.through ?? 0) + 1);
    const queries = [...textAt("docs/runbook.md").matchAll(/^psql "\$DATABASE_URL" -c "(.*settings.*)"$/gm)];
    const shown = await ask(queries[0]?.[1] ?? "");
    expect(new Set(shown.map(({ name }) => name))).toEqual(
      new Set(["lost_at", "lost_events", "restored_after", "restored_through"]),
    );
  });
});
