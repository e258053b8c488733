// Measures how long live events wait beside an import of earlier calls: from the moment a webhook is due to its arrival at a
// subscriber. It is measured without an import, beside one at the default rate, and beside one as fast as it can. At the end every call
// was imported once.
import { setTimeout as pause } from "node:timers/promises";
import { spawnSandbox, type TestSandbox } from "../test/support/sandbox.ts";
import { until } from "../test/support/until.ts";
import { openConnection } from "./support/connection.ts";
import type { Effort } from "./support/effort.ts";
import { headCursor, startGateway, type BenchGateway } from "./support/gateway.ts";
import { figure, percentile } from "./support/statistics.ts";
import { openSubscribers } from "./support/subscribers.ts";
import { createWebhooks, type Webhooks } from "./support/webhooks.ts";

const EVERY_MS = 20;
const ROWS_IN_A_SEED = 5000;
const DAY_MS = 86_400_000;
const [FIRST_DAY, LAST_DAY] = [80, 2];
const SUBSCRIPTION = "subscription ($after: String) { callEnded(after: $after) { sessionId endAt } }";
const RATES = { "at the default rate": "6000", "as fast as it can": "1000000000" };

export async function benchImport({ imported, ms }: Effort): Promise<void> {
  await using sandbox = await spawnSandbox();
  await seed(sandbox, imported);
  for (const [rate, limit] of Object.entries(RATES)) {
    const settings = { RATE_LIMIT: limit };
    await using gateway = await startGateway({ service: sandbox.url, scopes: ["admin", "calls:read"], settings });
    const webhooks = createWebhooks();
    console.log(`\nlive events beside an import of ${imported} calls ${rate}`);
    const ended = pause(ms);
    report("without it", await live(gateway, webhooks, () => ended.then(() => true)));
    const began = performance.now();
    await ask(gateway, `mutation { importHistory(since: "${daysAgo(FIRST_DAY + 1)}") { isNew } }`);
    report("beside it", await live(gateway, webhooks, () => isOver(gateway)));
    const { calls } = await importOf(gateway);
    if (calls < imported) throw new Error(`${calls} of ${imported} calls were imported`);
    console.log(`  ${((calls * 1000) / (performance.now() - began)).toFixed(0)} calls/s imported`);
    await gateway.stop();
  }
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

async function seed(sandbox: TestSandbox, count: number): Promise<void> {
  const from = Date.now() - FIRST_DAY * DAY_MS;
  const stepMs = ((FIRST_DAY - LAST_DAY) * DAY_MS) / count;
  for (let first = 0; first < count; first += ROWS_IN_A_SEED) {
    const numbers = Array.from({ length: Math.min(ROWS_IN_A_SEED, count - first) }, (_, at) => first + at);
    const calls = numbers.map((at) => ({ sessionId: `earlier-${at}`, startAt: Math.floor(from + at * stepMs) }));
    await sandbox.control("POST", "seed", { calls });
  }
}

/** Sends a webhook at each tick, however long the earlier ones took, until it is over. */
async function live(gateway: BenchGateway, webhooks: Webhooks, isOver: () => Promise<boolean>): Promise<number[]> {
  const payload = { query: SUBSCRIPTION, variables: { after: await headCursor(gateway) } };
  const authorizations = [gateway.authorization];
  const subscriber = await openSubscribers(gateway.url, { size: 1, authorizations, payload });
  const connection = await openConnection(gateway.url);
  const before = webhooks.sent.length;
  const due: number[] = [];
  const over = { is: false };
  const watching = until(isOver, 3_600_000).then(() => (over.is = true));
  for (let tick = performance.now(); !over.is; tick += EVERY_MS) {
    await pause(Math.max(0, tick - performance.now()));
    due.push(Math.min(tick, performance.now()));
    const { status } = await connection.send(webhooks.next());
    if (status !== 200) throw new Error(`a webhook was answered ${status}`);
  }
  await watching;
  const arrived = await subscriber.receive(due.length);
  subscriber.check(webhooks.sent.slice(before));
  subscriber.close();
  connection.close();
  return arrived.map((at, index) => at - (due[index] ?? Number.NaN)).sort((a, b) => a - b);
}

function report(name: string, delays: readonly number[]): void {
  const [p50, p99, most] = [50, 99, 100].map((part) => figure([percentile(delays, part)]));
  console.log(`  ${name}: ${delays.length} events, p50 ${p50} ms, p99 ${p99} ms, at most ${most} ms`);
}

async function importOf(gateway: BenchGateway): Promise<{ state: string; problem: string | null; calls: number }> {
  const { historyImport } = await ask<{ historyImport: { state: string; problem: string | null; calls: number } }>(
    gateway,
    "{ historyImport { state problem calls } }",
  );
  return historyImport;
}

async function isOver(gateway: BenchGateway): Promise<boolean> {
  await pause(200);
  const { state, problem } = await importOf(gateway);
  if (state === "FAILED" || problem !== null) throw new Error(`the import has failed: ${problem}`);
  return state === "DONE";
}

async function ask<T>({ url, authorization }: BenchGateway, query: string): Promise<T> {
  const headers = { authorization, "content-type": "application/json" };
  const response = await fetch(`${url}/graphql`, { method: "POST", headers, body: JSON.stringify({ query }) });
  const { data, errors } = (await response.json()) as { data?: T; errors?: { message: string }[] };
  if (data == null || errors) throw new Error(errors?.[0]?.message ?? "no answer");
  return data;
}
