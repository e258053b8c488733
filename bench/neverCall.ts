// `node bench/neverCall.ts [--entries 1000000]`: fills the never-call list on SQLite and on PostgreSQL. Measures the size of an entry,
// and the time to add it and to look one up. Ends with 1 if an entry takes 100 bytes or more, or 50 µs or more.
import { statSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../src/store/store.ts";
import type { DoNotCallStore } from "../src/store/tasks/doNotCallStore.ts";
import { temporaryDirectory } from "../test/support/gateway.ts";
import { askPostgres } from "../test/support/postgres/askPostgres.ts";
import { startPostgres } from "../test/support/postgres/postgresServer.ts";
import { silentLog } from "../test/support/silentLog.ts";

const MAX_BYTES = 100;
const MAX_MICROSECONDS = 50;
const BATCH = 10_000;
/** A look-up asks for at most so many. */
const PART = 1000;
const LOOKUPS = 100_000;

const { values } = parseArgs({ options: { entries: { type: "string", default: "1000000" } } });
const entries = Number(values.entries);

/** Digests of keys as format/phoneKeys.ts makes them. */
const digestsFrom = ({ digestOf }: DoNotCallStore, first: number, count: number) =>
  Array.from({ length: count }, (_, at) => digestOf(String(13e9 + first + at)));

/** `bytes`: the size of the closed database. True: within the limits. */
async function measure(name: string, url: string, bytes: () => Promise<number> | number): Promise<boolean> {
  const by = { actor: "bench", at: new Date().toISOString() };
  const openEmpty = await openStore({ url, log: silentLog });
  await openEmpty[Symbol.asyncDispose]();
  const sizeBefore = await bytes();
  const store = await openStore({ url, log: silentLog });
  const { doNotCall } = store;
  const begin = performance.now();
  for (let first = 0; first < entries; first += BATCH) {
    await doNotCall.add(digestsFrom(doNotCall, first, Math.min(BATCH, entries - first)), by);
  }
  const added = performance.now();
  // Half of them are in the list.
  for (let first = entries - LOOKUPS / 2; first < entries + LOOKUPS / 2; first += PART) {
    await doNotCall.find(digestsFrom(doNotCall, first, PART));
  }
  const found = performance.now();
  const count = await doNotCall.count();
  await store[Symbol.asyncDispose]();
  if (count !== entries) throw new Error(`The list has ${count} entries, not ${entries}.`);
  const size = ((await bytes()) - sizeBefore) / entries;
  const toAdd = ((added - begin) * 1000) / entries;
  const toFind = ((found - added) * 1000) / LOOKUPS;
  console.log(
    `${name}: ${entries} entries, each ${size.toFixed(1)} bytes, ${toAdd.toFixed(1)} µs to add, ${toFind.toFixed(1)} µs to look up`,
  );
  return size < MAX_BYTES && toAdd < MAX_MICROSECONDS && toFind < MAX_MICROSECONDS;
}

async function measureSqlite(): Promise<boolean> {
  await using directory = await temporaryDirectory();
  return await measure("SQLite", directory.database, () => statSync(join(directory.path, "switchboard.db")).size);
}

async function measurePostgres(): Promise<boolean> {
  await using server = await startPostgres({ fsync: true });
  return await measure("PostgreSQL", server.url, async () => {
    const [row] = await askPostgres(server.url, "select pg_database_size(current_database()) as size");
    return Number(row?.["size"]);
  });
}

const results = [await measureSqlite(), await measurePostgres()];
if (results.includes(false)) process.exitCode = 1;
