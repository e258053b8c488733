// Writes the results of the queries as tables and charts.
import { measured } from "../support/contest.ts";
import { drawBars } from "../support/charts.ts";
import { table, type Report } from "../support/publish.ts";
import { ratioOf, spreadOf, written } from "../support/statistics.ts";
import { alikeAt, COLD, CONNECTIONS, differentAt, inSituation, type QueryContest } from "./queries.ts";
import { FLOOR, OURS, PEERS } from "./queryServers.ts";

const PER_SECOND = "queries/s";
const PROCESSOR = "µs of processor/query";
const P99 = "p99, ms";
const NEW_P99 = "p99 with new connections, ms";

export function reportQueries(contests: readonly QueryContest[]): Report {
  const latencies = [...new Set(contests.flatMap((contest) => contest.latencies))];
  const at = (latency: number) => contests.filter((contest) => contest.latencies.includes(latency));
  const asking = contests.filter(({ work }) => work.calls > 0);
  const parts = latencies.flatMap((latency) => [
    `**The service answers after ${latency} ms; ${CONNECTIONS} connections, each with a day of its own.**`,
    details(at(latency), differentAt(latency)),
    ...(asking.length > 0 ? ["All connections ask for the same day:", details(asking, alikeAt(latency))] : []),
    `![Queries per second, the service after ${latency} ms](charts/queries-${latency}ms.svg)`,
  ]);
  const cold = ["**The first second of a process; the service answers at once.**", details(contests, COLD)];
  const charts = latencies.map((latency) => [`queries-${latency}ms.svg`, chartOf(at(latency), latency)] as const);
  const markdown = [...summary(contests, latencies), ...parts, ...cold].join("\n\n");
  return { name: "queries", markdown, charts: Object.fromEntries(charts) };
}

/** The ratios to the fastest peer, with a column for each query. Nothing if one of both was not measured. */
function summary(contests: readonly QueryContest[], latencies: readonly number[]): string[] {
  const names = contests[0]?.results.map(({ name }) => name) ?? [];
  if (!names.includes(OURS) || !names.includes(PEERS.mercurius)) return [];
  const measures = latencies.flatMap((latency) => [
    ...[PER_SECOND, PROCESSOR, P99, NEW_P99].map((measure) => [differentAt(latency), measure] as const),
    [alikeAt(latency), PER_SECOND] as const,
  ]);
  const rows = [...measures, [COLD, PER_SECOND] as const].map(([situation, measure]) => [
    situation,
    measure,
    ...contests.map((contest) => ratio(contest, inSituation(situation, measure), PEERS.mercurius)),
  ]);
  const head = ["", "", ...contests.map(({ work }) => work.title)];
  return [`**${OURS} ÷ ${PEERS.mercurius}.**`, table([head, ...rows])];
}

/** Empty if the contest was not held in this situation. */
function ratio({ results }: QueryContest, measure: string, other: string): string {
  const [ours, theirs] = [measured(results, OURS, measure), measured(results, other, measure)];
  return ours.length > 0 && [...ours, ...theirs].every(Number.isFinite) ? written(ratioOf(ours, theirs)) : "";
}

const COLUMNS = [
  { head: "queries/s", measure: PER_SECOND, isCompared: true },
  { head: "processor each, µs", measure: PROCESSOR, isCompared: true },
  { head: "p50, ms", measure: "p50, ms", isCompared: false },
  { head: "p99, ms", measure: P99, isCompared: true },
  { head: "p99 with new connections, ms", measure: NEW_P99, isCompared: true },
  { head: "requests to the service each", measure: "requests to the service/query", isCompared: false },
];

function details(contests: readonly QueryContest[], situation: string): string {
  const isMeasured = ({ measure }: { measure: string }) =>
    contests.some(({ results }) => inSituation(situation, measure) in (results[0]?.rounds[0] ?? {}));
  const columns = COLUMNS.filter(isMeasured);
  const rows = contests.flatMap((contest) =>
    contest.results.map(({ name }, at) => [
      at === 0 ? contest.work.title : "",
      name,
      ...columns.flatMap(({ measure, isCompared }) => {
        const full = inSituation(situation, measure);
        const figure = written(spreadOf(measured(contest.results, name, full)));
        return isCompared ? [figure, name === OURS ? "" : ratio(contest, full, name)] : [figure];
      }),
    ]),
  );
  const heads = columns.flatMap(({ head, isCompared }) => (isCompared ? [head, `${OURS} ÷ this`] : [head]));
  return table([["", "", ...heads], ...rows]);
}

/** Relative to the baseline, because the queries differ much in size. Without the baseline: relative to the first server. */
function chartOf(contests: readonly QueryContest[], latency: number): string {
  const measure = inSituation(differentAt(latency), PER_SECOND);
  const names = contests[0]?.results.map(({ name }) => name) ?? [];
  const base = names.includes(FLOOR) ? FLOOR : (names[0] ?? "");
  const groups = contests.map(({ work, results }) => ({
    label: work.title,
    bars: names.map((name) => {
      const { median, least, most } = ratioOf(measured(results, name, measure), measured(results, base, measure));
      return { name, value: median, least, most };
    }),
  }));
  return drawBars({ title: `Queries per second, the service after ${latency} ms`, unit: `${base} = 1`, groups });
}
