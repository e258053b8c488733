import { Kysely, PostgresDialect, sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { scanPostgres } from "../../../src/store/postgres/postgresScans.ts";
import type { Tables } from "../../../src/store/tables.ts";
import { createPool } from "../../support/postgres/connections.ts";
import { askPostgres } from "../../support/postgres/askPostgres.ts";
import { until } from "../../support/until.ts";
import { postgres } from "../databases.ts";

const NEVER = new AbortController().signal;

it("A scan of PostgreSQL ends on the server as soon as its client leaves", async () => {
  const { url } = await postgres.create();
  // Without a statement timeout, which would end it too.
  const pool = createPool({ connectionString: url, max: 2 });
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(() => db.destroy());
  const activity = "select pid from pg_stat_activity where query like 'select pg_sleep(3600)%' and state = 'active'";
  const running = async () => (await askPostgres(url, activity)).length;
  const { run } = scanPostgres(db);
  const client = new AbortController();
  const ended = run((own) => sql`select pg_sleep(3600)`.execute(own), client.signal).catch((error: unknown) => error);
  await until(async () => (await running()) === 1);
  client.abort("the client left");
  expect(await ended).toBe("the client left");
  // Its process tells of the cancellation before it is idle.
  await until(async () => (await running()) === 0);
  // No cancellation reaches the next scan of the connection.
  const { rows } = await run((own) => sql<{ one: number }>`select 1 as one`.execute(own), NEVER);
  expect(rows).toEqual([{ one: 1 }]);
});
