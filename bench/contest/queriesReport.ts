// Writes the results of the queries as tables and charts.
import { measured, type Result } from "../support/contest.ts";
import { drawBars } from "../support/charts.ts";
import { table, type Report } from "../support/publish.ts";
import { ratioOf, spreadOf, written } from "../support/statistics.ts";
import { CONNECTIONS, type QueryContest } from "./queries.ts";
import { FLOOR, OURS } from "./queryServers.ts";

const PER_SECOND = "queries/s";
const PROCESSOR = "µs of processor/query";

export function reportQueries(contests: readonly QueryContest[]): Report {
  const latencies = [...new Set(contests.map(({ latencyMs }) => latencyMs))];
  const parts = latencies.flatMap((latency) => {
    const those = contests.filter(({ latencyMs }) => latencyMs === latency);
    return [
      `**The service answers after ${latency} ms; ${CONNECTIONS} connections.**`,
      table([HEAD, ...those.flatMap(({ work, different }) => rowsOf(work.title, different))]),
      "All connections ask for the same day:",
      table([
        HEAD,
        ...those
          .filter(({ work }) => work.calls > 0)
          .flatMap(({ work, alike }) => rowsOf(`${work.title}, alike`, alike)),
      ]),
      `![Queries per second, the service after ${latency} ms](charts/queries-${latency}ms.svg)`,
    ];
  });
  const charts = latencies.map((latency) => [`queries-${latency}ms.svg`, chartOf(contests, latency)] as const);
  return { name: "queries", markdown: parts.join("\n\n"), charts: Object.fromEntries(charts) };
}

const HEAD = [
  "",
  "",
  "queries/s",
  "Switchboard ÷ this",
  "processor each, µs",
  "Switchboard ÷ this",
  "p50, ms",
  "p99, ms",
  "requests to the service each",
];

function rowsOf(title: string, results: readonly Result[]): string[][] {
  return results.map(({ name }, at) => {
    const of = (measure: string) => measured(results, name, measure);
    const oursOver = (measure: string) =>
      name === OURS ? "" : written(ratioOf(measured(results, OURS, measure), of(measure)));
    const figureOf = (measure: string) => written(spreadOf(of(measure)));
    return [
      at === 0 ? title : "",
      name,
      figureOf(PER_SECOND),
      oursOver(PER_SECOND),
      figureOf(PROCESSOR),
      oursOver(PROCESSOR),
      figureOf("p50, ms"),
      figureOf("p99, ms"),
      figureOf("requests to the service/query"),
    ];
  });
}

/** Relative to the baseline, because the queries differ much in size. */
function chartOf(contests: readonly QueryContest[], latency: number): string {
  const groups = contests
    .filter(({ latencyMs }) => latencyMs === latency)
    .map(({ work, different }) => ({
      label: work.title,
      bars: different.map(({ name }) => {
        const { median, least, most } = ratioOf(
          measured(different, name, PER_SECOND),
          measured(different, FLOOR, PER_SECOND),
        );
        return { name, value: median, least, most };
      }),
    }));
  return drawBars({ title: `Queries per second, the service after ${latency} ms`, unit: "floor = 1", groups });
}
