import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sandbox } from "../../sandbox/src/sandbox.ts";
import { soundOfCall } from "../support/sandboxSound.ts";
import { allowing, mortalSandbox, settled } from "../recordings/world.ts";
import { connectSandbox } from "../support/emptySandbox.ts";
import { callEndedEvent } from "../support/events.ts";
import {
  spawnGateway,
  startGateway,
  temporaryDirectory,
  type Directory,
  type GatewayProgram,
} from "../support/gateway.ts";
import { takeMigratedDatabase } from "../support/postgres/migratedDatabase.ts";
import { createPostgresDatabase } from "../support/postgres/postgres.ts";
import { openSse } from "../support/streams.ts";
import { until } from "../support/until.ts";
import { holders } from "./holders.ts";

const NUMBER = "+8613912345678";
const SPACED = "139 1234 5678";
/** Traces of the number in the spellings of these tests. None may be left. */
const TRACES = ["13912345678", "139 1234 5678", "139-1234-5678", "%2D1234%2D5678", "<b>1234</b>5678"];
const FORGET =
  "mutation($number: String!) { forgetPhone(number: $number) { events rawDeliveries quarantined recordings } }";

interface Forgot {
  forgetPhone: { events: number; rawDeliveries: number; quarantined: number; recordings: number } | null;
}

let sandbox: Sandbox;
let directory: Directory;
let gateway: GatewayProgram;
const start = () =>
  spawnGateway(sandbox, {
    ...allowing(sandbox),
    DATABASE_URL: directory.database,
    RECORDINGS_DIR: join(directory.path, "recordings"),
    RECONCILE_INTERVAL_S: "1",
  });
beforeAll(async () => {
  sandbox = await mortalSandbox();
  directory = await temporaryDirectory();
  gateway = await start();
  connectSandbox(sandbox, gateway);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await sandbox[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const forget = async (number = NUMBER) => (await gateway.ask<Forgot>(FORGET, { number })).data?.forgetPhone;
const sessionIds = async () => {
  const query = "{ callEndedEvents(first: 100, revisions: true) { nodes { sessionId } } }";
  const { data } = await gateway.ask<{ callEndedEvents: { nodes: { sessionId: string }[] } }>(query);
  return data?.callEndedEvents.nodes.map(({ sessionId }) => sessionId) ?? [];
};
async function rawDelivery(sessionId: string) {
  const query = "{ callEndedEvents(first: 100) { nodes { sessionId cursor } } }";
  type Events = { callEndedEvents: { nodes: { sessionId: string; cursor: string }[] } };
  const { nodes } = (await gateway.ask<Events>(query)).data?.callEndedEvents ?? { nodes: [] };
  const cursor = nodes.find((node) => node.sessionId === sessionId)?.cursor;
  const show = "query($cursor: String!) { rawDelivery(cursor: $cursor) { body missing } }";
  const { data } = await gateway.ask<{ rawDelivery: { body: string | null } | null }>(show, { cursor });
  return data?.rawDelivery;
}
/** The calls in a list of the service that show data of their events. */
async function callsWithEvents() {
  const query = "{ callLogs(first: 100) { nodes { sessionId callEnded { callee } } } }";
  const { data } = await gateway.ask<{ callLogs: { nodes: { sessionId: string; callEnded: object | null }[] } }>(query);
  return data?.callLogs.nodes.flatMap(({ sessionId, callEnded }) => (callEnded ? [sessionId] : []));
}

describe("A67: forgetPhone", () => {
  const deliveries = {
    caller: callEndedEvent({ session_id: "as-caller", caller: NUMBER, direction: "inbound" }),
    callee: callEndedEvent({ session_id: "as-callee", callee: "13912345678" }),
    extra: callEndedEvent({ session_id: "in-extra", extra: { note: [`or ${SPACED}`] } }),
    name: callEndedEvent({ session_id: "in-name", extra: { "139-1234-5678": 1 } }),
    url: callEndedEvent({ session_id: "in-url", record_url: "https://files.example/13912345678.wav" }),
    unread: callEndedEvent({ session_id: "in-unread", hangup_side: "139-1234-5678" }),
    id: callEndedEvent({ session_id: "of-13912345678-7" }),
    revised: callEndedEvent({ session_id: "revised", callee: "13800010001" }),
    revision: callEndedEvent({ session_id: "revised", callee: NUMBER }),
    // Only the body holds it: the parser does not read the field.
    body: callEndedEvent({ session_id: "in-body", remark: "%2B86%20139%2D1234%2D5678" }),
    other: callEndedEvent({ session_id: "of-another", callee: "13912345679" }),
  };
  const unreadable = [
    `not json ${SPACED}`,
    JSON.stringify(callEndedEvent({ session_id: "", callee: NUMBER })),
    "callee=%2B86139%2D1234%2D5678",
    "139<b>1234</b>5678",
  ];
  let reconciled = "";
  let recorded = "";

  beforeAll(async () => {
    for (const event of Object.values(deliveries)) expect((await gateway.deliver(event)).status).toBe(200);
    for (const body of [...unreadable, "not json 13912345679"]) await gateway.deliver(body);
    reconciled = sandbox.control.endCall({ callee: NUMBER, webhook: false }).sessionId;
    recorded = sandbox.control.endCall({ callee: NUMBER }).sessionId;
    await settled(gateway, recorded, "ARCHIVED");
    await until(async () => (await sessionIds()).includes(reconciled));
    expect(await callsWithEvents()).toEqual(expect.arrayContaining([reconciled, recorded]));
    expect((await holders(directory.path, TRACES)).length).toBeGreaterThan(0);
    expect(await holders(directory.path, [Buffer.from(soundOfCall(recorded))])).toHaveLength(1);
  });

  it("erases a number anywhere in a call, with revisions, quarantined webhooks and recordings", async () => {
    // Ten entries came by webhooks, one by reconciliation.
    const recordings = expect.any(Number) as unknown;
    expect(await forget()).toEqual({ events: 11, rawDeliveries: 11, quarantined: 4, recordings });
    expect(await sessionIds()).toEqual(["in-body", "of-another"]);
    expect((await rawDelivery("in-body"))?.body).toBeNull();
    expect((await rawDelivery("of-another"))?.body).toBe(JSON.stringify(deliveries.other));
    const query = "{ quarantinedDeliveries { nodes { body } } }";
    const { data } = await gateway.ask(query);
    expect(data).toEqual({ quarantinedDeliveries: { nodes: [{ body: "not json 13912345679" }] } });
    // The newest entry is of the body that was just shown.
    const audit = await gateway.ask("{ auditEvents(first: 2) { nodes { actor action subjectId count } } }");
    const erased = { actor: "anyone", action: "PHONE_FORGOTTEN", subjectId: null, count: 11 };
    expect(audit.data).toMatchObject({ auditEvents: { nodes: [{ action: "DELIVERY_SHOWN" }, erased] } });
  });

  it("erases at once, also from lists of calls that were cached", async () => {
    expect(await callsWithEvents()).toEqual([]);
  });

  it("erases from every byte of the database, its log and the recordings", async () => {
    expect(await holders(directory.path, [...TRACES, Buffer.from(soundOfCall(recorded))])).toEqual([]);
    expect(gateway.output.join("\n")).not.toMatch(/1391234|2345678/);
  });

  it("erases from the replay cache: subscribers get nothing of it", async () => {
    const { data } = await gateway.ask<{ callEndedEvents: { headCursor: string } }>(
      "{ callEndedEvents { headCursor } }",
    );
    expect(data?.callEndedEvents.headCursor).toBeTypeOf("string");
    const last = (
      await gateway.ask<{ callEndedEvents: { edges: { cursor: string }[] } }>(
        "{ callEndedEvents { edges { cursor } } }",
      )
    ).data?.callEndedEvents.edges.at(-1)?.cursor;
    const query = "subscription($after: String) { callEnded(after: $after, revisions: true) { sessionId } }";
    await using stream = await openSse<{ callEnded: { sessionId: string } }>(gateway.url, {
      query,
      variables: { after: last },
    });
    await gateway.deliver(callEndedEvent({ session_id: "afterwards" }));
    expect((await stream.next()).data).toEqual({ callEnded: { sessionId: "afterwards" } });
  });

  it("keeps it erased after repeated deliveries, later ones and reconciliation", async () => {
    for (const event of Object.values(deliveries)) {
      const response = await gateway.deliver(event);
      expect([response.status, await response.text()]).toEqual([200, "{}"]);
    }
    await gateway.deliver(callEndedEvent({ session_id: "as-callee", callee: "13800010001", billsec: 99 }));
    for (const body of unreadable) expect((await gateway.deliver(body)).status).toBe(200);
    sandbox.control.clearRequests();
    await until(() => sandbox.control.requests().filter(({ path }) => path.endsWith("/calllog")).length > 1);
    expect((await sessionIds()).toSorted()).toEqual(["afterwards", "in-body", "of-another"]);
    expect(await forget()).toEqual({ events: 0, rawDeliveries: 0, quarantined: 0, recordings: 0 });
  });

  it("keeps it erased over a kill and a restart", async () => {
    gateway.process.kill("SIGKILL");
    await gateway.exited;
    gateway = await start();
    sandbox.control.clearRequests();
    await until(() => sandbox.control.requests().filter(({ path }) => path.endsWith("/calllog")).length > 1);
    await gateway.deliver(deliveries.callee);
    expect((await sessionIds()).toSorted()).toEqual(["afterwards", "in-body", "of-another"]);
    expect(await holders(directory.path, TRACES)).toEqual([]);
  });

  it.each(["A068", "", "10086", "call me"])("refuses %j without repeating it", async (number) => {
    const { data, errors } = await gateway.ask(FORGET, { number });
    expect([data, errors?.[0]?.extensions["code"]]).toEqual([{ forgetPhone: null }, "BAD_USER_INPUT"]);
    if (number !== "") expect(errors?.[0]?.message).not.toContain(number);
  });
});

/** Whether the planner's statistics hold the number. */
async function isQuoted(database: Awaited<ReturnType<typeof createPostgresDatabase>>): Promise<boolean> {
  const stats = "select concat(most_common_vals::text, histogram_bounds::text) as text from pg_stats";
  const rows = await database.ask(`${stats} where tablename = 'events'`);
  return rows.some(({ text }) => String(text).includes("13912345678"));
}

describe("A67: forgetPhone on PostgreSQL with many gateways", () => {
  it("erases from the memory of every gateway, and vacuums the tables", async () => {
    await using database = await takeMigratedDatabase();
    const env = { DATABASE_URL: database.url };
    await using one = await startGateway(sandbox, env);
    await using other = await startGateway(sandbox, env);
    const cursor = (await one.ask<{ callEndedEvents: { headCursor: string } }>("{ callEndedEvents { headCursor } }"))
      .data?.callEndedEvents.headCursor;
    const query = "subscription($after: String) { callEnded(after: $after) { sessionId } }";
    const listen = () =>
      openSse<{ callEnded: { sessionId: string } }>(other.url, { query, variables: { after: cursor } });
    const next = async (stream: Awaited<ReturnType<typeof listen>>) => (await stream.next()).data?.callEnded.sessionId;
    for (const id of ["1", "2", "3"]) {
      const callee = id === "2" ? NUMBER : "13800010001";
      await one.deliver(callEndedEvent({ session_id: id, callee }));
    }
    await using before = await listen();
    expect([await next(before), await next(before), await next(before)]).toEqual(["1", "2", "3"]);
    for (let at = 0; at < 20; at += 1)
      await one.deliver(callEndedEvent({ session_id: `often ${at}`, callee: NUMBER, task_id: 67 }));
    await database.ask("analyze events");
    const quoted = () => isQuoted(database);
    expect(await quoted()).toBe(true);
    const { data } = await one.ask<Forgot>(FORGET, { number: NUMBER });
    expect(data?.forgetPhone).toMatchObject({ events: 21 });
    expect(await quoted()).toBe(false);
    await until(async () => {
      await using after = await listen();
      return (await next(after)) === "1" && (await next(after)) === "3";
    });
    const dump = await database.ask(
      "select to_jsonb(events.*)::text || (select json_agg(f)::text from forgotten f) as text from events",
    );
    expect(JSON.stringify(dump)).not.toContain("13912345678");
    const people = ["events", "event_assistants", "quarantine", "recordings", "submissions", "open_calls"];
    const vacuumed = await database.ask(
      `select relname from pg_stat_user_tables where vacuum_count = 1 and relname = any('{${people.join()}}')`,
    );
    expect(vacuumed.map(({ relname }) => String(relname)).toSorted((a, b) => a.localeCompare(b))).toEqual(
      people.toSorted((a, b) => a.localeCompare(b)),
    );
  });

  it("leaves no statistics of a table that is empty afterwards", async () => {
    await using database = await createPostgresDatabase();
    await using one = await startGateway(sandbox, { DATABASE_URL: database.url });
    for (let at = 0; at < 20; at += 1) await one.deliver(callEndedEvent({ session_id: `only ${at}`, callee: NUMBER }));
    await database.ask("analyze events");
    expect(await isQuoted(database)).toBe(true);
    const { data } = await one.ask<Forgot>(FORGET, { number: NUMBER });
    expect(data?.forgetPhone).toMatchObject({ events: 20 });
    expect(await isQuoted(database)).toBe(false);
  });
});
