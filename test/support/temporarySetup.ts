// Keeps the temporary files of a test run in memory where there is room, as systems do whose /tmp is a tmpfs. A PostgreSQL database for
// a test has 300 files: on ext4 they took up to 100 ms of processor time, in memory 6 ms.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

const MEMORY = "/dev/shm";
const PREFIX = "switchboard-tests-";
/** The files of a whole run take less than one. */
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/** Does nothing where TMPDIR is set. */
export default function setup(): (() => void) | undefined {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return undefined;
  removeOfEndedRuns();
  const folder = mkdtempSync(join(MEMORY, `${PREFIX}${process.pid}-`));
  // PostgreSQL and images run as other users.
  chmodSync(folder, 0o1777);
  // The workers, which start after this, get it with their environment.
  process.env["TMPDIR"] = folder;
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  process.once("exit", remove);
  return remove;
}

/** Tests start programs that lie there. */
function hasRoom(): boolean {
  if (!existsSync("/proc/mounts") || !existsSync(MEMORY)) return false;
  const mount = readFileSync("/proc/mounts", "utf8")
    .split("\n")
    .map((line) => line.split(" "))
    .findLast(([, path]) => path === MEMORY);
  const [, , type, options = ""] = mount ?? [];
  if (type !== "tmpfs" || options.split(",").includes("noexec")) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  const [, available = "0"] = /^MemAvailable:\s+(\d+) kB$/m.exec(readFileSync("/proc/meminfo", "utf8")) ?? [];
  return Math.min(bavail * bsize, (Number(available) * 1024) / 2) >= MIN_FREE_BYTES;
}

/** A run that was killed leaves its files. What cannot be removed, such as a disk that it has mounted, harms no other run. */
function removeOfEndedRuns(): void {
  for (const name of readdirSync(MEMORY).filter((each) => each.startsWith(PREFIX))) {
    const [pid = ""] = name.slice(PREFIX.length).split("-");
    if (existsSync(`/proc/${pid}`)) continue;
    try {
      rmSync(join(MEMORY, name), { recursive: true, force: true });
    } catch (error) {
      process.stderr.write(`The files of an ended test run stay: ${String(error)}\n`);
    }
  }
}
