// A 304 of a GET with a trusted document is never given where the full answer would differ from what the client holds.
import * as fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { ANY_QUOTA, submission } from "../store/tempStore.ts";
import { callEndedEvent } from "../support/events.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";
import { ALL, etagOf, holding, NUMBER, row, SEVEN, startWorld, type Name } from "./cachingWorld.ts";

describe("A 304 ends at once", () => {
  it("with an event of a call that the answer shows", async () => {
    const { get, gateway } = await startWorld();
    await get("calls");
    const held = await get("calls");
    expect((await get("calls", holding(held))).status).toBe(304);
    await gateway.deliver(callEndedEvent({ session_id: "session-1", task_id: 7, billsec: 999 }));
    const after = await get("calls", holding(held));
    expect(after.status).toBe(200);
    expect(await after.json()).toMatchObject({
      data: { callLogs: { nodes: [{ sessionId: "session-1", billsec: 999 }] } },
    });
  });

  it("with an event of another task's call, if the answer shows the head of the log", async () => {
    const { get, gateway } = await startWorld();
    await get("head");
    const held = await get("head");
    await gateway.deliver(callEndedEvent({ task_id: 8 }));
    expect((await get("head", holding(held))).status).toBe(200);
  });

  it("with an event that drops no cached response of the answer, but moves its head of the log", async () => {
    const { get, gateway, service } = await startWorld();
    await get("taskHead");
    const held = await get("taskHead");
    expect((await get("taskHead", holding(held))).status).toBe(304);
    const asked = service.asked.length;
    await gateway.deliver(callEndedEvent({ task_id: 8 }));
    expect((await get("taskHead", holding(held))).status).toBe(200);
    expect(service.asked).toHaveLength(asked);
  });

  it("with an event that another gateway of the database received", async () => {
    const database = await takeMigratedDatabase();
    onTestFinished(() => database[Symbol.asyncDispose]());
    const { get, gateways } = await startWorld({ DATABASE_URL: database.url }, 2);
    await get("calls");
    const held = await get("calls");
    expect((await get("calls", holding(held))).status).toBe(304);
    await gateways[1]?.deliver(callEndedEvent({ session_id: "session-1", task_id: 7, billsec: 999 }));
    await until(async () => (await get("calls", holding(held))).status === 200);
  });

  it("when a number is forgotten", async () => {
    const { get, post, data } = await startWorld();
    await get("calls");
    const held = await get("calls");
    expect(await held.text()).toContain(NUMBER);
    data.rows = [];
    expect((await get("calls", holding(held))).status).toBe(304);
    expect(await post("forget", { number: NUMBER })).toMatchObject({ data: { forgetPhone: { events: 0 } } });
    const after = await get("calls", holding(held));
    expect([after.status, await after.text()]).toEqual([200, expect.not.stringContaining(NUMBER)]);
  });

  it("for a key that was revoked, or that has other scopes now", async () => {
    const { get, writeKeys } = await startWorld();
    await get("calls");
    const held = await get("calls");
    await writeKeys({ web: ["calls:read"], ops: ALL });
    const masked = await until(async () => {
      const response = await get("calls", holding(held));
      return response.status === 200 && response;
    });
    expect(await masked.text()).not.toContain(NUMBER);
    await writeKeys({ ops: ALL });
    await until(async () => (await get("calls", holding(held))).status === 401);
  });

  it("when a viewer that sees its own tasks only has one more", async () => {
    const database = await takeMigratedDatabase();
    onTestFinished(() => database[Symbol.asyncDispose]());
    await using store = await openStore({ url: database.url, log: silentLog, fsync: "elsewhere" });
    async function submit(taskId: string): Promise<void> {
      const open = submission({ id: taskId, viewer: "own", idempotencyKey: taskId, status: "ACCEPTED" });
      await store.submissions.claim(open, ANY_QUOTA);
      await store.submissions.resolve(taskId, taskId);
    }
    await submit("7");
    const { get, data } = await startWorld({ DATABASE_URL: database.url });
    await get("calls", { viewer: "own" });
    const held = await get("calls", { viewer: "own" });
    expect(held.status).toBe(200);
    expect(await held.text()).toContain("session-1");
    data.rows.push(row("session-8", 8));
    expect((await get("calls", { ...holding(held), viewer: "own" })).status).toBe(304);
    await submit("8");
    const after = await get("calls", { ...holding(held), viewer: "own" });
    expect([after.status, await after.text()]).toEqual([200, expect.stringContaining("session-8")]);
  });

  it("is never given for what another viewer holds, unless it is the same", async () => {
    const { get } = await startWorld();
    await get("calls");
    const held = await get("calls");
    expect((await get("calls", { ...holding(held), viewer: "plain" })).status).toBe(200);
    expect((await get("calls", { ...holding(held), viewer: "ops" })).status).toBe(304);
  });
});

/** The head of the log follows a revision a moment later. A subscription after an older head repeats events, and misses none. */
function expectSame(name: Name, got: unknown, full: unknown): void {
  if (name !== "head") return expect(got).toEqual(full);
  const [earlier = "", later = ""] = [got, full].map(
    (answer) => (answer as { callLogs: { headCursor: string } }).callLogs.headCursor,
  );
  expect(earlier <= later).toBe(true);
}

describe("Over random changes", () => {
  it("a 304 is given only where the full answer is what the client holds", async () => {
    const names = ["task", "calls", "both", "head", "stats", "events", "recordings", "viewer"] as const;
    const viewers = ["web", "plain"] as const;
    const { get, post, gateway, data } = await startWorld();
    let changes = 0;
    const steps = {
      poll: null,
      rename: () => void (data.name = `Task ${(changes += 1)}`),
      // At most 50, because the service's page has 100.
      addRow: () => void (data.rows = [...data.rows.slice(-49), row(`session-${(changes += 1)}`, 7 + (changes % 2))]),
      event: async () => {
        const known = data.rows[changes % data.rows.length];
        await gateway.deliver(
          callEndedEvent({ session_id: known?.sessionId, task_id: known?.taskId, billsec: (changes += 1) }),
        );
      },
      otherEvent: async () => void (await gateway.deliver(callEndedEvent({ task_id: 9 }))),
      forget: async () => void (await post("forget", { number: NUMBER })),
    };
    const held = new Map<string, { tag: string; data: unknown }>();
    const seen = { same: 0, changed: 0 };
    const poll = async (name: Name, viewer: string) => {
      const question = `${name} ${viewer}`;
      const known = held.get(question);
      const response = await get(name, { ...SEVEN, viewer, ...(known && { headers: { "if-none-match": known.tag } }) });
      const full = await post(name, SEVEN.variables, viewer);
      if (response.status === 304) {
        seen.same += 1;
        expectSame(name, known?.data, full.data);
        return;
      }
      const answer = (await response.json()) as { data?: unknown; errors?: unknown };
      if (!answer.errors) held.set(question, { tag: etagOf(response), data: answer.data });
      seen.changed += 1;
      expectSame(name, answer.data, full.data);
    };
    const step = fc.constantFrom(...(Object.keys(steps) as (keyof typeof steps)[]));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.constantFrom(...names), fc.constantFrom(...viewers)), {
          minLength: 10,
          maxLength: 30,
        }),
        async (walk) => {
          for (const [action, name, viewer] of walk) {
            await steps[action]?.();
            await poll(name, viewer);
          }
        },
      ),
      { numRuns: 15 },
    );
    expect(seen.same).toBeGreaterThan(10);
    expect(seen.changed).toBeGreaterThan(10);
  });
});
