// Imports earlier calls from a sandbox beside live webhooks: how long live events wait, from the moment a webhook is due to its arrival at a
// subscriber. At the end every call was imported.
import { setTimeout as pause } from "node:timers/promises";
import { sandboxOf, type TestSandbox } from "../../test/support/sandbox.ts";
import { until } from "../../test/support/until.ts";
import { openConnection } from "./connection.ts";
import { headCursor, type BenchGateway } from "./gateway.ts";
import { startBare } from "./metered.ts";
import { openSubscribers } from "./subscribers.ts";
import { createWebhooks, type Webhooks } from "./webhooks.ts";

const EVERY_MS = 20;
/** A webhook does not wait for those that were sent less than a second before it. */
const CONNECTIONS = 64;
const ROWS_IN_A_SEED = 5000;
const DAY_MS = 86_400_000;
const [FIRST_DAY, LAST_DAY] = [80, 2];
const SUBSCRIPTION = "subscription ($after: String) { callEnded(after: $after) { sessionId endAt } }";

export interface ImportRun {
  /** How long each live event took, in milliseconds, the shortest first: without an import, and beside it. */
  without: number[];
  beside: number[];
  /** The calls that were imported. */
  calls: number;
  callsPerSecond: number;
}

/** `ms`: how long it is measured without an import. Throws where a call was not imported, or a live event was missed. */
export async function importBeside(
  gateway: BenchGateway,
  { calls: all, ms }: { calls: number; ms: number },
): Promise<ImportRun> {
  const webhooks = createWebhooks();
  const ended = pause(ms);
  const without = await live(gateway, webhooks, () => ended.then(() => true));
  const began = performance.now();
  await ask(gateway, `mutation { importHistory(since: "${daysAgo(FIRST_DAY + 1)}") { isNew } }`);
  const beside = await live(gateway, webhooks, () => isOver(gateway));
  const { calls } = await importOf(gateway);
  if (calls < all) throw new Error(`${calls} of ${all} calls were imported`);
  return { without, beside, calls, callsPerSecond: (calls * 1000) / (performance.now() - began) };
}

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

/** A sandbox in a process of its own, with so many calls of the last eighty days. */
export async function sandboxWith(calls: number): Promise<TestSandbox> {
  const program = await startBare("largeSandbox", [String(calls)], ["--max-old-space-size=8192"]);
  const sandbox = sandboxOf(program);
  await seed(sandbox, calls);
  return sandbox;
}

async function seed(sandbox: TestSandbox, count: number): Promise<void> {
  const from = Date.now() - FIRST_DAY * DAY_MS;
  const stepMs = ((FIRST_DAY - LAST_DAY) * DAY_MS) / count;
  for (let first = 0; first < count; first += ROWS_IN_A_SEED) {
    const numbers = Array.from({ length: Math.min(ROWS_IN_A_SEED, count - first) }, (_, at) => first + at);
    const calls = numbers.map((at) => ({ sessionId: `earlier-${at}`, startAt: Math.floor(from + at * stepMs) }));
    await sandbox.control("POST", "seed", { calls });
  }
}

/** Sends a webhook at each tick, whatever became of the earlier ones, until it is over. */
async function live(gateway: BenchGateway, webhooks: Webhooks, isOver: () => Promise<boolean>): Promise<number[]> {
  const payload = { query: SUBSCRIPTION, variables: { after: await headCursor(gateway) } };
  const authorizations = [gateway.authorization];
  const subscriber = await openSubscribers(gateway.url, { size: 1, authorizations, payload });
  const senders = await Promise.all(Array.from({ length: CONNECTIONS }, () => openSender(gateway.url)));
  /** When each was due, by its session. */
  const due = new Map<string, number>();
  const over = { is: false };
  const watching = until(isOver, 3_600_000).then(() => (over.is = true));
  for (let tick = performance.now(); !over.is; tick += EVERY_MS) {
    await pause(Math.max(0, tick - performance.now()));
    const sessionId = webhooks.make();
    senders[due.size % CONNECTIONS]?.send(webhooks.of(sessionId));
    due.set(sessionId, Math.min(tick, performance.now()));
  }
  await watching;
  await Promise.all(senders.map((sender) => sender.close()));
  const arrived = await subscriber.receive(due.size);
  subscriber.check([...due.keys()]);
  const delays = subscriber.sessions().map((sessionId, at) => (arrived[at] ?? 0) - (due.get(sessionId) ?? 0));
  subscriber.close();
  return delays.toSorted((a, b) => a - b);
}

/** A connection on which webhooks wait for each other. `close` rejects where one was refused. */
async function openSender(url: string) {
  const connection = await openConnection(url);
  let last: Promise<unknown> = Promise.resolve();
  const post = async (request: Buffer) => {
    const { status } = await connection.send(request);
    if (status !== 200) throw new Error(`a webhook was answered ${status}`);
  };
  return {
    send: (request: Buffer) => void (last = last.then(() => post(request))),
    async close() {
      await last;
      connection.close();
    },
  };
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
