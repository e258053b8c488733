// The PostgreSQL of Debian's package in a temporary folder: it has the programs that npm's binaries leave out, such as pg_dump.
import { execFileSync, type StdioOptions } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../network/freePort.ts";

const VERSIONS = "/usr/lib/postgresql";
const USER = "switchboard";

/** The folder of the newest version's programs. Null: the package is not installed. */
export const DEBIAN_PROGRAMS = existsSync(VERSIONS)
  ? (readdirSync(VERSIONS)
      .toSorted((one, other) => Number(other) - Number(one))
      .map((version) => join(VERSIONS, version, "bin"))
      .find((programs) => existsSync(join(programs, "initdb"))) ?? null)
  : null;

export interface DebianPostgres extends Disposable {
  /** The address of a new, empty database. */
  createDatabase(name: string): string;
}

/** Needs DEBIAN_PROGRAMS. */
export async function startDebianPostgres(): Promise<DebianPostgres> {
  const folder = mkdtempSync(join(tmpdir(), "switchboard-debian-postgres-"));
  const port = await freePort();
  // PostgreSQL refuses to run as root.
  const owner = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const run = (program: string, ...args: string[]) => {
    // The server would keep a pipe open.
    const stderr = program === "pg_ctl" ? "ignore" : "pipe";
    const stdio = ["ignore", "ignore", stderr] satisfies StdioOptions;
    execFileSync(join(DEBIAN_PROGRAMS ?? "", program), args, { ...owner, cwd: folder, stdio });
  };
  const data = join(folder, "data");
  run("initdb", "--pgdata", data, "--username", USER, "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync");
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`;
  run("pg_ctl", "start", "--wait", "--pgdata", data, "--log", join(folder, "log"), "--options", settings);
  return {
    createDatabase(name) {
      run("createdb", "--host=127.0.0.1", `--port=${port}`, `--username=${USER}`, name);
      return `postgres://${USER}@127.0.0.1:${port}/${name}`;
    },
    [Symbol.dispose]() {
      run("pg_ctl", "stop", "--wait", "--mode=immediate", "--pgdata", data);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const idOf = (option: "-u" | "-g"): number => Number(execFileSync("id", [option, "postgres"], { encoding: "utf8" }));
