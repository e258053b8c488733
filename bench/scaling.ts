// Measures one, two and three gateways on one PostgreSQL, and computes from their costs what they could do with a core each.
import { loadavg } from "node:os";
import { queryWorks } from "./contest/queryWork.ts";
import { QUERY_SCOPES } from "./contest/queryServers.ts";
import { needOf, type Costs } from "./scaling/limits.ts";
import { startMeteredPostgres } from "./scaling/postgresMeter.ts";
import { measureQuietCommits, type QuietCommits } from "./scaling/quietCommits.ts";
import * as stages from "./scaling/stages.ts";
import { printTable, type Sample } from "./support/compare.ts";
import { sessionsInPostgres } from "./support/databases.ts";
import { type Effort, profileOptions } from "./support/effort.ts";
import { figure } from "./support/statistics.ts";
import { startGateway, type BenchGateway } from "./support/gateway.ts";
import { startBare } from "./support/metered.ts";
import { publish, table } from "./support/publish.ts";
import { spreadOf } from "./support/statistics.ts";
import { createWebhooks } from "./support/webhooks.ts";

const DOCUMENT = "scaling.md";
const GATEWAYS = 3;
const WARM_FACTOR = 4;
const MOST_ROUNDS = 5;
const SUBSCRIBERS = 1200;
/** One viewer may hold a thousand sockets. */
const CLIENTS = 3;

const STEADY = `webhooks, ${stages.STEADY_PER_SECOND} a second`;
const MOST = "webhooks, as many as they take";
const QUERIES = queryWorks.q1.title;
const DELIVERIES = `${figure([SUBSCRIBERS])} subscribers`;
const LISTENING = `webhooks to one gateway, ${stages.STEADY_PER_SECOND} a second`;
const works = {
  [STEADY]: stages.measureSteadyWebhooks,
  [MOST]: stages.measureMostWebhooks,
  [QUERIES]: stages.measureGatewayQueries,
  [DELIVERIES]: stages.measureSpreadSubscribers,
};

/** Demands for the computed table. */
const CALLS = [10_000, 100_000, 1_000_000, 10_000_000];
const VIEWERS = [10, 100, 1000, 10_000];

/** By part, by number of gateways, by round. */
type Results = Record<string, Sample[][]>;

export async function benchScaling(effort: Effort): Promise<void> {
  await using postgres = await startMeteredPostgres();
  const quiet = await measureQuietCommits(postgres, effort.ms);
  await using service = await startBare("service");
  await using running = new AsyncDisposableStack();
  const gateways: BenchGateway[] = [];
  const webhooks = createWebhooks();
  const results: Results = {};
  for (let count = 1; count <= GATEWAYS; count += 1) {
    const options = { service: service.url, database: postgres.url, scopes: QUERY_SCOPES, clients: CLIENTS };
    gateways.push(
      running.use(await startGateway({ ...options, nodeOptions: profileOptions(effort, `scaling-${count}`) })),
    );
    for (let round = 0; round <= Math.min(effort.rounds, MOST_ROUNDS); round += 1) {
      // The first round warms up, and is longer.
      const ms = round === 0 ? effort.ms * WARM_FACTOR : effort.ms;
      const stage = { gateways, postgres, webhooks, ms, subscribers: SUBSCRIBERS, events: effort.events };
      const keep = (part: string, sample: Sample) => {
        if (round > 0) ((results[part] ??= [])[count - 1] ??= []).push(sample);
      };
      for (const [part, measure] of Object.entries(works)) keep(part, await measure(stage));
      if (count > 1) keep(LISTENING, await stages.measureListening(stage));
    }
  }
  const kept = new Set(await sessionsInPostgres(postgres.url));
  if (webhooks.sent.some((session) => !kept.has(session))) throw new Error("an acknowledged webhook is not in the log");
  const parts = Object.entries(results).map(([part, byCount]) => partRows(part, byCount));
  const conditions = `Node ${process.version}; load average ${loadavg()[0]?.toFixed(1)} at the end.`;
  const tables = [quietRows(quiet), ...parts, limitRows(results, quiet)];
  const needs = needRows(results);
  for (const rows of [...tables, needs]) printTable(rows);
  if (!effort.write) return;
  await publish({ name: "scaling", markdown: [conditions, ...tables.map(table)].join("\n\n"), charts: {} }, DOCUMENT);
  await publish({ name: "need", markdown: table(needs), charts: {} }, DOCUMENT);
}

function quietRows({ commits, roundTrips }: QuietCommits): string[][] {
  return [
    ["the log alone: a commit of", "ms", "events/s", "PostgreSQL, µs of processor", "µs each event"],
    ...commits.map(({ events, listeners, ms, databaseMicros }) => [
      `  ${events} event${events === 1 ? "" : "s"}${listeners > 0 ? `, ${listeners} other listeners` : ""}`,
      ...[ms, (events * 1000) / ms, databaseMicros, databaseMicros / events].map((value) => figure([value])),
    ]),
    ["  round trips of a commit of one event", figure([roundTrips])].concat("", "", ""),
  ];
}

function partRows(part: string, byCount: readonly Sample[][]): string[][] {
  const measures = [...new Set(byCount.flat().flatMap((sample) => Object.keys(sample)))];
  const counts = Array.from({ length: GATEWAYS }, (_, at) => at);
  return [
    [part, ...counts.map((at) => `${at + 1} gateway${at === 0 ? "" : "s"}`)],
    ...measures.map((measure) => [
      `  ${measure}`,
      ...counts.map((at) => {
        const values = (byCount[at] ?? []).map((sample) => sample[measure]).filter((value) => value !== undefined);
        return values.length > 0 ? figure(values) : "";
      }),
    ]),
  ];
}

function costsOf(results: Results, webhooks: string): Costs {
  return {
    query: medianOf(results, QUERIES, 1, "gateways, µs of processor/query"),
    webhook: medianOf(results, webhooks, 1, "gateways, µs of processor/webhook"),
    delivery: medianOf(results, DELIVERIES, 1, "gateways, µs of processor/delivery"),
    heard: medianOf(results, LISTENING, 2, "a listening gateway, µs/event"),
    databaseWebhook: medianOf(results, webhooks, 1, "PostgreSQL, µs of processor/webhook"),
  };
}

function limitRows(results: Results, { commits }: QuietCommits): string[][] {
  const { query, webhook, delivery, databaseWebhook } = costsOf(results, MOST);
  const perCore = { "query, a gateway": query, "webhook, a gateway": webhook, "delivery, a gateway": delivery };
  return [
    ["computed: with a core each", "per second"],
    ...Object.entries({ ...perCore, "webhook, PostgreSQL": databaseWebhook }).map(([name, micros]) => [
      `  ${name}`,
      figure([1e6 / micros]),
    ]),
    ...commits.map(({ events, listeners, ms }) => [
      `  webhook, the log's lock, groups of ${events}, ${listeners} other listeners`,
      figure([(events * 1000) / ms]),
    ]),
  ];
}

function needRows(results: Results): string[][] {
  const costs = costsOf(results, STEADY);
  const demands = CALLS.flatMap((callsADay) => VIEWERS.map((viewers) => ({ callsADay, viewers, queriesAMinute: 1 })));
  const head = [
    "calls a day",
    "viewers",
    "webhooks/s",
    "deliveries/s",
    "gateways",
    "their cores",
    "PostgreSQL's cores",
  ];
  return [
    head,
    ...demands.map((demand) => {
      const { callsADay, viewers } = demand;
      const { webhooksPerSecond, deliveriesPerSecond, gateways, gatewayCores, databaseCores } = needOf(demand, costs);
      const figures = [callsADay, viewers, webhooksPerSecond, deliveriesPerSecond, gateways, gatewayCores];
      return [...figures, databaseCores].map((value) => figure([value]));
    }),
  ];
}

function medianOf(results: Results, part: string, gateways: number, measure: string): number {
  const samples = results[part]?.[gateways - 1] ?? [];
  return spreadOf(samples.map((sample) => sample[measure] ?? Number.NaN)).median;
}
