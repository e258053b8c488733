// What a projection makes of a batch of which entries were damaged, erased or revised since they were read, and where its people stand in lists.
import { describe, expect, it } from "vitest";
import type { EventLog } from "../../src/events/eventLog.ts";
import { createQueryOwner } from "../../src/store/scheduling/queryOwner.ts";
import type { Store } from "../../src/store/store.ts";
import { callEnded, openLog } from "../events/callEnded.ts";
import { databases, type TestDatabase } from "../store/databases.ts";
import { tempStore } from "../store/tempStore.ts";
import { recipientRule, recipientsIn, settled, startGateway } from "./projecting.ts";

const call = (at: number, own: object = {}) =>
  callEnded({ sessionId: `s${at}`, taskItemId: String(at), callee: `1380001${1000 + at}`, ...own });

const damage = (sessionId: string, revision: number) =>
  `update events set data = replace(data, '"', ' ') where session_id = '${sessionId}' and revision = ${revision}`;

const BY = { actor: "ops", at: "2026-11-20T09:40:00.000Z" };
const ofCall = (sessionId: string) => ({
  number: "",
  event: (data: string) => data.includes(`"${sessionId}"`),
  delivery: () => false,
  text: () => false,
  inputLine: () => false,
});

/** A store whose database was changed while no gateway ran. */
async function damagedStore({ url, ask }: TestDatabase, change: string, fill: (log: EventLog) => Promise<void>) {
  const before = await tempStore(url);
  const log = await openLog(before.events);
  await fill(log);
  await log[Symbol.asyncDispose]();
  await before[Symbol.asyncDispose]();
  await ask(change);
  return tempStore(url);
}

const pageOf = async ({ recipients }: Store, after: number | null, limit: number) => {
  const { found } = await recipients.page(createQueryOwner("test"), { taskId: "7", filter: {}, after, limit });
  return found;
};

describe.each(databases)("Recipients on %s", (_, { create }) => {
  it("lack an entry that was erased after a batch was read, also where another one of the batch's range is damaged", async () => {
    const store = await damagedStore(await create(), damage("s1", 1), async (log) => {
      for (const at of [0, 1, 2, 3]) await log.append(call(at), "WEBHOOK");
    });
    let wasErased = false;
    const gateway = await startGateway(store, recipientRule(), (own) => ({
      ...own,
      async add(build, entries, of) {
        if (!wasErased && entries.length > 0) await store.eraser.erase(ofCall("s2"), async () => undefined, BY);
        wasErased = true;
        return own.add(build, entries, of);
      },
    }));
    await settled(gateway);
    expect((await recipientsIn(store)).flatMap(({ calls }) => calls)).toEqual(["s0", "s3"]);
  });

  it("lack a call whose newest revision is damaged", async () => {
    const store = await damagedStore(await create(), damage("s0", 2), async (log) => {
      await log.append(call(0), "RECONCILED");
      for (let at = 1; at <= 600; at += 1) await log.append(call(at, { taskId: "8" }), "WEBHOOK");
      await log.append(call(0, { hangupReason: "busy" }), "WEBHOOK");
    });
    const gateway = await startGateway(store, recipientRule());
    await settled(gateway);
    expect(await recipientsIn(store, ["7"])).toEqual([]);
    expect(await recipientsIn(store, ["8"])).toHaveLength(600);
  });

  it("keep their places where a call is revised, and two who are one stand where the first did", async () => {
    const gateway = await startGateway(await tempStore((await create()).url), recipientRule());
    const { store, log } = gateway;
    for (const at of [0, 1, 2, 3]) await log.append(call(at), "WEBHOOK");
    await settled(gateway);
    const before = await pageOf(store, null, 9);
    expect(before.map(({ lastSession }) => lastSession)).toEqual(["s0", "s1", "s2", "s3"]);
    await log.append(call(0, { hangupReason: "busy" }), "WEBHOOK");
    await settled(gateway);
    const names = (rows: readonly { recipient: number }[]) => rows.map(({ recipient }) => recipient);
    expect(names(await pageOf(store, null, 9))).toEqual(names(before));
    // The second and the last are one person, of whom the last has more calls.
    for (const at of [4, 5]) await log.append(call(at, { taskItemId: "3", callee: "13800011003" }), "WEBHOOK");
    await log.append(call(6, { taskItemId: "1", callee: "13800011003" }), "WEBHOOK");
    await settled(gateway);
    expect(names(await pageOf(store, null, 9))).toEqual(names(before).slice(0, 3));
    await gateway.projections.rebuild("recipients");
    await settled(gateway);
    expect(names(await pageOf(store, null, 9))).toEqual(names(before).slice(0, 3));
    const [first] = before;
    expect(names(await pageOf(store, first?.recipient ?? null, 9))).toEqual(names(before).slice(1, 3));
  });

  it("follow a call to another task, where it has the first place too", async () => {
    const gateway = await startGateway(await tempStore((await create()).url), recipientRule());
    const { store, log } = gateway;
    for (const at of [0, 1, 2]) await log.append(call(at, { taskItemId: "0" }), "RECONCILED");
    await settled(gateway);
    await log.append(call(0, { taskId: "8", taskItemId: "0" }), "WEBHOOK");
    await settled(gateway);
    expect((await recipientsIn(store)).map(({ taskId, calls }) => [taskId, ...calls.toSorted()])).toEqual([
      ["7", "s1", "s2"],
      ["8", "s0"],
    ]);
  });

  it("are not mixed up with those of a call that was of no task for a while", async () => {
    const gateway = await startGateway(await tempStore((await create()).url), recipientRule());
    const { store, log } = gateway;
    for (const at of [0, 1]) await log.append(call(at, { taskItemId: "0" }), "RECONCILED");
    await settled(gateway);
    for (const own of [{ direction: "inbound" as const }, { taskId: "8", direction: "outbound" as const }]) {
      await log.append(call(0, { taskItemId: "0", ...own }), "WEBHOOK");
      await settled(gateway);
    }
    await log.append(call(1, { taskItemId: "0", hangupReason: "busy" }), "WEBHOOK");
    await settled(gateway);
    const shown = (await recipientsIn(store)).map(({ taskId, attempts, calls }) => [taskId, attempts, ...calls]);
    expect(shown).toContainEqual(["7", 1, "s1"]);
    expect(shown.filter(([task]) => task === "7")).toHaveLength(1);
  });

  it("keep a person's place and calls while the oldest of very many expire, and lose all in one erasure", async () => {
    const gateway = await startGateway(await tempStore((await create()).url), recipientRule());
    const { store, log } = gateway;
    // A number that stands often in the task, and a person who was called once.
    const many = Array.from({ length: 2500 }, (_, at) => call(at, { callee: "13800011000" }));
    await Promise.all(many.map((each) => log.append(each, "WEBHOOK")));
    await log.append(call(3000), "WEBHOOK");
    await settled(gateway);
    const [before] = await pageOf(store, null, 9);
    await store.events.purge("2027", 400);
    expect(await pageOf(store, null, 9)).toMatchObject([{ recipient: before?.recipient, attempts: 2100 }, {}]);
    const { events } = await store.eraser.erase(
      { ...ofCall(""), event: (data) => data.includes("13800011000") },
      async () => undefined,
      BY,
    );
    expect(events).toBe(2100);
    expect((await recipientsIn(store)).flatMap(({ calls }) => calls)).toEqual(["s3000"]);
  });
});
