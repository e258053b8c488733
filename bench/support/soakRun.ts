// Loads a gateway for a while with everything at once: webhooks, subscribers that come and go, queries and created tasks. Reads its
// memory and its handles from its metrics, and counts what one lasting subscriber received.
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { emptySandbox } from "../../test/support/emptySandbox.ts";
import { until } from "../../test/support/until.ts";
import { openConnection } from "./connection.ts";
import { startGateway, type BenchGateway } from "./gateway.ts";
import { subscribe } from "./subscribers.ts";
import { createWebhooks } from "./webhooks.ts";

export interface SoakOptions {
  seconds: number;
  webhooksPerSecond: number;
  /** Subscribers that are open at a time, beside the lasting one. */
  subscribers: number;
  /** The part of the time that is left out of the slope. */
  warmUp: number;
  onSample?: (seconds: number, memoryMb: number) => void;
}

/** What a gateway holds; all of it must return to where it began. */
export const heldMetrics = [
  "process_open_fds",
  "switchboard_sockets",
  "switchboard_subscriptions",
  "switchboard_groups",
  "switchboard_upstream_under_way",
] as const;
export type Held = Record<(typeof heldMetrics)[number], number>;

export interface SoakReport {
  sent: number;
  /** Webhooks that the lasting subscriber did not receive, and those that it received more than once. */
  missing: number;
  doubled: number;
  /** Subscribers that came and went, answered queries, and accepted tasks. */
  visits: number;
  queries: number;
  created: number;
  before: Held;
  after: Held;
  /** Growth of memory after the warm-up in ten minutes, as a part of its mean. */
  growth: number;
}

const CONNECTIONS = 32;
const SAMPLE_MS = 1000;
const QUERY_MS = 50;
const CREATE_MS = 500;
const VISIT_MS = 2000;
const SUBSCRIPTION = { query: "subscription { callEnded { sessionId } }" };
const QUERY =
  "{ callLogs(first: 10) { totalCount nodes { sessionId task { name } } } callEndedEvents(first: 10) { edges { cursor } } }";
const CREATE =
  "mutation ($input: CreateTaskInput!) { createTask(input: $input) { submission { id } errors { code message } } }";

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { seconds, webhooksPerSecond, subscribers, warmUp, onSample } = options;
  await using sandbox = await emptySandbox();
  const port = await freePort();
  await using gateway = await startGateway({
    service: sandbox.url,
    scopes: ["calls:read", "people:read", "tasks:create"],
    settings: { METRICS_PORT: String(port) },
  });
  const read = () => readMetrics(`http://127.0.0.1:${port}/metrics`);
  const report = { visits: 0, queries: 0, created: 0 };
  const webhooks = createWebhooks();
  const received = new Uint8Array(Math.ceil(seconds * webhooksPerSecond) + 1);
  let arrived = 0;

  // One of each first: the first use of a part opens what stays open.
  await query(gateway);
  await create(gateway, "first");
  const before = heldOf(await read());
  const lasting = await subscribe(
    gateway.url,
    { authorization: gateway.authorization, payload: SUBSCRIPTION },
    (data) => {
      const number = /"sessionId":"bench-(\d+)"/.exec(data.toString())?.[1];
      if (number === undefined) return;
      received[Number(number)] = (received[Number(number)] ?? 0) + 1;
      arrived += 1;
    },
  );

  const began = performance.now();
  const end = began + seconds * 1000;
  const isOver = () => performance.now() >= end;
  const samples: { at: number; memory: number }[] = [];
  let taken = 0;
  const sendWebhooks = async () => {
    const connection = await openConnection(gateway.url);
    for (;;) {
      const due = began + (taken * 1000) / webhooksPerSecond;
      if (due >= end || isOver()) break;
      taken += 1;
      await pause(Math.max(0, due - performance.now()));
      const { status } = await connection.send(webhooks.next());
      if (status !== 200) throw new Error(`a webhook was answered with ${status}`);
    }
    connection.close();
  };
  const visit = async () => {
    while (!isOver()) {
      const socket = await subscribe(
        gateway.url,
        { authorization: gateway.authorization, payload: SUBSCRIPTION },
        () => undefined,
      );
      await pause(Math.random() * VISIT_MS);
      socket.terminate();
      report.visits += 1;
    }
  };
  const every = async (ms: number, work: () => Promise<void>) => {
    while (!isOver()) {
      await work();
      await pause(ms);
    }
  };
  await Promise.all([
    ...Array.from({ length: CONNECTIONS }, sendWebhooks),
    ...Array.from({ length: subscribers }, visit),
    every(QUERY_MS, async () => {
      await query(gateway);
      report.queries += 1;
    }),
    every(CREATE_MS, async () => {
      await create(gateway, String(report.created));
      report.created += 1;
    }),
    every(SAMPLE_MS, async () => {
      const memory = valueOf(await read(), "process_resident_memory_bytes");
      const at = (performance.now() - began) / 1000;
      samples.push({ at, memory });
      onSample?.(at, memory / 1024 / 1024);
    }),
  ]);
  const sent = webhooks.sent.length;
  await until(() => arrived >= sent);
  lasting.terminate();
  const after = await whenReturned(read, before);
  const counted = received.subarray(0, sent);
  const steady = samples.filter(({ at }) => at >= seconds * warmUp);
  return {
    ...report,
    sent,
    missing: counted.filter((count) => count === 0).length,
    doubled: counted.filter((count) => count > 1).length,
    before,
    after,
    growth: growthOf(steady),
  };
}

/** The values when nothing is held that was not held before, or the last ones if that does not come within half a minute. */
async function whenReturned(read: () => Promise<string>, before: Held): Promise<Held> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const now = heldOf(await read());
    if (heldMetrics.every((name) => now[name] <= before[name]) || performance.now() > deadline) return now;
    await pause(100);
  }
}

/** The slope of the line of least squares, in ten minutes, as a part of the mean. */
export function growthOf(samples: readonly { at: number; memory: number }[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [at, memory] = [mean(samples.map((each) => each.at)), mean(samples.map((each) => each.memory))];
  const covariance = mean(samples.map((each) => (each.at - at) * (each.memory - memory)));
  const variance = mean(samples.map((each) => (each.at - at) ** 2));
  return variance === 0 ? 0 : ((covariance / variance) * 600) / memory;
}

async function query(gateway: BenchGateway): Promise<void> {
  const { errors } = await ask(gateway, { query: QUERY });
  if (errors) throw new Error(`a query failed: ${JSON.stringify(errors)}`);
}

async function create(gateway: BenchGateway, key: string): Promise<void> {
  const option = {
    lineIds: ["60"],
    periods: [["09:00", "18:00"]],
    startDate: "2030-01-15",
    retryCount: 0,
    retryIntervalSeconds: 60,
    numberFileMeta: { number: 0, name: 1, gender: 2, salesPersonName: 3 },
  };
  const numbers = [{ number: "+12025550101" }];
  const input = { idempotencyKey: `soak-${key}`, name: `Soak ${key}`, assistantId: "11", option, numbers };
  const { data, errors } = await ask(gateway, { query: CREATE, variables: { input } });
  const { submission } = (data as { createTask: { submission: object | null } } | undefined)?.createTask ?? {};
  if (!submission) throw new Error(`a task was not created: ${JSON.stringify(errors ?? data)}`);
}

async function ask(gateway: BenchGateway, body: object): Promise<{ data?: unknown; errors?: unknown }> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: gateway.authorization },
    body: JSON.stringify(body),
  });
  return (await response.json()) as { data?: unknown; errors?: unknown };
}

async function readMetrics(url: string): Promise<string> {
  return (await fetch(url)).text();
}

function heldOf(page: string): Held {
  return Object.fromEntries(heldMetrics.map((name) => [name, valueOf(page, name)])) as Held;
}

function valueOf(page: string, name: string): number {
  const value = new RegExp(`^${name} (\\S+)$`, "m").exec(page)?.[1];
  if (value === undefined) throw new Error(`the gateway has no metric ${name}`);
  return Number(value);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
