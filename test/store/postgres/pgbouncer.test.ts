import { sql } from "kysely";
import { expect, describe, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { silentLog } from "../../support/silentLog.ts";
import { eventRow, open, tempStore } from "../tempStore.ts";
import { askPostgres } from "../../support/postgres/askPostgres.ts";
import { postgres } from "../databases.ts";
import { isPgbouncerInstalled, startPgbouncer, turnToTransactionMode } from "../../support/postgres/pgbouncer.ts";
import { until } from "../../support/until.ts";

/** By default the database loses the last commits in a crash. Notes with what settings rows are written. */
async function loseCommits(url: string, ask: (sql: string) => Promise<unknown>): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await ask(`create table levels (level text, isolation text);
    create function note() returns trigger language plpgsql as $$ begin
      insert into levels values (current_setting('synchronous_commit'), current_setting('transaction_isolation'));
      return new; end $$;
    create trigger note before insert on settings for each row execute function note();
    alter database ${name} set synchronous_commit = off;
    alter database ${name} set default_transaction_isolation = 'serializable'`);
}

describe.skipIf(!isPgbouncerInstalled)(
  `PgBouncer${isPgbouncerInstalled ? "" : " (skipped: pgbouncer is not installed)"}`,
  () => {
    it("in session mode carries appends, and notifications to another gateway", async () => {
      const { url } = await postgres.create();
      const behind = await startPgbouncer(url, "session");
      const [one, other] = [await tempStore(behind), await tempStore(behind)];
      let through: number | null = null;
      await using _listening = other.onNotify((position) => {
        through = position ?? through;
      });
      await until(async () => {
        await one.events.append([eventRow({ sessionId: crypto.randomUUID() })], (_known, row) => row);
        return through !== null;
      });
      expect(through).toBeGreaterThan(0);
    });

    it("in session mode gives each gateway the settings that it needs, although it discards those of the one before", async () => {
      const { url, ask } = await postgres.create();
      await ask(`alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
      const behind = await startPgbouncer(
        url,
        "session",
        "server_reset_query = DISCARD ALL\nserver_reset_query_always = 1",
      );
      const found: { pid: number; commit: string; isolation: string }[] = [];
      for (let gateway = 0; gateway < 3; gateway += 1) {
        await using database = await openDatabase(behind, silentLog, { fsync: "elsewhere" });
        const { rows } = await sql<(typeof found)[0]>`select pg_backend_pid() as pid,
        current_setting('synchronous_commit') as commit, current_setting('transaction_isolation') as isolation
      `.execute(database.db);
        found.push(...rows);
        // What a careless client leaves behind.
        await askPostgres(behind, "set synchronous_commit = local; set default_transaction_isolation = serializable");
      }
      expect(found.map(({ commit, isolation }) => [commit, isolation])).toEqual([
        ["on", "read committed"],
        ["on", "read committed"],
        ["on", "read committed"],
      ]);
      expect(new Set(found.map(({ pid }) => pid)).size).toBeLessThan(found.length);
    });

    it.each(["discard all", "reset all"])(
      "that sends %s in the middle of a session makes the next write use another",
      async (reset) => {
        const { url, ask } = await postgres.create();
        await loseCommits(url, ask);
        const behind = await startPgbouncer(url, "session");
        const {
          db,
          append,
          [Symbol.asyncDispose]: close,
        } = await openDatabase(behind, silentLog, { fsync: "elsewhere" });
        onTestFinished(() => close());
        const write = () => append((trx) => sql`insert into settings values (${crypto.randomUUID()}, '')`.execute(trx));
        await write();
        await sql.raw(reset).execute(db);
        await expect(write()).rejects.toThrow("a pooler has reset the gateway's session");
        await write();
        expect(await ask("select distinct level, isolation from levels")).toEqual([
          { level: "on", isolation: "read committed" },
        ]);
      },
    );

    it("that turns to transaction mode while the gateway runs loses it no commit", async () => {
      const { url, ask } = await postgres.create();
      await loseCommits(url, ask);
      const pooler = await startPgbouncer(url, "session");
      const { append, [Symbol.asyncDispose]: close } = await openDatabase(pooler, silentLog, { fsync: "elsewhere" });
      onTestFinished(() => close());
      const write = () => append((trx) => sql`insert into settings values (${crypto.randomUUID()}, '')`.execute(trx));
      const settled: string[] = [];
      const writeMany = async () => {
        const results = await Promise.allSettled(Array.from({ length: 20 }, write));
        settled.push(...results.map(({ status }) => status));
      };
      await writeMany();
      await turnToTransactionMode(pooler);
      // Their connections to the server have none of the gateway's settings.
      await until(async () => {
        await Promise.all([
          writeMany(),
          askPostgres(pooler, "select pg_sleep(0.01)"),
          askPostgres(pooler, "discard all"),
        ]);
        return settled.includes("rejected");
      });
      expect(await ask("select distinct level, isolation from levels")).toEqual([
        { level: "on", isolation: "read committed" },
      ]);
    });

    it("in transaction mode is refused at the start, in one line", async () => {
      const { url } = await postgres.create();
      const behind = await startPgbouncer(url, "transaction");
      const { host } = new URL(behind);
      await expect(open(behind)).rejects.toThrow(
        `The database ${host} cannot be opened: a pooler gives each transaction another connection. Set pool_mode=session for this database`,
      );
    });
  },
);
