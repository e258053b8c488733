import { expect, it } from "vitest";
import { connectSandbox, emptySandbox } from "../support/emptySandbox.ts";
import { startGateway, type GatewayAddress } from "../support/gateway.ts";
import { askPostgres } from "../support/postgres/askPostgres.ts";
import { startPostgres } from "../support/postgres/postgresServer.ts";
import { until } from "../support/until.ts";
import { QUIET } from "./load.ts";
import { openReader } from "./reader.ts";

const HEAD = "{ callEndedEvents(first: 1) { headCursor } }";
const PAGE = `query ($after: String) { callEndedEvents(first: 100, after: $after, order: OLDEST_FIRST) {
  nodes { sessionId source } } }`;

interface Page {
  callEndedEvents: { nodes: { sessionId: string; source: string }[] };
}

const eventCount = async (url: string) =>
  Number((await askPostgres(url, "select count(*) as count from events"))[0]?.["count"]);
const textOf = async ({ url }: GatewayAddress) => (await fetch(`${url}/readyz`)).text();

/** Two servers of which the standby has the calls "kept", and not the acknowledged calls "lost". */
async function failedOver(parts: AsyncDisposableStack) {
  const settings = { wal_keep_size: "64MB" };
  const primary = parts.use(await startPostgres({ fsync: false, settings }));
  const standby = parts.use(await startPostgres({ fsync: false, settings, standbyOf: primary }));
  const { username, password } = new URL(primary.url);
  const hosts = [primary, standby].map(({ port }) => `127.0.0.1:${port}`).join();
  const env = { DATABASE_URL: `postgres://${username}:${password}@${hosts}/postgres` };
  const sandbox = parts.use(await emptySandbox());
  const running = parts.use(await startGateway(sandbox, { ...env, ...QUIET }));
  connectSandbox(sandbox, running);
  const end = async (...sessionIds: string[]) => {
    for (const sessionId of sessionIds) sandbox.control.endCall({ sessionId });
    await until(() => sandbox.control.webhooks().filter(({ status }) => status === 200).length >= sessionIds.length);
    sandbox.control.clearWebhooks();
  };

  const reader = parts.use(openReader(() => running.url));
  await reader.subscribed;
  await end("kept 1", "kept 2");
  // The standby may not even have the table yet.
  await until(async () => (await eventCount(standby.url).catch(() => 0)) === 2);
  await askPostgres(standby.url, "alter system set primary_conninfo = ''");
  await askPostgres(standby.url, "select pg_reload_conf()");
  await until(async () => (await askPostgres(standby.url, "select from pg_stat_wal_receiver")).length === 0);
  await end("lost 1", "lost 2", "lost 3");
  await until(() => reader.sessionIds.length === 5);
  const { data } = await running.ask<{ callEndedEvents: { headCursor: string } }>(HEAD);
  const lostCursor = data?.callEndedEvents.headCursor ?? "";
  await primary.kill();
  await standby.promote();
  return { env, sandbox, running, reader, end, lostCursor, database: standby.url };
}

it("after a failover that lost acknowledged events, no reader misses or repeats one unnoticed, and reconciliation brings them back", async () => {
  await using parts = new AsyncDisposableStack();
  const { env, sandbox, running, reader, end, lostCursor, database } = await failedOver(parts);
  // It has seen none of the lost events, and appends until the log is longer than it was.
  const other = parts.use(await startGateway(sandbox, { ...env, ...QUIET }));
  // It may have heard of the loss from the other gateway by now.
  expect(await textOf(other)).toMatch(/^ready\b/);
  connectSandbox(sandbox, other);
  const later = ["new 1", "new 2", "new 3", "new 4"];
  for (const sessionId of later) await end(sessionId);

  await until(() => reader.sessionIds.length >= 9);
  expect(reader.sessionIds.slice(5)).toEqual(later);
  expect(reader.errors).toMatchObject([{ __typename: "StreamGap" }]);
  await until(async () => (await textOf(running)).includes("degraded: a failover of PostgreSQL lost 3 events or more"));

  for (const gateway of [running, other]) {
    const resumed = parts.use(openReader(() => gateway.url, { after: lostCursor }));
    await until(() => resumed.sessionIds.length >= 4);
    expect(resumed.sessionIds).toEqual(later);
    expect(resumed.errors).toMatchObject([{ __typename: "StreamGap" }]);
    const refused = await gateway.ask(PAGE, { after: lostCursor });
    const extensions = refused.errors?.[0]?.extensions;
    expect(extensions?.["code"]).toBe("CURSOR_INVALID");
    const { data } = await gateway.ask<Page>(PAGE, { after: extensions?.["cursor"] });
    expect(data?.callEndedEvents.nodes.map(({ sessionId }) => sessionId)).toEqual(later);
    expect(await textOf(gateway)).toContain("degraded: a failover of PostgreSQL lost 3 events or more");
  }

  const reconciling = parts.use(await startGateway(sandbox, { ...env, RECONCILE_INTERVAL_S: "1" }));
  await until(async () => (await eventCount(database)) === 9);
  const { data } = await reconciling.ask<Page>(PAGE);
  const found = data?.callEndedEvents.nodes.filter(({ source }) => source === "RECONCILED");
  expect(found?.map(({ sessionId }) => sessionId).toSorted()).toEqual(["lost 1", "lost 2", "lost 3"]);
  await until(() => reader.sessionIds.length >= 12);
  expect(reader.sessionIds.slice(9).toSorted()).toEqual(["lost 1", "lost 2", "lost 3"]);
});
