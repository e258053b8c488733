// What each optimisation gains: the gateway as it is beside a copy of it without the optimisation, in processor time per
// query. The copies are made in a temporary folder by the replacements of ablations.ts.
import { join } from "node:path";
import { createWorkingCopy, type WorkingCopy } from "../scripts/mutation/workingCopy.ts";
import { QUERY_SCOPES } from "./contest/queryServers.ts";
import { bodyOf, queryWorks, type QueryWork } from "./contest/queryWork.ts";
import { ablations, type Ablation } from "./support/ablations.ts";
import { printTable } from "./support/compare.ts";
import type { Extent } from "./support/extent.ts";
import { figure } from "./support/figures.ts";
import { startGateway, type BenchGateway } from "./support/gateway.ts";
import { postBytes } from "./support/line.ts";
import { load } from "./support/load.ts";
import { startBare } from "./support/metered.ts";

const CONNECTIONS = 32;
const ROOT = join(import.meta.dirname, "..");

/** `only`: ablations whose name holds the text. */
export async function benchAblation(extent: Extent, only = ""): Promise<void> {
  await using service = await startBare("service");
  const rows: string[][] = [];
  for (const ablation of ablations.filter(({ name }) => name.includes(only))) {
    using copy = createWorkingCopy(ROOT);
    edit(copy, ablation);
    const program = [join(copy.folder, "bin/start.js")];
    for (const work of ablation.works) {
      await using whole = await start(service.url);
      await using without = await start(service.url, program, ablation.settings);
      const query = queryWorks[work];
      const ratios = await compareRounds(whole, without, query, extent);
      rows.push([ablation.name, query.title, ...ratios.map(figure)]);
      console.log(rows.at(-1)?.join("   "));
    }
  }
  printTable([["without", "query", "with it, µs/query", "without it, µs/query", "without / with"], ...rows]);
}

/** Throws where the text to replace does not stand in the file exactly once: the source has changed since. */
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

function start(service: string, program?: readonly string[], settings: Record<string, string> = {}) {
  const changed = program === undefined ? {} : { program };
  return startGateway({ service, settings, cacheMs: 0, scopes: QUERY_SCOPES, ...changed });
}

/** Processor time in µs per query: with the optimisation, without it, and the ratio, by round. The first round warms up. */
async function compareRounds(whole: BenchGateway, without: BenchGateway, work: QueryWork, extent: Extent) {
  const times: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round <= extent.rounds; round += 1) {
    const isReversed = round % 2 === 1;
    const first = await cpuPerQuery(isReversed ? without : whole, work, extent.ms);
    const second = await cpuPerQuery(isReversed ? whole : without, work, extent.ms);
    if (round === 0) continue;
    const [kept, left] = isReversed ? [second, first] : [first, second];
    times[0].push(kept);
    times[1].push(left);
    times[2].push(left / kept);
  }
  return times;
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
