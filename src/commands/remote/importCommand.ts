// `switchboard import`: has a running gateway read earlier calls from the service's list, and shows how far it is.
import { setTimeout as pause } from "node:timers/promises";
import { exitCodes } from "../../util/start/exitCodes.ts";
import { UsageError } from "../options.ts";
import { notify, printLine } from "../output.ts";
import { createGatewayClient, GatewayRefusal, type GatewayClient } from "./gatewayClient.ts";
import { createProgressLine, type ProgressLine } from "./progressLine.ts";
import { readTimes } from "./timeOption.ts";

interface Options {
  /** A day by the service's clock, or an instant. Absent: shows the import that runs. */
  since?: string | undefined;
  until?: string | undefined;
  cancel: boolean;
  url?: string | undefined;
}

export interface ImportStatus {
  state: "RUNNING" | "DONE" | "CANCELLED" | "FAILED";
  problem: string | null;
  since: string;
  until: string;
  progress: number;
  secondsLeft: number | null;
  windows: number;
  calls: number;
  tooOld: number | null;
  leftOut: number;
}

const FIELDS = "state problem since until progress secondsLeft windows calls tooOld leftOut";
const START = `mutation($since: DateTime!, $until: DateTime) {
  importHistory(since: $since, until: $until) { isNew import { ${FIELDS} } } }`;
const CANCEL = `mutation { cancelHistoryImport { ${FIELDS} } }`;
const LATEST = `{ historyImport { ${FIELDS} } }`;

const INTERVAL_MS = 1000;
const HOW_TO_CANCEL = "switchboard import --cancel";

/**
 * Prints the import as a JSON line when it has ended, and how far it is on standard error. Resolves with 1 if it was cancelled or has failed,
 * if there is none, if another import ran in place of the one that was asked for, and if there was none to cancel. Ctrl C ends only the command: the import goes on in the gateway.
 */
export async function importCommand({ since, until, cancel, url }: Options, env: NodeJS.ProcessEnv): Promise<number> {
  if (until !== undefined && since === undefined) throw new UsageError("--until needs --since.");
  if (cancel && since !== undefined) throw new UsageError("--cancel and --since exclude each other.");
  const gateway = createGatewayClient(url, env);
  if (cancel) return cancelRunning(gateway);
  const isOther = since !== undefined && !(await start(gateway, since, until));
  const line = createProgressLine(process.stderr);
  const onInterrupt = () => {
    line.end();
    notify(`The import goes on in the gateway. Cancel it with: ${HOW_TO_CANCEL}\n`);
    process.exit(exitCodes.success);
  };
  process.once("SIGINT", onInterrupt);
  try {
    const code = await follow(gateway, line);
    return isOther ? exitCodes.failure : code;
  } finally {
    process.off("SIGINT", onInterrupt);
    line.end();
  }
}

const latest = (gateway: GatewayClient) => gateway.query<{ historyImport: ImportStatus | null }>(LATEST);

async function cancelRunning(gateway: GatewayClient): Promise<number> {
  // The answer to the mutation is the newest import, also where that was cancelled before.
  const { historyImport: before } = await latest(gateway);
  const { cancelHistoryImport: own } = await gateway.query<{ cancelHistoryImport: ImportStatus | null }>(CANCEL);
  const isCancelled = before?.state === "RUNNING" && own?.state === "CANCELLED";
  if (!isCancelled) notify("No import runs.\n");
  if (own) await printLine(own);
  return isCancelled ? exitCodes.success : exitCodes.failure;
}

/** False: another import runs, and nothing was started. */
async function start(gateway: GatewayClient, since: string, until: string | undefined): Promise<boolean> {
  const range = await readTimes(gateway, { since, until });
  const { importHistory: started } = await gateway.query<{
    importHistory: { isNew: boolean; import: ImportStatus } | null;
  }>(START, range);
  if (!started) throw new Error("The gateway did not answer the request.");
  const { isNew, import: own } = started;
  if (!isNew) notify(`Another import runs, from ${own.since} to ${own.until}. Cancel it with: ${HOW_TO_CANCEL}\n`);
  else notify(`Reading calls from ${own.since} to ${own.until}.\n`);
  return isNew;
}

/** Waits for the end of the import. A gateway that does not answer for a while is asked again: the import outlives it. */
async function follow(gateway: GatewayClient, line: ProgressLine): Promise<number> {
  let isAway = false;
  for (;;) {
    try {
      const { historyImport: own } = await latest(gateway);
      isAway = false;
      if (own?.state !== "RUNNING") return end(own);
      line.show(own);
    } catch (error) {
      if (error instanceof GatewayRefusal) throw error;
      if (!isAway) line.tell(`${error instanceof Error ? error.message : String(error)} Retrying.`);
      isAway = true;
    }
    await pause(INTERVAL_MS);
  }
}

async function end(own: ImportStatus | null): Promise<number> {
  if (own === null) {
    notify("There never was an import.\n");
    return exitCodes.failure;
  }
  await printLine(own);
  return own.state === "DONE" ? exitCodes.success : exitCodes.failure;
}
