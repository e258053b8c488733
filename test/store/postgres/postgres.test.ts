import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { Kysely, sql } from "kysely";
import { DatabaseError } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLogger } from "../../../src/logger.ts";
import { silentLog } from "../../support/silentLog.ts";
import { openPostgres } from "../../../src/store/postgres/postgres.ts";
import { createPrimaryHost } from "../../../src/store/postgres/primaryHost.ts";
import { createSessions } from "../../../src/store/postgres/databaseSessions.ts";
import { openStore } from "../../../src/store/store.ts";
import { textAt } from "../../house/sources.ts";
import { createPool } from "../../support/postgres/connections.ts";
import { askPostgres } from "../../support/postgres/askPostgres.ts";
import { until } from "../../support/until.ts";
import { storeContract } from "../contract.ts";
import { openRefusal } from "../contract/open.ts";
import { postgres } from "../databases.ts";
import { appendRows, eachRevises, eventRow, open, seqs, tempStore, WHOLE } from "../tempStore.ts";

storeContract(postgres);

const backends = (state: string) =>
  `from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and ${state}`;

describe("Several gateways on one PostgreSQL", () => {
  it("show their connections to the query of docs/runbook.md", async () => {
    const { url, ask } = await postgres.create();
    await tempStore(url);
    const [, query = ""] = /^psql "\$DATABASE_URL" -c "([^"]+)"$/m.exec(textAt("docs/runbook.md")) ?? [];
    expect((await ask(query)).length).toBeGreaterThan(0);
  });

  it("migrate once when they start at the same time", async () => {
    const { url, ask } = await postgres.createEmpty();
    const stores = await Promise.all(Array.from({ length: 6 }, () => tempStore(url)));
    expect(new Set(stores.map(({ signingKey: sealKey }) => sealKey.toString("hex"))).size).toBe(1);
    expect(await ask("select version from schema_version")).toHaveLength(1);
  });

  it("give each revision of a call once", async () => {
    const { url } = await postgres.create();
    const stores = await Promise.all([tempStore(url), tempStore(url), tempStore(url)]);
    const sessions = Array.from({ length: 20 }, (_, at) => `s${at}`);
    const writes = stores.flatMap(({ events }) =>
      sessions.map((sessionId) =>
        events.append([eventRow({ sessionId }), eventRow({ sessionId: "all" })], eachRevises),
      ),
    );
    await Promise.all(writes);
    const rows = await stores[0]?.events.read(WHOLE);
    const revisions = rows?.map(({ sessionId, revision }) => `${sessionId} ${revision}`);
    expect(new Set(revisions).size).toBe(120);
    expect(rows?.filter(({ sessionId }) => sessionId === "all").map(({ revision }) => revision)).toEqual(
      Array.from({ length: 60 }, (_, at) => at + 1),
    );
  });

  it("are notified of each other's appends", async () => {
    const { url } = await postgres.create();
    const [one, other] = [await tempStore(url), await tempStore(url)];
    const notified = Promise.withResolvers<number>();
    await using _listening = other.onNotify(() => {
      // The last poll may come after the database was deleted.
      void other.events.head().then(
        (head) => (head === 1 ? notified.resolve(head) : undefined),
        () => undefined,
      );
    });
    await appendRows(one.events, [eventRow({ sessionId: "a" })]);
    expect(await notified.promise).toBe(1);
  });

  it("keep the end of purged positions when two purge at the same time", async () => {
    const { url } = await postgres.create();
    const { events } = await tempStore(url);
    await appendRows(
      events,
      ["a", "b", "c"].map((sessionId) => eventRow({ sessionId })),
    );
    const purged = askPostgres(
      url,
      `begin; delete from events where seq <= 2; insert into settings values ('purged_through', '2');
       do $$ begin while not exists (select 1 ${backends("wait_event_type = 'Lock'")}) loop perform pg_stat_clear_snapshot(); end loop; end $$;
       commit`,
    );
    await until(async () => (await askPostgres(url, `select 1 ${backends("query like 'begin; delete%'")}`)).length > 0);
    expect(await events.purge("2027", 1)).toBe(0);
    await purged;
    expect([await events.purgedThrough(), seqs(await events.read(WHOLE))]).toEqual([2, [3]]);
  });
});

describe("A PostgreSQL server that accepts no writes, such as a standby", () => {
  it("makes isWritable() false until it accepts writes again", async () => {
    const { url, ask } = await postgres.create();
    const store = await tempStore(url);
    const turn = async (state: string) => {
      await ask(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${state}`);
      await ask(`select pg_terminate_backend(pid) ${backends("true")}`);
    };
    expect(await store.isWritable()).toBe(true);
    await turn("on");
    await until(async () => !(await store.isWritable()));
    // It stays so after the connections were replaced.
    expect([await store.isWritable(), await store.events.head()]).toEqual([false, 0]);
    await ask(
      `begin read write; alter database ${new URL(url).pathname.slice(1)} reset default_transaction_read_only; commit`,
    );
    await ask(`select pg_terminate_backend(pid) ${backends("true")}`);
    await until(() => store.isWritable());
  });
});

describe("The PostgreSQL connection pool", () => {
  it("counts a statement as waiting only if no connection is idle", async () => {
    const store = await tempStore((await postgres.create()).url);
    const counts = (times: number) => Promise.all(Array.from({ length: times }, () => store.submissions.counts()));
    await counts(4);
    const few = counts(3);
    expect(store.pool()).toMatchObject({ waiting: 0 });
    await few;
    const many = counts(40);
    expect(store.pool()?.waiting).toBeGreaterThan(0);
    await many;
  });

  it("replaces connections that are lost while idle or during a query", async () => {
    const { url, ask } = await postgres.create();
    const { events } = await tempStore(url);
    const done = new AbortController();
    let kept = 0;
    let failed = 0;
    const writing = (async () => {
      for (let at = 0; !done.signal.aborted; at += 1) {
        const write = appendRows(events, [eventRow({ sessionId: `s${at}` })]);
        await write.then(() => (kept += 1)).catch(() => (failed += 1));
      }
    })();
    for (let at = 0; at < 12; at += 1) {
      const before = kept;
      await ask(`select pg_terminate_backend(pid) ${backends("true")}`);
      await until(() => kept > before + 1);
    }
    done.abort();
    await writing;
    expect(failed).toBeGreaterThan(0);
    expect((await events.read(WHOLE)).length).toBeGreaterThanOrEqual(kept);
  });

  it("replaces a connection whose server does not answer", async () => {
    const { url } = await postgres.create();
    const proxy = await silentProxy(url);
    const primary = createPrimaryHost(() => [proxy.url]);
    const sessions = createSessions({ fsync: "elsewhere", log: silentLog });
    const options = { primary, sessions, statementTimeoutMs: 1000, connections: 1, log: silentLog };
    const db = new Kysely<object>(await openPostgres(options));
    onTestFinished(() => db.destroy());
    const ask = () => sql`select 1 as one`.execute(db);
    await ask().then(proxy.silence);
    await expect(ask()).rejects.toThrow(/timeout/);
    expect((await ask()).rows).toEqual([{ one: 1 }]);
  });
});

/** A proxy to the server. After `silence()` its open connections get no answers. */
async function silentProxy(url: string): Promise<{ url: string; silence: () => void }> {
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect({ host: "127.0.0.1", port: Number(new URL(url).port) });
    for (const socket of [near, far]) socket.on("error", () => undefined);
    near.pipe(far);
    far.pipe(near);
    sockets.add(near).add(far);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { port: String(address.port) }).href,
    silence: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

describe("Opening a PostgreSQL database that is not available", () => {
  const PASSWORD = "canary-of-a-password";
  const elsewhere = (url: string, change: Partial<Record<"password" | "pathname" | "port", string>>) =>
    Object.assign(new URL(url), { password: PASSWORD, ...change }).href;

  async function refusalOf(url: string): Promise<string> {
    const lines: string[] = [];
    const log = createLogger({ level: "debug", secrets: [], write: (line) => lines.push(line) });
    const error = await openStore({ url, log, fsync: "elsewhere" }).catch((error: unknown) => error as Error);
    log.error({ err: error }, "the database was not opened");
    expect(lines.join("")).not.toContain(PASSWORD);
    return openRefusal(url);
  }

  it("reports a wrong password without showing it", async () => {
    const { url } = await postgres.create();
    const line = await refusalOf(elsewhere(url, {}));
    expect(line).toMatch(/^The database 127\.0\.0\.1:\d+ cannot be opened: password authentication failed/);
    expect(line).not.toContain(PASSWORD);
  });

  it("reports a database that does not exist", async () => {
    const { url } = await postgres.create();
    expect(await openRefusal(elsewhere(url, { pathname: "/nowhere", password: new URL(url).password }))).toMatch(
      /cannot be opened: database "nowhere" does not exist$/,
    );
  });

  it("reports an address where no server listens", async () => {
    const line = await refusalOf(`postgres://me:${PASSWORD}@127.0.0.1:1/x`);
    expect(line).toMatch(/^The database 127\.0\.0\.1:1 cannot be opened: .*ECONNREFUSED/);
    expect(line).not.toContain(PASSWORD);
  });

  it.each([
    `postgres://me:${PASSWORD}@127.0.0.1:99999/x`,
    `postgres://me:${PASSWORD}@[x/y`,
    `postgres://me:${PASSWORD}@/%`,
  ])("hides the password of an invalid address: %#", async (url) => {
    expect(await refusalOf(url)).not.toContain(PASSWORD);
  });
});

describe("The errors of pg", () => {
  it("are a DatabaseError if the server sent them, and another error if the server did not answer in time", async () => {
    const { url } = await postgres.create();
    const hasty = createPool({ connectionString: url, query_timeout: 100 });
    onTestFinished(() => hasty.end());
    await expect(askPostgres(url, "select nothing")).rejects.toBeInstanceOf(DatabaseError);
    await expect(hasty.query("select pg_sleep(1)")).rejects.not.toBeInstanceOf(DatabaseError);
  });
});

describe("revisionsOf() on PostgreSQL", () => {
  it("finds no call for a session id with a NUL", async () => {
    const { url } = await postgres.create();
    await using store = await open(url);
    expect(await store.events.revisionsOf("a\0b")).toEqual([]);
  });
});
