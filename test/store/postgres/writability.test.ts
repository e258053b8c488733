import { spawnSync } from "node:child_process";
import { appendFileSync, chownSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { NO_SERVICE, startGateway } from "../../support/gateway.ts";
import { callEndedEvent } from "../../support/events.ts";
import { createPostgresDatabase } from "../../support/postgres/postgres.ts";
import { freePort } from "../../support/network/freePort.ts";
import { openClient } from "../../support/postgres/connections.ts";
import { until } from "../../support/until.ts";
import { postgres, type TestDatabase } from "../databases.ts";
import { appendRows, eventRow, tempStore } from "../tempStore.ts";

async function gatewayOn({ url }: Pick<TestDatabase, "url">) {
  const METRICS_PORT = String(await freePort());
  const gateway = await startGateway(NO_SERVICE, { DATABASE_URL: url, METRICS_PORT });
  onTestFinished(() => gateway[Symbol.asyncDispose]());
  const ready = async () => (await fetch(`${gateway.url}/readyz`)).status;
  return {
    ready,
    deliver: async (event: object) => (await gateway.deliver(event)).status,
    /** What /readyz and the metric say. */
    async said() {
      const page = await (await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`)).text();
      return { ready: await ready(), writable: /^switchboard_database_writable (\d)$/m.exec(page)?.[1] };
    },
  };
}

const YES = { ready: 200, writable: "1" };
const NO = { ready: 503, writable: "0" };

/** A folder on a small file system of its own. Null: this machine does not let us mount one. */
function smallDisk(bytes: number): string | null {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-small-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes}`, "tmpfs", folder]).status === 0;
  onTestFinished(() => {
    if (mounted) spawnSync("umount", ["--lazy", folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return mounted ? folder : null;
}

/** Nothing can be written to it then. */
function fillUp(disk: string): void {
  for (;;)
    try {
      appendFileSync(join(disk, "filled"), Buffer.alloc(4096));
    } catch {
      return;
    }
}

describe("/readyz and switchboard_database_writable on PostgreSQL", () => {
  it("say no while the disk of its tables is full, and yes when there is room", async (test) => {
    const disk = smallDisk(16 * 1024 * 1024);
    if (disk === null) {
      test.skip("needs the right to mount a tmpfs; the next test fills no disk");
      return;
    }
    const template = await postgres.create();
    const [{ folder } = { folder: "" }] = await template.ask("select current_setting('data_directory') as folder");
    const { uid, gid } = statSync(String(folder));
    chownSync(disk, uid, gid);
    const space = `small_${Date.now()}`;
    await template.ask(`create tablespace ${space} location '${disk}'`);
    onTestFinished(() => template.ask(`drop tablespace ${space}`).then(() => undefined));
    const name = new URL(template.url).pathname.slice(1);
    // Its tables alone are there, and the write-ahead log is not: PostgreSQL goes on, and every write of a new page fails.
    const database = await createPostgresDatabase(
      undefined,
      `template ${name} strategy = file_copy tablespace ${space}`,
    );
    onTestFinished(() => database[Symbol.asyncDispose]());
    const gateway = await gatewayOn(database);
    expect([await gateway.deliver(callEndedEvent()), await gateway.said()]).toEqual([200, YES]);

    // Opened before: a new connection may be refused where the disk is full.
    const client = await openClient({ connectionString: database.url });
    onTestFinished(() => client.end());
    await client.query("create table filler (text text)");
    const fill = (rows: number) => () =>
      client
        .query(`insert into filler select string_agg(md5(random()::text), '') from generate_series(1, ${rows})`)
        .then(() => false)
        .catch((error: { code?: string }) => error.code === "53100");
    for (const rows of [20_000, 1000, 60]) await until(fill(rows));
    await until(async () => (await gateway.deliver(callEndedEvent())) === 503);
    expect(await gateway.said()).toEqual(NO);
    // As after a change of PostgreSQL's own tables: the next connection writes what it knows of them anew, and is refused where there is no room.
    await until(async () => {
      for (const file of readdirSync(disk, { recursive: true, encoding: "utf8" }))
        if (file.endsWith("/pg_internal.init")) rmSync(join(disk, file));
      fillUp(disk);
      const asked = database.ask("select 1").then(() => "answered", String);
      return (await asked).includes("could not write init file");
    });
    expect([await gateway.deliver(callEndedEvent()), await gateway.said()]).toEqual([503, NO]);

    await client.query("drop table filler");
    await client.query("checkpoint");
    await until(async () => (await gateway.ready()) === 200);
    expect([await gateway.deliver(callEndedEvent()), await gateway.said()]).toEqual([200, YES]);
  });

  it.each([
    ["the disk is full", "53100"],
    ["the disk fails", "58030"],
  ])("say no after a write failed because %s, until a write succeeds", async (_, code) => {
    const database = await postgres.create();
    const gateway = await gatewayOn(database);
    expect(await gateway.said()).toEqual(YES);
    await database.ask(`create function refuse() returns trigger language plpgsql as $$ begin
      raise exception 'no' using errcode = '${code}'; end $$;
      create trigger refuse before insert on events execute function refuse();
      create trigger refuse before insert on settings execute function refuse()`);
    expect(await gateway.deliver(callEndedEvent())).toBe(503);
    expect(await gateway.said()).toEqual(NO);
    await database.ask("drop trigger refuse on events; drop trigger refuse on settings");
    expect(await gateway.said()).toEqual(YES);
    expect(await database.ask("select name from settings where name = 'room'")).toEqual([]);
  });

  it("say no while the role may not write, before any write has failed", async () => {
    const database = await postgres.create();
    const role = `poor_${Date.now()}`;
    const url = Object.assign(new URL(database.url), { username: role, password: "x" }).href;
    await database.ask(`create role ${role} login password 'x';
      grant select, insert, update, delete on all tables in schema public to ${role};
      grant usage, update, select on all sequences in schema public to ${role}; grant create on schema public to ${role}`);
    onTestFinished(() => database.ask(`drop owned by ${role}; drop role ${role}`).then(() => undefined));
    const store = await tempStore(url);
    expect(await store.isWritable()).toBe(true);
    await database.ask(`revoke insert on events from ${role}`);
    expect(await store.isWritable()).toBe(false);
    await expect(appendRows(store.events, [eventRow({ sessionId: "a" })])).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    await database.ask(`grant insert on events to ${role}`);
    expect(await store.isWritable()).toBe(true);
    await store[Symbol.asyncDispose]();
  });
});
