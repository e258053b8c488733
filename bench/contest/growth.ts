// Measures how the gateway's costs grow with lists, tasks in them, subscribers and the size of the log. The smallest size is
// the baseline.
import { temporaryDirectory } from "../../test/support/gateway.ts";
import type { Environment } from "../../test/support/program.ts";
import { drawLines } from "../support/charts.ts";
import type { Cores } from "../support/cores.ts";
import { load } from "../support/load.ts";
import { startBare } from "../support/metered.ts";
import { table, type Report } from "../support/publish.ts";
import { spreadOf, written, type Spread } from "../support/statistics.ts";
import type { Amount } from "./amount.ts";
import { broadcast, startOurs } from "./fanout.ts";
import { readLog, seedLog } from "./logOf.ts";
import { CONNECTIONS } from "./queries.ts";
import { OURS, queryServers, type QueryServerKind } from "./queryServers.ts";
import { listWork } from "./queryWork.ts";

interface Growth {
  name: string;
  title: string;
  xTitle: string;
  unit: string;
  lines: { name: string; points: { x: number; y: Spread }[] }[];
}

export async function measureGrowth(settings: Environment, amount: Amount, cores: Cores): Promise<Report> {
  const growths = [
    await ofQueries(settings, amount, cores, { grows: "calls", sizes: amount.lists }),
    await ofQueries(settings, amount, cores, { grows: "tasks", sizes: amount.tasks }),
    await ofSubscribers(settings, amount, cores),
    await ofLog(settings, amount, cores),
  ];
  return {
    name: "growth",
    markdown: growths.map(markdownOf).join("\n\n"),
    charts: Object.fromEntries(growths.map((growth) => [`growth-${growth.name}.svg`, chartOf(growth)])),
  };
}

interface Sizes {
  grows: "calls" | "tasks";
  sizes: readonly number[];
}

async function ofQueries(
  settings: Environment,
  amount: Amount,
  cores: Cores,
  { grows, sizes }: Sizes,
): Promise<Growth> {
  await using service = await startBare("service");
  const ours = queryServers(settings).find(({ name }) => name === OURS) as QueryServerKind;
  const points = [];
  for (const size of sizes) {
    const work = grows === "calls" ? listWork(size, 0) : listWork(100, size);
    const rounds: number[] = [];
    for (let round = 0; round < amount.rounds; round += 1) {
      await using server = await ours.start(service.url);
      cores.measured(server.pid);
      const next = (connection: number) => server.requestOf(work, connection);
      const setting = { connections: CONNECTIONS, next, check: expectOk };
      await load(server.url, { ...setting, ms: amount.warmMs });
      await server.meter();
      const { answered } = await load(server.url, { ...setting, ms: amount.ms });
      rounds.push(((await server.meter()).cpuMs * 1000) / answered);
    }
    points.push({ x: size, y: spreadOf(rounds) });
  }
  const title = grows === "calls" ? "A query as its list grows" : "A query of 100 calls as their tasks grow";
  return { name: grows, title, xTitle: grows, unit: "µs of processor/query", lines: [{ name: "query", points }] };
}

async function ofSubscribers(settings: Environment, amount: Amount, cores: Cores): Promise<Growth> {
  const points = [];
  const kind = { name: OURS, start: (subscribers: number) => startOurs(settings, subscribers) };
  for (const subscribers of amount.growingSubscribers) {
    const rounds: number[] = [];
    for (let round = 0; round < amount.rounds; round += 1) {
      const { sample } = await broadcast(kind, { subscribers, amount, cores });
      rounds.push(sample["µs of processor/delivery"] ?? Number.NaN);
    }
    points.push({ x: subscribers, y: spreadOf(rounds) });
  }
  return {
    name: "subscribers",
    title: "A delivery as subscribers grow (the webhook is in it)",
    xTitle: "subscribers",
    unit: "µs of processor/delivery",
    lines: [{ name: "delivery", points }],
  };
}

async function ofLog(settings: Environment, amount: Amount, cores: Cores): Promise<Growth> {
  await using directory = await temporaryDirectory();
  const lines = ["a page of 100, up to 5,000 behind the head", "back 100 events behind the head"].map((name) => ({
    name,
    points: [] as { x: number; y: Spread }[],
  }));
  let held = 0;
  for (const events of amount.events) {
    await seedLog(directory.database, `growth-${events}`, events - held);
    held = events;
    const { pageMs, resumeMs } = await readLog({ database: directory.database, settings, events, cores });
    lines[0]?.points.push({ x: events, y: spreadOf(pageMs) });
    lines[1]?.points.push({ x: events, y: spreadOf(resumeMs) });
    console.error(`  measured: a log of ${events}`);
  }
  return { name: "log", title: "Reading the log as it grows", xTitle: "events", unit: "ms", lines };
}

function expectOk({ status }: { status: number }): void {
  if (status !== 200) throw new Error(`a query was answered ${status}`);
}

function markdownOf({ name, title, xTitle, unit, lines }: Growth): string {
  const xs = lines[0]?.points.map(({ x }) => x) ?? [];
  const rows = xs.map((x, at) => [
    x.toLocaleString("en"),
    ...lines.map(({ points }) => written(points[at]?.y as Spread)),
  ]);
  const head = [xTitle, ...lines.map((line) => `${line.name}, ${unit}`)];
  return `${table([head, ...rows])}\n\n![${title}](charts/growth-${name}.svg)`;
}

function chartOf({ title, xTitle, unit, lines }: Growth): string {
  const medians = lines.map(({ name, points }) => ({ name, points: points.map(({ x, y }) => ({ x, y: y.median })) }));
  return drawLines({ title, xTitle, unit, lines: medians });
}
