// Notices when the npm that started this process has ended. npm passes on SIGTERM, but nobody passes on a SIGKILL: without
// this watch the process would go on and keep its port. A process that npm did not start may outlive its parent.

type Environment = Readonly<Record<string, string | undefined>>;

export interface NpmWatchDeps {
  env: Environment;
  /** The parent's process ID. It changes when the parent ends. */
  parentPid: () => number;
}

/** The scripts of package.json whose shell replaces itself by Node, so that the parent is npm. */
const SCRIPTS: ReadonlySet<string | undefined> = new Set(["start", "sandbox"]);
const INTERVAL_MS = 1000;

/** Calls back once when npm has ended. Does nothing in a process that these scripts did not start. */
export function watchNpm(onEnd: () => void, { env, parentPid }: NpmWatchDeps = ofThisProcess()): Disposable {
  const isOurs = env["npm_package_name"] === "switchboard" && SCRIPTS.has(env["npm_lifecycle_event"]);
  if (!isOurs) return { [Symbol.dispose]: () => undefined };
  const npm = parentPid();
  const timer = setInterval(() => {
    if (parentPid() === npm) return;
    clearInterval(timer);
    onEnd();
  }, INTERVAL_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

const ofThisProcess = (): NpmWatchDeps => ({ env: process.env, parentPid: () => process.ppid });
