import { describe, expect, it } from "vitest";
import { openEventLog } from "../../src/events/eventLog.ts";
import { silentLog } from "../support/silentLog.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { createEndRule } from "../../src/webhook/endRule.ts";
import { createParseCallEnded, type Parsed } from "../../src/webhook/parse.ts";
import { createReprocess, type ReprocessDeps } from "../../src/webhook/reprocess.ts";
import { callEndedEvent } from "../support/events.ts";
import { databases, type DatabaseUnderTest } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";

const body = Buffer.from(JSON.stringify(callEndedEvent({ session_id: "s-1" })));
const fixedParser = createParseCallEnded("Asia/Shanghai");
const brokenParser = (): Parsed => ({ unreadable: "Not yet." });

async function setUp({ create }: DatabaseUnderTest, own: (deps: ReprocessDeps) => Partial<ReprocessDeps> = () => ({})) {
  const { events: store, quarantine } = await tempStore((await create()).url);
  const signer = createSigner(Buffer.alloc(32, 7));
  const events = await openEventLog({ store, signer, clock: Date.now, checkpointMs: 30_000, log: silentLog });
  await quarantine.add({
    receivedAt: "2026-11-20T09:30:00.000Z",
    kind: "UNREADABLE",
    reason: "Not yet.",
    charset: null,
    sessionId: null,
    body,
  });
  const [{ id } = { id: 0 }] = await quarantine.page({ kind: "UNREADABLE", after: null, limit: 1, bodyBytes: 1 });
  const deps = {
    events,
    quarantine,
    parse: fixedParser,
    whyNoEnd: createEndRule([]),
    keepsBodies: true,
    clock: Date.now,
    log: silentLog,
  };
  const reprocess = createReprocess({ ...deps, ...own(deps) });
  return { events, quarantine, id, reprocess, again: createReprocess(deps) };
}

describe.each(databases)("createReprocess() on %s", (_, database) => {
  it("moves a delivery to the log once the parser can read it", async () => {
    let parse: (bytes: Uint8Array) => Parsed = brokenParser;
    const { events, quarantine, id, reprocess } = await setUp(database, () => ({ parse: (bytes) => parse(bytes) }));
    expect(await reprocess(id, "ops")).toEqual({ event: null, reason: "Not yet." });
    expect(await quarantine.count("UNREADABLE")).toBe(1);
    parse = fixedParser;
    expect(await reprocess(id, "ops")).toMatchObject({ event: { sessionId: "s-1", source: "WEBHOOK" }, reason: null });
    expect(await quarantine.count("UNREADABLE")).toBe(0);
    expect(await events.bySession("s-1")).toMatchObject({ revision: 1 });
    expect(await quarantine.byId(id)).toBeNull();
  });

  it("leaves the delivery in quarantine when the append fails", async () => {
    const full = () => Promise.reject(new Error("disk"));
    const { quarantine, id, reprocess, again } = await setUp(database, ({ events }) => ({
      events: { ...events, append: full },
    }));
    await expect(reprocess(id, "ops")).rejects.toThrow("disk");
    expect(await quarantine.count("UNREADABLE")).toBe(1);
    expect(await again(id, "ops")).toMatchObject({ event: { sessionId: "s-1" } });
  });

  it("appends the call once when it crashes before the release", async () => {
    const crash = () => Promise.reject(new Error("crash"));
    const { events, quarantine, id, reprocess, again } = await setUp(database, (deps) => ({
      quarantine: { ...deps.quarantine, remove: crash },
    }));
    await expect(reprocess(id, "ops")).rejects.toThrow("crash");
    expect(await events.bySession("s-1")).not.toBeNull();
    expect(await again(id, "ops")).toMatchObject({ event: { sessionId: "s-1", revision: 1 }, reason: null });
    expect(await quarantine.count("UNREADABLE")).toBe(0);
  });

  it("appends the call once when it runs three times at once", async () => {
    const { events, quarantine, id, reprocess } = await setUp(database);
    await Promise.all([reprocess(id, "ops"), reprocess(id, "ops"), reprocess(id, "ops")]);
    expect(await events.bySession("s-1")).toMatchObject({ revision: 1 });
    expect(await quarantine.count("UNREADABLE")).toBe(0);
  });
});
