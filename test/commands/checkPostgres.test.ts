// `switchboard check` and a start must judge a server alike.
import { randomBytes } from "node:crypto";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { schemaVersions } from "../../src/store/migrations/schemaVersions.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { askPostgres } from "../support/postgres/askPostgres.ts";
import { createPostgresDatabase } from "../support/postgres/postgres.ts";
import { startPostgres } from "../support/postgres/postgresServer.ts";
import { silentLog } from "../support/silentLog.ts";
import { openStore } from "../../src/store/store.ts";
import { isPgbouncerInstalled, startPgbouncer } from "../support/postgres/pgbouncer.ts";
import { startProgram } from "../support/program.ts";
import { CLI } from "../support/sandbox.ts";
import { postgres, type TestDatabase } from "../store/databases.ts";
import { makeVersion } from "../store/migrations/databaseOfVersion.ts";
import { open } from "../store/tempStore.ts";

interface Case {
  title: string;
  /** Gives the address for the gateway. */
  prepare(): Promise<string>;
  code: number;
  text: RegExp;
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** The address of the database for a new role, which has the rights that `grants` gives it and no others. */
async function asRole(database: TestDatabase, grants: (role: string) => string): Promise<string> {
  const server = inject("postgresUrl");
  const role = `role_${randomBytes(6).toString("hex")}`;
  await askPostgres(server, `create role ${role} login password 'a-word'`);
  onTestFinished(async () => {
    await database[Symbol.asyncDispose]();
    await askPostgres(server, `drop role ${role}`);
  });
  // The default since PostgreSQL 15.
  await database.ask(`revoke create on schema public from public; ${grants(role)}`);
  return Object.assign(new URL(database.url), { username: role, password: "a-word" }).href;
}

const cases: Case[] = [
  {
    title: "search_path does not lead to the tables",
    async prepare() {
      const { url, ask } = await postgres.create();
      await (await open(url))[Symbol.asyncDispose]();
      await ask(`create schema other; alter database ${nameOf(url)} set search_path = other`);
      return url;
    },
    code: 78,
    text: /search_path is other, but the gateway's tables are in the schema public\. Name it in search_path$/m,
  },
  {
    title: "search_path names no schema that is there",
    async prepare() {
      const { url, ask } = await postgres.createEmpty();
      await ask(`alter database ${nameOf(url)} set search_path = missing`);
      return url;
    },
    code: 1,
    text: /search_path is missing, and no such schema exists$/m,
  },
  {
    title: "search_path finds the schema version in a schema that has no other table",
    async prepare() {
      const { url, ask } = await migrated();
      await ask(`create schema other; create table other.schema_version as select * from schema_version`);
      await ask(`alter database ${nameOf(url)} set search_path = other, public`);
      return url;
    },
    code: 78,
    text: /the database lacks the tables events, .* and \d+ more of schema version \d+\. The schema public has them all: name it alone in search_path$/m,
  },
  {
    title: "search_path finds another program's table of the same name first",
    async prepare() {
      const { url, ask } = await migrated();
      await ask(
        `create schema other; create table other.audit (id integer); alter table schema_version set schema other`,
      );
      await ask(`alter database ${nameOf(url)} set search_path = other, public`);
      return url;
    },
    code: 78,
    text: /the database lacks the tables .*; the columns audit\.at, .*The schema public has them all/m,
  },
  {
    title: "a dump left out a table",
    async prepare() {
      const { url, ask } = await migrated();
      await ask("drop table known_tasks");
      return url;
    },
    code: 78,
    text: /the database lacks the tables known_tasks of schema version \d+\. Restore a whole backup, or begin with a new database/m,
  },
  {
    title: "the role may not read a table",
    async prepare() {
      const database = await migrated();
      return asRole(
        database,
        (role) => `grant create on schema public to ${role}; grant all on all tables in schema public to ${role};
          grant all on all sequences in schema public to ${role}; revoke select on submissions, audit from ${role}`,
      );
    },
    code: 1,
    text: /the role role_\w+ lacks the right SELECT in the tables audit, submissions$/m,
  },
  {
    title: "the role may not create tables in a new database",
    prepare: async () => asRole(await postgres.createEmpty(), () => ""),
    code: 1,
    text: /the role role_\w+ lacks the right CREATE in the schema public$/m,
  },
  {
    title: "the role may not create tables, although they are there",
    async prepare() {
      const database = await migrated();
      return asRole(database, (role) => `grant all on all tables in schema public to ${role}`);
    },
    code: 1,
    text: /the role role_\w+ lacks the right CREATE in the schema public$/m,
  },
  {
    title: "the role may not write a table",
    async prepare() {
      const database = await migrated();
      return asRole(
        database,
        (role) => `grant create on schema public to ${role}; grant all on all tables in schema public to ${role};
          grant all on all sequences in schema public to ${role}; revoke insert on events, audit from ${role}`,
      );
    },
    code: 1,
    text: /the role role_\w+ lacks the right INSERT in the tables events, audit$/m,
  },
  {
    title: "the role may not upgrade the tables of an older version",
    async prepare() {
      const database = await postgres.createEmpty();
      await makeVersion("postgres", database.ask, schemaVersions.length - 1);
      return asRole(
        database,
        (role) => `grant create on schema public to ${role}; grant all on all tables in schema public to ${role}`,
      );
    },
    code: 1,
    text: /the role role_\w+ does not own the tables, so it cannot upgrade them$/m,
  },
];

const pooled: Case = {
  title: "PgBouncer gives each transaction another connection",
  prepare: async () => startPgbouncer((await postgres.createEmpty()).url, "transaction"),
  code: 78,
  text: /a pooler gives each transaction another connection\. Set pool_mode=session for this database$/m,
};

async function migrated(): Promise<TestDatabase> {
  const database = await postgres.create();
  await (await open(database.url))[Symbol.asyncDispose]();
  return database;
}

async function check(url: string) {
  await using directory = await temporaryDirectory();
  const env = { DATABASE_URL: url, DATABASE_FSYNC: "elsewhere" };
  await using program = startProgram([CLI, "check"], env, directory.path);
  const code = await program.exited;
  const lines = program.output.filter((line) => / database /.test(line));
  const warnings = lines.flatMap((line) => /^warning +database +(.*)$/.exec(line)?.[1] ?? []);
  return { code, line: lines.find((line) => !line.startsWith("warning")) ?? "", warnings };
}

/** Whether a gateway would become ready. */
async function wouldServe(url: string): Promise<boolean> {
  try {
    await using store = await open(url);
    return await store.isWritable();
  } catch {
    return false;
  }
}

describe("switchboard check on PostgreSQL", () => {
  it.each([...cases, ...(isPgbouncerInstalled ? [pooled] : [])])(
    "fails as the start does where $title",
    async ({ prepare, code, text }) => {
      const url = await prepare();
      const found = await check(url);
      expect([found.code, found.line]).toEqual([code, expect.stringMatching(text)]);
      expect(found.line).toMatch(/^FAILED /);
      expect(await wouldServe(url)).toBe(false);
    },
  );

  it("warns of what a start warns of: of full_page_writes, and of a certificate that is not checked", async () => {
    await using server = await startPostgres({ fsync: false, settings: { full_page_writes: "off" } });
    const { url } = await createPostgresDatabase(server.url);
    const warned: string[] = [];
    const log = { ...silentLog, warn: (_: object, message: string) => void warned.push(message) };
    await using _store = await openStore({ url, log, fsync: "elsewhere" });
    const uncheckedUrl = `${url}?sslmode=no-verify`;
    await expect(openStore({ url: uncheckedUrl, log, fsync: "elsewhere" })).rejects.toThrow();
    const told = warned.filter((message) => /full_page_writes|certificate/.test(message));
    expect(told).toHaveLength(2);
    const [plain, unchecked] = [await check(url), await check(uncheckedUrl)];
    expect(plain).toEqual({ code: 0, line: expect.stringMatching(/^ok /), warnings: [told[0]] });
    // The server has no TLS.
    expect(unchecked).toEqual({ code: 1, line: expect.stringMatching(/^FAILED /), warnings: [told[1]] });
  });

  it("is content with a role that owns the database, whose schema it may create tables in", async () => {
    const database = await postgres.createEmpty();
    const url = await asRole(
      database,
      (role) => `alter database ${nameOf(database.url)} owner to ${role};
      grant create on schema public to ${role}`,
    );
    const isNew = /^ok .*CREATES A NEW, EMPTY DATABASE$/;
    expect(await check(url)).toEqual({ code: 0, line: expect.stringMatching(isNew), warnings: [] });
    expect(await wouldServe(url)).toBe(true);
    const isCurrent = /^ok .*has schema version \d+$/;
    expect(await check(url)).toEqual({ code: 0, line: expect.stringMatching(isCurrent), warnings: [] });
  });
});
