// Measures the time from the start of a process to its first answer, and its memory a second later and under load.
import { setTimeout } from "node:timers/promises";
import { contest, measured, type Contestant, type Result } from "../support/contest.ts";
import type { Cores } from "../support/cores.ts";
import { load } from "../support/load.ts";
import { openConnection } from "../support/connection.ts";
import { startBare } from "../support/metered.ts";
import { table, type Report } from "../support/publish.ts";
import { spreadOf, written } from "../support/statistics.ts";
import { drawBars } from "../support/charts.ts";
import type { Amount } from "./amount.ts";
import { CONNECTIONS } from "./queries.ts";
import type { QueryServerKind } from "./queryServers.ts";
import { queryWorks } from "./queryWork.ts";

const IDLE_MS = 1000;

export async function contestStart(
  servers: readonly QueryServerKind[],
  amount: Amount,
  cores: Cores,
): Promise<Result[]> {
  await using service = await startBare("service");
  const contestants = servers.map((kind): Contestant => ({
    name: kind.name,
    async run() {
      const began = performance.now();
      await using server = await kind.start(service.url);
      const connection = await openConnection(server.url);
      expectOk(await connection.send(server.requestOf(queryWorks.typename, 0)));
      const startMs = performance.now() - began;
      connection.close();
      cores.measured(server.pid);
      await setTimeout(IDLE_MS);
      const idle = await server.meter();
      await load(server.url, {
        connections: CONNECTIONS,
        ms: amount.ms,
        check: expectOk,
        next: (connection) => server.requestOf(queryWorks.q2, connection),
      });
      const working = await server.meter();
      return { "first answer, ms": startMs, "idle, MB": idle.memoryMb, "working, MB": working.memoryMb };
    },
  }));
  // Awaited here, because the resources above are disposed of when this function returns.
  return await contest(contestants, amount.rounds);
}

function expectOk({ status }: { status: number }): void {
  if (status !== 200) throw new Error(`a query was answered ${status}`);
}

export function reportStart(results: readonly Result[]): Report {
  const measures = ["first answer, ms", "idle, MB", "working, MB"];
  const rows = results.map(({ name }) => [
    name,
    ...measures.map((measure) => written(spreadOf(measured(results, name, measure)))),
  ]);
  const title = "From the start of the process to its first answer";
  const bars = results.map(({ name }) => {
    const { median, least, most } = spreadOf(measured(results, name, "first answer, ms"));
    return { name, value: median, least, most };
  });
  return {
    name: "start",
    markdown: `${table([["", ...measures], ...rows])}\n\n![${title}](charts/start.svg)`,
    charts: { "start.svg": drawBars({ title, unit: "ms", groups: [{ label: "first answer", bars }] }) },
  };
}
