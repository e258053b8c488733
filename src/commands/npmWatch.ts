// Notices when the program that started this process, and passes signals on to it, has ended: npm or npx, or bin/switchboard.js
// under a Node that cannot replace itself. Nobody passes on a SIGKILL: without this watch the process would go on and keep its
// port. Any other process may outlive its parent.
import { readFileSync } from "node:fs";

type Environment = Readonly<Record<string, string | undefined>>;

export interface NpmWatchDeps {
  env: Environment;
  /** The parent's process ID. It changes when the parent ends. */
  parentPid: () => number;
}

/** The scripts of package.json whose shell replaces itself by Node, so that the parent is npm. */
const SCRIPTS: ReadonlySet<string | undefined> = new Set(["start", "sandbox"]);
const INTERVAL_MS = 1000;

/** Calls back once when one of these programs has ended. Does nothing in a process that none of them started. */
export function watchNpm(onEnd: () => void, { env, parentPid }: NpmWatchDeps = ofThisProcess()): Disposable {
  const wrapper = Number(env["SWITCHBOARD_WRAPPER_PID"] ?? 0);
  const isScript = env["npm_package_name"] === "switchboard" && SCRIPTS.has(env["npm_lifecycle_event"]);
  const isNpx = env["npm_lifecycle_event"] === "npx" && /^'?switchboard\b/.test(env["npm_lifecycle_script"] ?? "");
  if (wrapper === 0 && !isScript && !isNpx) return { [Symbol.dispose]: () => undefined };
  const starters = () => startersOf(parentPid(), wrapper, isNpx).join();
  // The wrapper may have ended before this process got here.
  const first = wrapper === 0 || parentPid() === wrapper ? starters() : "";
  const timer = setInterval(() => {
    if (starters() === first) return;
    clearInterval(timer);
    onEnd();
  }, INTERVAL_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** The parent, and the parent of the wrapper and of the shell by which npx runs a program, where the system tells it. */
function startersOf(pid: number, wrapper: number, isNpx: boolean): number[] {
  const isBetween = isNpx && (pid === wrapper || readProcess(pid, "cmdline").startsWith("sh\0-c\0"));
  const parent = isBetween ? Number(/\) \w (\d+)/.exec(readProcess(pid, "stat"))?.[1] ?? 0) : 0;
  return parent === 0 ? [pid] : [pid, ...startersOf(parent, wrapper, isNpx)];
}

/** Empty where there is no /proc, or the process has ended. */
function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "latin1");
  } catch {
    return "";
  }
}

const ofThisProcess = (): NpmWatchDeps => ({ env: process.env, parentPid: () => process.ppid });
