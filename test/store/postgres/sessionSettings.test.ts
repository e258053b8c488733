import { FinalError } from "../../../src/util/start/finalError.ts";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { createSessions } from "../../../src/store/postgres/databaseSessions.ts";
import { refusalOf } from "../../../src/store/postgres/serverCheck.ts";
import { sessionSettingNames } from "../../../src/store/postgres/sessionSettings.ts";
import { inspectDatabase } from "../../../src/store/inspectDatabase.ts";
import { openStore } from "../../../src/store/store.ts";
import { createLogger } from "../../../src/logger.ts";
import { textAt } from "../../house/sources.ts";
import { silentLog } from "../../support/silentLog.ts";
import { createPostgresDatabase, type PostgresDatabase } from "../../support/postgres/postgres.ts";
import { until } from "../../support/until.ts";
import { openRefusal } from "../contract/open.ts";
import { postgres, type TestDatabase } from "../databases.ts";
import { appendRows, eachRevises, eventRow, seqs, tempStore, WHOLE } from "../tempStore.ts";

/** Each would break a promise, or makes the database refuse or end what the gateway does. */
const HOSTILE: Record<string, string> = {
  synchronous_commit: "off",
  default_transaction_isolation: "'repeatable read'",
  statement_timeout: "4000",
  idle_in_transaction_session_timeout: "4000",
  transaction_timeout: "4000",
  lock_timeout: "4000",
  idle_session_timeout: "4000",
  extra_float_digits: "'-10'",
  row_security: "on",
  session_replication_role: "replica",
  zero_damaged_pages: "on",
  ignore_checksum_failure: "on",
  client_encoding: "'LATIN1'",
  bytea_output: "'escape'",
  standard_conforming_strings: "off",
};

const nameOf = ({ url }: Pick<TestDatabase, "url">) => new URL(url).pathname.slice(1);

async function hostileDatabase(): Promise<TestDatabase> {
  const database = await postgres.create();
  // In one statement: the next session could not do much.
  const statements = Object.entries(HOSTILE).map(
    ([name, value]) => `alter database ${nameOf(database)} set ${name} = ${value}`,
  );
  await database.ask(statements.join(";"));
  return database;
}

async function openedDatabase(url: string) {
  const database = await openDatabase(url, silentLog, { fsync: "elsewhere" });
  onTestFinished(() => database[Symbol.asyncDispose]());
  return database;
}

describe("A session with PostgreSQL whose database has hostile settings", () => {
  it("has what the gateway relies on", async () => {
    const { db } = await openedDatabase((await hostileDatabase()).url);
    const settings = sql.join(sessionSettingNames.map((name) => sql.lit(name)));
    const { rows } = await sql<{ name: string; setting: string; source: string }>`
      select name, setting, source from pg_settings where name in (${settings}) order by name`.execute(db);
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toEqual({
      application_name: "switchboard",
      bytea_output: "hex",
      client_encoding: "UTF8",
      default_transaction_isolation: "read committed",
      extra_float_digits: "1",
      idle_in_transaction_session_timeout: "10000",
      idle_session_timeout: "0",
      ignore_checksum_failure: "off",
      lock_timeout: "0",
      row_security: "off",
      search_path: "public",
      session_replication_role: "origin",
      standard_conforming_strings: "on",
      statement_timeout: "5000",
      synchronous_commit: "on",
      transaction_timeout: "0",
      zero_damaged_pages: "off",
    });
  });

  it("appends, reads durations with all digits, listens and erases", async () => {
    const { url, ask } = await hostileDatabase();
    const [one, other] = [await tempStore(url), await tempStore(url)];
    const heard = Promise.withResolvers<number>();
    await using _listening = other.onNotify((through) => {
      if (through !== null) heard.resolve(through);
    });
    const duration = 0.1 + 0.2;
    const rows = ["a", "b", "c"].map((sessionId) => eventRow({ sessionId, duration, assistantIds: ["7"] }));
    const writes = [one, other].map(({ events }) => appendRows(events, rows, eachRevises));
    await Promise.all(writes);
    const read = await one.events.read(WHOLE);
    expect(read.map(({ isIntact }) => isIntact)).toEqual([true, true, true, true, true, true]);
    // A listener that is not connected yet hears nothing of what was appended before.
    let isHeard = false;
    void heard.promise.then(() => (isHeard = true));
    await until(async () => {
      await appendRows(one.events, [eventRow({ sessionId: crypto.randomUUID() })]);
      return isHeard;
    });
    await one.events.purge("2027", 100_000);
    // `session_replication_role = replica` would leave the rows of assistants behind.
    expect(await ask("select seq from events union all select seq from event_assistants")).toEqual([]);
  });

  it("that is read-only by default says so at the start, with the setting's name", async () => {
    const database = await postgres.create();
    await database.ask(`alter database ${nameOf(database)} set default_transaction_read_only = on`);
    const reason = "default_transaction_read_only is on for the role, the database or the server";
    await expect(openStore({ url: database.url, log: silentLog, fsync: "elsewhere" })).rejects.toThrow(reason);
    await expect(inspectDatabase(database.url, "elsewhere")).rejects.toThrow(reason);
  });

  it("keeps a stronger synchronous_commit, and raises weaker ones", async () => {
    const database = await postgres.create();
    const found: Record<string, string | undefined> = {};
    for (const level of ["remote_apply", "on", "remote_write", "local", "off"]) {
      await database.ask(`alter database ${nameOf(database)} set synchronous_commit = ${level}`);
      await using opened = await openDatabase(database.url, silentLog, { fsync: "elsewhere" });
      const { rows } = await sql<{ it: string }>`select current_setting('synchronous_commit') as it`.execute(opened.db);
      found[level] = rows[0]?.it;
    }
    expect(found).toEqual({ remote_apply: "remote_apply", on: "on", remote_write: "on", local: "on", off: "on" });
  });

  it("is not reached by settings in the address", async () => {
    const { url } = await postgres.create();
    const options = encodeURIComponent("-c synchronous_commit=off -c lock_timeout=4000");
    const { db } = await openedDatabase(`${url}?options=${options}&application_name=x&statement_timeout=4000`);
    const { rows } =
      await sql`select current_setting('synchronous_commit') as one, current_setting('lock_timeout') as two,
      current_setting('application_name') as three, current_setting('statement_timeout') as four`.execute(db);
    expect(rows).toEqual([{ one: "on", two: "0", three: "switchboard", four: "5s" }]);
  });
});

describe("The gateway's tables on PostgreSQL", () => {
  const first = (sessionId: string) => [eventRow({ sessionId })];

  it("stay the same when a schema of the role's name comes before them", async () => {
    const { url, ask } = await postgres.create();
    await appendRows((await tempStore(url)).events, first("a"));
    await ask(`create schema ${new URL(url).username}`);
    expect(seqs(await (await tempStore(url)).events.read(WHOLE))).toEqual([1]);
  });

  it("are used by new sessions of a gateway after search_path was changed", async () => {
    const { url, ask } = await postgres.create();
    const { events } = await tempStore(url);
    await appendRows(events, first("a"));
    await ask(`create schema other; alter database ${new URL(url).pathname.slice(1)} set search_path = other`);
    await ask(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
    );
    expect(await until(() => events.head().catch(() => null))).toBe(1);
  });

  it("are not created a second time in a schema that search_path names instead of theirs", async () => {
    const { url, ask } = await postgres.create();
    await (await tempStore(url))[Symbol.asyncDispose]();
    await ask(`create schema other; alter database ${new URL(url).pathname.slice(1)} set search_path = other`);
    expect(await openRefusal(url)).toMatch(
      /search_path is other, but the gateway's tables are in the schema public\. Name it in search_path$/,
    );
  });

  it("are created in the schema that the address names, beside those of another gateway", async () => {
    const { url, ask } = await postgres.create();
    await appendRows((await tempStore(url)).events, first("a"));
    await ask("create schema other");
    const { events } = await tempStore(`${url}?options=${encodeURIComponent("-c search_path=other")}`);
    expect(await events.read(WHOLE)).toEqual([]);
    expect(await ask("select count(*)::integer as it from other.events")).toEqual([{ it: 0 }]);
  });
});

const GOOD = { version_num: 180_000, version: "18.0", server_encoding: "UTF8", fsync: "on", full_page_writes: "on" };

describe("A PostgreSQL server that the gateway must not use", () => {
  async function inEncoding(encoding: string): Promise<PostgresDatabase> {
    const options = `template template0 encoding '${encoding}' lc_collate 'C' lc_ctype 'C'`;
    const database = await createPostgresDatabase(undefined, options);
    onTestFinished(() => database[Symbol.asyncDispose]());
    return database;
  }

  it.each(["LATIN1", "EUC_CN", "SQL_ASCII"])("is refused if its encoding is %s", async (encoding) => {
    const { url, ask } = await inEncoding(encoding);
    expect(await openRefusal(url)).toMatch(
      new RegExp(
        `: server_encoding is ${encoding}, which cannot hold every call\\. Create the database with encoding 'UTF8'$`,
      ),
    );
    expect(await ask("select count(*)::integer as it from pg_class where relname = 'events'")).toEqual([{ it: 0 }]);
  });

  it("is refused if fsync is off, unless DATABASE_FSYNC says that its storage keeps commits", async () => {
    const { url } = await postgres.create();
    // The server of the tests does not sync.
    const refusal = await openStore({ url, log: silentLog }).catch((error: unknown) => error);
    // A start ends with it, and does not wait.
    expect(refusal).toBeInstanceOf(FinalError);
    expect(String(refusal)).toMatch(/: fsync is off, so a crash of the machine loses/);
    await using store = await openStore({ url, log: silentLog, fsync: "elsewhere" });
    expect(await store.isWritable()).toBe(true);
  });

  it("is refused if its version is too old", () => {
    expect(refusalOf({ ...GOOD, version_num: 110_022, version: "11.22" }, "required")).toBe(
      "server_version is 11.22. The gateway needs PostgreSQL 12 or later",
    );
    expect(refusalOf(GOOD, "required")).toBeNull();
  });

  it("is warned about once if full_page_writes is off", async () => {
    const lines: string[] = [];
    const log = createLogger({ level: "warn", secrets: [], write: (line) => lines.push(line) });
    const sessions = createSessions({ fsync: "required", log });
    const answer = [{ rows: [{ ...GOOD, full_page_writes: "off" }] }, { rows: [] }, { rows: [{ path: "public" }] }];
    const client = { query: async (text: string) => (text.includes(";") ? answer : { rows: [] }) };
    await sessions.prepare(client as never, 0);
    await sessions.prepare(client as never, 0);
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ full_page_writes: "off" }]);
  });
});

describe("docs/postgresql.md", () => {
  it("names each setting that the gateway sets or checks", () => {
    const names = [...sessionSettingNames, "server_encoding", "fsync", "full_page_writes"];
    const page = textAt("docs/postgresql.md");
    expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
  });
});
