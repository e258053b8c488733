import { describe, expect, it } from "vitest";
import { createEventCursors } from "../../src/events/logEntry.ts";
import { createReread } from "../../src/events/rereadDeliveries.ts";
import { createShowDelivery } from "../../src/events/showDelivery.ts";
import { createQueryOwner } from "../../src/store/scheduling/queryOwner.ts";
import { createParseCallEnded } from "../../src/webhook/parse.ts";
import { databases, type DatabaseUnderTest } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { body } from "../webhook/delivery.ts";
import { callEnded, logOver, NOW, signer } from "./callEnded.ts";

const cursors = createEventCursors(signer);
/** It takes the service's wall clock for UTC. */
const former = createParseCallEnded("UTC");
const current = createParseCallEnded("Asia/Shanghai");

async function setUp({ create }: DatabaseUnderTest) {
  const { events: store, rawDeliveries, audit, eraser } = await tempStore((await create()).url);
  const events = await logOver(store);
  const deps = { events, rawDeliveries, audit, cursors, clock: () => NOW };
  const show = createShowDelivery(deps);
  return {
    events,
    audit,
    /** Shows a delivery whose call is erased when its body was read. */
    async showErased(seq: number) {
      const all = () => true;
      const none = () => false;
      const match = { number: "", event: all, delivery: all, text: none, inputLine: none };
      const at = async (position: number) => {
        const bytes = await rawDeliveries.at(position);
        await eraser.erase(match, async () => undefined, { actor: "ops", at: new Date(NOW).toISOString() });
        return bytes;
      };
      return createShowDelivery({ ...deps, rawDeliveries: { at } })(cursors.at(seq), createQueryOwner("ops"), "ops");
    },
    async deliver(bytes: Buffer) {
      const parsed = former(bytes);
      if ("call" in parsed) await events.append(parsed.call, "WEBHOOK", { body: bytes });
    },
    reread: createReread({ ...deps, parse: current }),
    rereadWith: (parse: typeof current) => createReread({ ...deps, parse }),
    show: (seq: number) => show(cursors.at(seq), createQueryOwner("ops"), "ops"),
  };
}

describe.each(databases)("Reading deliveries again on %s", (_, database) => {
  it("appends a revision for each call that changes, and nothing the second time", async () => {
    const { events, deliver, reread, audit } = await setUp(database);
    for (const session_id of ["a", "b"]) await deliver(body({ session_id }));
    await deliver(body({ session_id: "times", start_at: "", answer_at: "", end_at: "" }));
    expect(await reread(cursors.at(1), "ops")).toMatchObject({ read: 2, changed: 1 });
    expect((await events.bySession("a"))?.revision).toBe(1);
    expect(await events.bySession("b")).toMatchObject({ revision: 2, startAt: "2026-11-20T09:00:00.000Z" });
    const all = { read: 3, changed: 1, unreadable: 0, cursor: cursors.at(3), hasMore: false };
    expect(await reread(null, "ops")).toEqual(all);
    expect(await reread(null, "ops")).toEqual({ ...all, changed: 0 });
    expect(await events.bySession("times")).toMatchObject({ revision: 1 });
    // One entry for the hour, with all revisions.
    expect(await audit.page({ after: null, limit: 9 })).toMatchObject([
      { action: "DELIVERIES_REREAD", actor: "ops", count: 2 },
    ]);
  });

  it("counts what the parser cannot read, and keeps its calls", async () => {
    const { events, deliver, rereadWith } = await setUp(database);
    await deliver(body());
    const reread = rereadWith(() => ({ unreadable: "Not any more." }));
    expect(await reread(null, "ops")).toMatchObject({ read: 1, changed: 0, unreadable: 1 });
    expect((await events.bySession("s-1"))?.revision).toBe(1);
  });

  it("appends a call whose session ID was read wrongly", async () => {
    const { events, deliver, rereadWith } = await setUp(database);
    await deliver(body({ session_id: "wrong" }));
    const reread = rereadWith((bytes) => ({ call: callEnded({ sessionId: "right" }), utf8: bytes }));
    expect(await reread(null, "ops")).toMatchObject({ read: 1, changed: 1 });
    expect(await reread(null, "ops")).toMatchObject({ read: 1, changed: 0 });
    expect(await events.bySession("right")).not.toBeNull();
  });

  it("shows an entry with the body that brought it, or why there is none", async () => {
    const { events, deliver, reread, show, audit } = await setUp(database);
    const bytes = body({ session_id: "a", unknown_field: "kept, too" });
    await deliver(bytes);
    await events.append(callEnded({ sessionId: "b" }), "RECONCILED");
    await reread(null, "ops");
    const first = await show(1);
    expect(first).toMatchObject({
      event: { sessionId: "a", receivedAt: "2026-11-20T09:30:00.000Z" },
      missing: null,
    });
    expect(Buffer.from(first?.body ?? []).equals(bytes)).toBe(true);
    expect(await show(2)).toMatchObject({ event: { sessionId: "b" }, body: null, missing: "RECONCILED" });
    expect(await show(3)).toMatchObject({
      event: { sessionId: "a", revision: 2 },
      body: null,
      missing: "NOT_KEPT",
    });
    expect(await show(4)).toBeNull();
    expect((await audit.page({ after: null, limit: 9 })).map(({ action, subject }) => [action, subject])).toEqual([
      ["DELIVERY_SHOWN", "a"],
      ["DELIVERIES_REREAD", "DELIVERIES_REREAD"],
    ]);
    await expect(show(5)).rejects.toMatchObject({ code: "CURSOR_INVALID" });
  });

  it("does not show a delivery whose call is erased meanwhile, and writes no entry with its id", async () => {
    const { deliver, showErased, audit } = await setUp(database);
    await deliver(body({ session_id: "13800010001-7" }));
    expect(await showErased(1)).toBeNull();
    expect(await audit.page({ after: null, limit: 9 })).toMatchObject([{ action: "PHONE_FORGOTTEN", subject: null }]);
  });
});
