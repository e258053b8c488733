// The least that counts as storing: writes bytes to a database and syncs it, with one commit for everything that waits.
import { DatabaseSync } from "node:sqlite";
import { openClient } from "../../test/support/postgres/connections.ts";
import { createGroupCommit } from "../../src/util/groupCommit.ts";

export type Keep = (body: Uint8Array) => Promise<unknown>;

/** Opens an empty database: `file:PATH` or `postgres://…`. */
export async function openKeep(url: string): Promise<Keep> {
  return url.startsWith("file:") ? keepInFile(url.slice("file:".length)) : keepInPostgres(url);
}

/** Stores each webhook in its own transaction. The thread is blocked during the sync, and for a number of milliseconds after it. */
export function keepEach(url: string, slowMs: number): Keep {
  const { insert } = openFile(url.slice("file:".length));
  const disk = new Int32Array(new SharedArrayBuffer(4));
  return async (body) => {
    insert.run(body);
    if (slowMs > 0) Atomics.wait(disk, 0, 0, slowMs);
  };
}

function openFile(file: string) {
  const database = new DatabaseSync(file);
  database.exec("pragma locking_mode = exclusive; pragma journal_mode = wal; pragma synchronous = full");
  database.exec("create table kept (seq integer primary key, body blob not null) strict");
  return { database, insert: database.prepare("insert into kept (body) values (?)") };
}

function keepInFile(file: string): Keep {
  const { database, insert } = openFile(file);
  let waiting: { body: Uint8Array; kept: () => void }[] = [];

  function commit(): void {
    const group = waiting;
    waiting = [];
    database.exec("begin immediate");
    for (const { body } of group) insert.run(body);
    database.exec("commit");
    for (const { kept } of group) kept();
  }
  return (body) =>
    new Promise<void>((kept) => {
      waiting.push({ body, kept });
      if (waiting.length === 1) setImmediate(commit);
    });
}

/** Commits in groups like the gateway. Each group is one insert, which is its own transaction. */
async function keepInPostgres(url: string): Promise<Keep> {
  const client = await openClient({ connectionString: url });
  await client.query("create table kept (seq bigint generated always as identity primary key, body bytea not null)");
  return createGroupCommit({
    isRefusal: () => false,
    async commit(bodies: readonly Uint8Array[]) {
      const rows = bodies.map((_, at) => `($${at + 1})`).join();
      // Named, so that the server parses the statement of each size once.
      const name = `keep ${bodies.length}`;
      await client.query({ name, text: `insert into kept (body) values ${rows}`, values: [...bodies] });
      return bodies;
    },
    maxBatch: 500,
    maxQueued: 20_000,
    sizeOf: () => 1,
    maxQueuedSize: Infinity,
  });
}
