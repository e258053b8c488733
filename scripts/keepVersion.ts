// Keeps a version of the gateway for the tests of upgrades: `node scripts/keepVersion.ts [COMMIT]`, by default HEAD. Run it before
// a version of the schema is added. Keeps the sources in test/support/earlierVersions. Runs them on SQLite and on PostgreSQL, fills
// the databases over HTTP, and keeps these and the answers that the version gave in test/store/migrations/databases.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import type { Sandbox } from "../sandbox/src/sandbox.ts";
import { keepVersion, unpackCommit } from "../test/support/earlierVersion.ts";
import { connectSandbox, emptySandbox } from "../test/support/emptySandbox.ts";
import { spawnGateway, temporaryDirectory } from "../test/support/gateway.ts";
import { createPostgresDatabase } from "../test/support/postgres/postgres.ts";
import { startPostgres } from "../test/support/postgres/postgresServer.ts";
import { askAll } from "./keepVersion/answers.ts";
import { fill } from "./keepVersion/fill.ts";
import { dumpPostgres, recordDefinitions } from "./keepVersion/dumpPostgres.ts";

const FOLDER = new URL("../test/store/migrations/databases/", import.meta.url);
const MAX_BYTES = 100_000;

const [commit = "HEAD"] = process.argv.slice(2);
await using server = await startPostgres({ fsync: false });
using kept = unpackCommit(commit);
const version = await schemaVersionOf(kept.folder);
{
  await using directory = await temporaryDirectory();
  await keepAnswers(`sqlite-${version}.json`, directory.database, kept.main);
  keep(`sqlite-${version}.db.gz`, gzipSync(readDatabase(directory.database), { level: 9 }));
}
{
  await using database = await createPostgresDatabase(server.url);
  await recordDefinitions(database);
  await keepAnswers(`postgres-${version}.json`, database.url, kept.main);
  keep(`postgres-${version}.sql`, await dumpPostgres(database));
}
keepVersion(version, commit);
process.exit(0);

async function schemaVersionOf(folder: string): Promise<number> {
  const file = pathToFileURL(join(folder, "src/store/migrations/schemaVersions.ts")).href;
  const { schemaVersions } = (await import(file)) as { schemaVersions: readonly unknown[] };
  return schemaVersions.length;
}

/** Runs the earlier version until its database is filled. */
async function keepAnswers(file: string, url: string, main: string): Promise<void> {
  await using sandbox: Sandbox = await emptySandbox();
  const env = { DATABASE_URL: url, RECORDING_HOSTS: new URL(sandbox.url).host, DRAIN_SECONDS: "1" };
  await using gateway = await spawnGateway(sandbox, env, main);
  connectSandbox(sandbox, gateway);
  const input = await fill(gateway, sandbox);
  const answers = await askAll(gateway);
  gateway.process.kill("SIGTERM");
  const code = await gateway.exited;
  if (code !== 0) throw new Error(`The earlier gateway ended with ${code}: ${gateway.stderr()}`);
  keep(file, `${JSON.stringify({ input, answers }, null, 1)}\n`);
  process.stdout.write(`${file}: ${Object.keys(answers).join(", ")}\n`);
}

function readDatabase(url: string): Buffer {
  const path = fileURLToPath(url);
  using database = new DatabaseSync(path);
  database.exec("pragma wal_checkpoint(truncate)");
  return readFileSync(path);
}

function keep(file: string, content: string | Uint8Array): void {
  const bytes = Buffer.byteLength(content);
  if (bytes > MAX_BYTES) throw new Error(`${file} has ${bytes} bytes, at most ${MAX_BYTES}.`);
  writeFileSync(new URL(file, FOLDER), content);
}
