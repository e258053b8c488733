// What each optimisation gains: the gateway beside a copy without the optimisation, in processor time per query or delivery.
// The edits in support/ablations.ts make the copies, in a temporary folder.
import { join } from "node:path";
import { callEndedEvent } from "../test/support/events.ts";
import { WEBHOOK_AUTHORIZATION } from "../test/support/sandbox.ts";
import { createWorkingCopy, type WorkingCopy } from "../scripts/mutation/workingCopy.ts";
import { fullAmount } from "./contest/amount.ts";
import { broadcast, startOurs } from "./contest/fanout.ts";
import { QUERY_SCOPES } from "./contest/queryServers.ts";
import { bodyOf, queryWorks, type QueryWork } from "./contest/queryWork.ts";
import { ablations, type Ablation } from "./support/ablations.ts";
import { printTable } from "./support/compare.ts";
import type { Effort } from "./support/effort.ts";
import { figure } from "./support/statistics.ts";
import { startGateway, type BenchGateway } from "./support/gateway.ts";
import { postBytes } from "./support/connection.ts";
import { load } from "./support/load.ts";
import { startBare } from "./support/metered.ts";

const CONNECTIONS = 32;
const SUBSCRIBERS = 1000;
const ANY_CORE = { description: "any core", measured() {}, measuring() {} };
const ROOT = join(import.meta.dirname, "..");

/** `only`: runs only ablations whose name contains this text. */
export async function benchAblation(effort: Effort, only = ""): Promise<void> {
  await using service = await startBare("service");
  const rows: string[][] = [];
  for (const ablation of ablations.filter(({ name }) => name.includes(only))) {
    using copy = createWorkingCopy(ROOT);
    edit(copy, ablation);
    const without = { program: [join(copy.folder, "bin/start.js")], settings: ablation.settings ?? {} };
    for (const work of ablation.works) {
      const times =
        work === "fanout"
          ? await compareFanout(without, effort)
          : await compareQuery(service.url, without, queryWorks[work], effort);
      const title = work === "fanout" ? `an event to ${SUBSCRIBERS} subscribers` : queryWorks[work].title;
      rows.push([ablation.name, title, ...times.map(figure)]);
      console.log(rows.at(-1)?.join("   "));
    }
  }
  printTable([
    ["without", "work", "with it, µs of processor", "without it, µs of processor", "without / with"],
    ...rows,
  ]);
}

/** Throws unless the text to replace occurs exactly once in the file; otherwise the source has changed. */
function edit(copy: WorkingCopy, { name, edits }: Ablation): void {
  for (const { file, from, to } of edits) {
    const text = copy.read(file);
    if (text.split(from).length !== 2)
      throw new Error(`${name}: ${file} does not hold the text to replace once: ${from}`);
    copy.write(
      file,
      text.replace(from, () => to),
    );
  }
}

/** The gateway without the optimisation. */
interface Without {
  program: readonly string[];
  settings: Record<string, string>;
}

/** Processor time in µs with the optimisation, without it, and the ratio, by round. */
type Times = [number[], number[], number[]];

async function compareQuery(service: string, without: Without, work: QueryWork, effort: Effort): Promise<Times> {
  const common = { service, cacheMs: 0, scopes: QUERY_SCOPES };
  await using whole = await startGateway(common);
  await using changed = await startGateway({ ...common, ...without });
  for (const gateway of [whole, changed]) await deliverCalls(gateway, work);
  const measure = (gateway: BenchGateway) => () => cpuPerQuery(gateway, work, effort.ms);
  return await compareRounds(measure(whole), measure(changed), effort.rounds);
}

function compareFanout(without: Without, effort: Effort): Promise<Times> {
  const measure = (program?: readonly string[]) => async () => {
    const kind = { name: "Switchboard", start: (subscribers: number) => startOurs({}, subscribers, program) };
    const amount = { ...fullAmount, deliveries: effort.ms * 20 };
    const { sample } = await broadcast(kind, { subscribers: SUBSCRIBERS, amount, cores: ANY_CORE });
    return sample["µs of processor/delivery"] as number;
  };
  return compareRounds(measure(), measure(without.program), effort.rounds);
}

/** The first round warms up. The order changes with each round. */
async function compareRounds(
  whole: () => Promise<number>,
  without: () => Promise<number>,
  rounds: number,
): Promise<Times> {
  const times: Times = [[], [], []];
  for (let round = 0; round <= rounds; round += 1) {
    const isReversed = round % 2 === 1;
    const first = await (isReversed ? without : whole)();
    const second = await (isReversed ? whole : without)();
    if (round === 0) continue;
    const [kept, left] = isReversed ? [second, first] : [first, second];
    times[0].push(kept);
    times[1].push(left);
    times[2].push(left / kept);
  }
  return times;
}

/** Delivers an event for each call that the query lists, as in daily use: the log knows most listed calls. */
async function deliverCalls(gateway: BenchGateway, work: QueryWork): Promise<void> {
  if (work.calls === 0) return;
  for (let day = 0; day < CONNECTIONS; day += 1) {
    const body = JSON.stringify(bodyOf(work, day));
    const headers = { "content-type": "application/json", authorization: gateway.authorization };
    const response = await fetch(`${gateway.url}/graphql`, { method: "POST", headers, body });
    const { data } = (await response.json()) as { data: { callLogs: { nodes: { sessionId: string }[] } } };
    await Promise.all(data.callLogs.nodes.map(({ sessionId }) => deliver(gateway.url, sessionId)));
  }
}

async function deliver(url: string, sessionId: string): Promise<void> {
  const body = JSON.stringify(callEndedEvent({ session_id: sessionId, record_url: null }));
  const headers = { authorization: WEBHOOK_AUTHORIZATION };
  const response = await fetch(`${url}/calllog`, { method: "POST", headers, body });
  if (response.status !== 200) throw new Error(`A webhook was answered ${response.status}.`);
  await response.arrayBuffer();
}

async function cpuPerQuery(gateway: BenchGateway, work: QueryWork, ms: number): Promise<number> {
  const requests = Array.from({ length: CONNECTIONS }, (_, day) =>
    postBytes("/graphql", gateway.authorization, JSON.stringify(bodyOf(work, day))),
  );
  await gateway.meter();
  const { answered } = await load(gateway.url, {
    connections: CONNECTIONS,
    ms,
    next: (connection) => requests[connection] as Buffer,
    check({ status, length }) {
      if (status !== 200 || length < 20) throw new Error(`The gateway answered ${status}, ${length} bytes.`);
    },
  });
  const { cpuMs } = await gateway.meter();
  return (cpuMs * 1000) / answered;
}
