// Makes the databases of earlier versions in test/store/migrations/databases, which test/store/migrations/oldDatabases.test.ts
// opens: `node scripts/oldDatabases.ts [VERSION…]`. Runs a commit of each schema version on SQLite and on PostgreSQL, fills it
// over HTTP, and keeps the database and the answers that the commit gave. Needs the history of this repository.
import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Sandbox } from "../src/sandbox/sandbox.ts";
import { commits, postgresVersions, unpackVersion } from "../test/support/earlierVersion.ts";
import { connectSandbox, emptySandbox } from "../test/support/emptySandbox.ts";
import { spawnGateway, temporaryDirectory } from "../test/support/gateway.ts";
import { createPostgresDatabase } from "../test/support/postgres/postgres.ts";
import { startPostgres } from "../test/support/postgres/postgresServer.ts";
import { askAll } from "./oldDatabases/answers.ts";
import { fill } from "./oldDatabases/fill.ts";
import { dumpPostgres, recordDefinitions } from "./oldDatabases/dumpPostgres.ts";

const FOLDER = new URL("../test/store/migrations/databases/", import.meta.url);
const MAX_BYTES = 100_000;

const chosen = process.argv.slice(2).map(Number);
const wanted = [...commits].filter(([version]) => chosen.length === 0 || chosen.includes(version));
await using server = await startPostgres({ fsync: false });
for (const [version, commit] of wanted) {
  using earlier = unpackVersion(commit);
  await using directory = await temporaryDirectory();
  await keepAnswers(`sqlite-${version}.json`, directory.database, earlier.main);
  keep(`sqlite-${version}.db.gz`, gzipSync(readDatabase(directory.database), { level: 9 }));

  if (!postgresVersions.has(version)) continue;
  await using database = await createPostgresDatabase(server.url);
  await recordDefinitions(database);
  await keepAnswers(`postgres-${version}.json`, database.url, earlier.main);
  keep(`postgres-${version}.sql`, await dumpPostgres(database));
}
process.exit(0);

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
