// Measures webhooks of the gateway, which stores each before its 200. The baselines are a handler that stores nothing, and one
// with a transaction for each. All run on the real disk and on a slower one.
import { fileURLToPath } from "node:url";
import type { Environment } from "../../test/support/program.ts";
import { drawBars } from "../support/charts.ts";
import { contest, measured, type Contestant, type Result } from "../support/contest.ts";
import type { Cores } from "../support/cores.ts";
import { openFiles } from "../support/databases.ts";
import { startGateway } from "../support/gateway.ts";
import { load } from "../support/load.ts";
import { startBare, type Metered } from "../support/metered.ts";
import { table, type Report } from "../support/publish.ts";
import { ratioOf, spreadOf, written } from "../support/statistics.ts";
import { createWebhooks } from "../support/webhooks.ts";
import type { Amount } from "./amount.ts";
import { OURS, YOUNG_GENERATION } from "./queryServers.ts";

const CONNECTIONS = 64;
const SLOW_GATEWAY = fileURLToPath(new URL("../programs/slowGateway.ts", import.meta.url));

/** Delay added to each commit, because on most disks an fsync takes a millisecond or more. */
const DISKS = [
  { disk: "as it is", slowMs: 0 },
  { disk: "a millisecond slower", slowMs: 1 },
] as const;

export interface WebhookContest {
  disk: string;
  results: Result[];
}

export async function contestWebhooks(settings: Environment, amount: Amount, cores: Cores): Promise<WebhookContest[]> {
  await using files = await openFiles();
  let made = 0;
  const nextFile = () => files.create(`webhooks-${(made += 1)}`);
  const contests: WebhookContest[] = [];
  for (const { disk, slowMs } of DISKS) {
    const kinds = kindsOn(slowMs, settings, { nextFile, sessionsIn: files.sessionsIn });
    const contestants = kinds.map(({ name, start }): Contestant => ({ name, run: () => runOne(start, amount, cores) }));
    contests.push({ disk, results: await contest(contestants, amount.rounds) });
  }
  return contests;
}

interface Started {
  program: Metered;
  /** Throws unless the log holds this number of events. */
  isKept(acknowledged: number): Promise<void>;
}

interface Kind {
  name: string;
  start: () => Promise<Started>;
}

interface Databases {
  nextFile: () => Promise<string>;
  sessionsIn: (url: string) => Promise<string[]>;
}

function kindsOn(slowMs: number, settings: Environment, { nextFile, sessionsIn }: Databases): Kind[] {
  const keepsAll = async () => {
    const database = await nextFile();
    const isKept = (acknowledged: number) => checkKept(sessionsIn(database), acknowledged);
    const program = slowMs > 0 ? { program: [SLOW_GATEWAY, String(slowMs)] } : {};
    return { program: await startGateway({ database, settings, ...program }), isKept };
  };
  const bare = (args: () => Promise<string[]>) => async () => ({
    program: await startBare("receiver", await args(), YOUNG_GENERATION),
    isKept: async () => {},
  });
  const each = {
    name: "node:http, a transaction each",
    start: bare(async () => [await nextFile(), "each", `${slowMs}`]),
  };
  const ours = { name: OURS, start: keepsAll };
  // A slow disk makes no difference to the handler that stores nothing.
  return slowMs > 0 ? [ours, each] : [ours, { name: "node:http, keeps nothing", start: bare(async () => []) }, each];
}

async function runOne(start: () => Promise<Started>, { ms, warmMs }: Amount, cores: Cores) {
  const { program, isKept } = await start();
  await using _ending = program;
  cores.measured(program.pid);
  const webhooks = createWebhooks();
  const check = ({ status }: { status: number }) => {
    if (status !== 200) throw new Error(`a webhook was answered ${status}`);
  };
  const setting = { connections: CONNECTIONS, next: webhooks.next, check };
  await load(program.url, { ...setting, ms: warmMs });
  await program.meter();
  const { answered, perSecond, p50, p99 } = await load(program.url, { ...setting, ms });
  const { cpuMs } = await program.meter();
  await program.stop();
  await isKept(webhooks.sent.length);
  return {
    "acknowledged/s": perSecond,
    "p50, ms": p50,
    "p99, ms": p99,
    "µs of processor/webhook": (cpuMs * 1000) / answered,
  };
}

async function checkKept(sessions: Promise<string[]>, acknowledged: number): Promise<void> {
  const kept = await sessions;
  if (new Set(kept).size !== acknowledged) throw new Error(`of ${acknowledged} acknowledged, ${kept.length} are kept`);
}

export function reportWebhooks(contests: readonly WebhookContest[]): Report {
  const rows = contests.flatMap(({ disk, results }) =>
    results.map(({ name }, at) => {
      const of = (measure: string) => measured(results, name, measure);
      const oursOver =
        name === OURS ? "" : written(ratioOf(measured(results, OURS, "acknowledged/s"), of("acknowledged/s")));
      const figures = ["acknowledged/s", "p50, ms", "p99, ms", "µs of processor/webhook"].map((measure) =>
        written(spreadOf(of(measure))),
      );
      return [at === 0 ? disk : "", name, ...figures, oursOver];
    }),
  );
  const title = `Webhooks acknowledged per second, ${CONNECTIONS} connections`;
  const groups = contests.map(({ disk, results }) => ({
    label: `disk ${disk}`,
    bars: results.map(({ name }) => {
      const { median, least, most } = spreadOf(measured(results, name, "acknowledged/s"));
      return { name, value: median, least, most };
    }),
  }));
  const head = ["disk", "", "acknowledged/s", "p50, ms", "p99, ms", "processor each, µs", "Switchboard ÷ this"];
  return {
    name: "webhooks",
    markdown: `${table([head, ...rows])}\n\n![${title}](charts/webhooks.svg)`,
    charts: { "webhooks.svg": drawBars({ title, unit: "per second", groups }) },
  };
}
