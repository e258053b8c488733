// Writes the results of fan-out as a table and a chart.
import { measured } from "../support/contest.ts";
import { drawBars } from "../support/charts.ts";
import { table, type Report } from "../support/publish.ts";
import { ratioOf, spreadOf, written } from "../support/statistics.ts";
import { RAW, type FanoutContest } from "./fanout.ts";

const HEAD = [
  "subscribers",
  "",
  "deliveries/s",
  "÷ raw ws",
  "p50, ms",
  "p99, ms",
  "p99 ÷ raw ws",
  "processor each, µs",
  "kB/subscriber",
  "memory, MB",
];
const PER_SECOND = "deliveries/s";

export function reportFanout(contests: readonly FanoutContest[]): Report {
  const rows = contests.flatMap(({ subscribers, results }) =>
    results.map(({ name }, at) => {
      const figureOf = (measure: string) => written(spreadOf(measured(results, name, measure)));
      const overRaw = (measure: string) =>
        name === RAW ? "" : written(ratioOf(measured(results, name, measure), measured(results, RAW, measure)));
      return [
        at === 0 ? subscribers.toLocaleString("en") : "",
        name,
        figureOf(PER_SECOND),
        overRaw(PER_SECOND),
        figureOf("p50, ms"),
        figureOf("p99, ms"),
        overRaw("p99, ms"),
        figureOf("µs of processor/delivery"),
        figureOf("kB/subscriber"),
        figureOf("memory, MB"),
      ];
    }),
  );
  const title = "Deliveries per second to subscribers over WebSocket";
  const groups = contests.map(({ subscribers, results }) => ({
    label: `${subscribers.toLocaleString("en")} subscribers`,
    bars: results.map(({ name }) => {
      const { median, least, most } = spreadOf(measured(results, name, PER_SECOND));
      return { name, value: median, least, most };
    }),
  }));
  return {
    name: "fanout",
    markdown: `${table([HEAD, ...rows])}\n\n![${title}](charts/fanout.svg)`,
    charts: { "fanout.svg": drawBars({ title, unit: "per second", groups }) },
  };
}
