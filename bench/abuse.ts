// What one client that abuses the gateway costs the others, for each attack of support/attacks.ts. A good client reads the
// service's list, counts over the log, and the service delivers webhooks, all at a steady pace. The rule: whatever one client
// sends, p99 of each stays under 250 ms, and the process under 600 MB.
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { openStore } from "../src/store/store.ts";
import { temporaryDirectory } from "../test/support/gateway.ts";
import { silentLog } from "../test/support/silentLog.ts";
import { until } from "../test/support/until.ts";
import { seedLog } from "./contest/logOf.ts";
import { attacks } from "./support/attacks.ts";
import type { Attack } from "./support/attackTools.ts";
import { printTable } from "./support/compare.ts";
import { profileOptions, type Effort } from "./support/effort.ts";
import { startGateway, type BenchGateway } from "./support/gateway.ts";
import { postBytes } from "./support/connection.ts";
import { startBare } from "./support/metered.ts";
import { steady } from "./support/steady.ts";
import { createWebhooks, type Webhooks } from "./support/webhooks.ts";

const MAX_P99_MS = 250;
const MAX_MEMORY_MB = 600;
const EVENTS = 50_000;
/** The time limit of one attack, in case the good clients get no answer at all. */
const TIMEOUT_MS = 60_000;
const DAY = "2026-11-20";
const LIST = `{ callLogs(first: 10, filter: { since: "${DAY}T00:00:00+08:00", until: "${DAY}T23:59:59+08:00" }) {
  totalCount nodes { sessionId direction caller callee startAt endAt duration answered } } }`;
const COUNT = "{ callStats { calls answered } }";

interface Figures {
  list: number;
  count: number;
  webhook: number;
  loop: number;
  memoryMb: number;
  attempts: number;
}

/** `only`: runs only attacks whose name contains this text. */
export async function benchAbuse(effort: Effort, only = ""): Promise<void> {
  await using service = await startBare("service");
  await using sounds = await startBare("sounds");
  await using router = await startBare("callbackRouter");
  await using directory = await temporaryDirectory();
  const log = join(directory.path, "log.db");
  await seedLog(`file:${log}`, "abuse", EVENTS);
  await fillDoNotCall(`file:${log}`);
  const rows: string[][] = [];
  const measure = async (name: string, attack: Attack | null) => {
    const database = join(directory.path, `${rows.length}.db`);
    await copyFile(log, database);
    await using gateway = await startGateway({
      service: service.url,
      database: `file:${database}`,
      attacker: attack?.scopes ?? [],
      recordingHosts: new URL(sounds.url).host,
      settings: { ...SETTINGS, FEDERATION: "on", SUBSCRIPTION_CALLBACK_URLS: router.url },
      nodeOptions: profileOptions(effort, name.replaceAll(/\W+/g, "-")),
    });
    const figures = attacked(gateway, name, attack, [sounds.url, router.url], effort.ms * 4);
    const held = await Promise.race([figures, pause(TIMEOUT_MS, new Error("no answer came"), { ref: false })]).catch(
      asError,
    );
    // Only a process that stops normally writes a profile.
    if (effort.profiles !== null) await gateway.stop();
    rows.push(held instanceof Error ? [name, ...ofAttack(attack), held.message] : rowOf(name, attack, held));
    console.log(rows.at(-1)?.join("   "));
  };
  await measure("nobody attacks", null);
  for (const [name, attack] of Object.entries(attacks)) if (name.includes(only)) await measure(name, attack);
  printTable([HEAD, ...rows]);
}

/** With one entry, each number of a task is looked up. */
async function fillDoNotCall(url: string): Promise<void> {
  await using store = await openStore({ url, log: silentLog });
  const { doNotCall } = store;
  await doNotCall.add([doNotCall.digestOf("2125550101")], { actor: "bench", at: `${DAY}T00:00:00.000Z` });
}

const HEAD = [
  "one attacker",
  "transport",
  "scopes",
  "list p99, ms",
  "count p99, ms",
  "webhook p99, ms",
  "loop p99, ms",
  "memory at most, MB",
  "attempts/s",
  "rule",
];

/** Enables every feature that an attacker could use. Limits that would slow the good client keep their defaults. */
const SETTINGS = {
  INTROSPECTION: "on",
  RATE_LIMIT: "6000",
  LIST_RATE_LIMIT: "3000000",
  // No server listens there, like a provider that is down.
  JWT_JWKS_URL: "http://127.0.0.1:9/keys",
  JWT_ISSUER: "https://issuer.example",
  JWT_AUDIENCE: "switchboard",
};

function rowOf(name: string, attack: Attack | null, figures: Figures): string[] {
  const { list, count, webhook, loop, memoryMb, attempts } = figures;
  const holds = Math.max(list, count, webhook) < MAX_P99_MS && memoryMb < MAX_MEMORY_MB;
  const times = [list, count, webhook, loop].map((ms) => ms.toFixed(1));
  return [name, ...ofAttack(attack), ...times, memoryMb.toFixed(0), attempts.toFixed(0), holds ? "holds" : "BROKEN"];
}

function ofAttack(attack: Attack | null): string[] {
  return attack === null ? ["", ""] : [attack.transport, attack.scopes?.join() ?? "none"];
}

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** `helpers`: addresses of servers that the attacker uses. */
async function attacked(
  gateway: BenchGateway,
  name: string,
  attack: Attack | null,
  helpers: readonly string[],
  ms: number,
): Promise<Figures> {
  const webhooks = createWebhooks();
  // Warms up the gateway.
  await goodClients(gateway, webhooks, 1000);
  if (!attack) return { ...(await goodClients(gateway, webhooks, ms)), attempts: 0 };
  await using attacker = await startBare("abuser", [name, gateway.url, gateway.attackerAuthorization, ...helpers]);
  const attempts = async () => ((await (await fetch(attacker.url)).json()) as { attempts: number }).attempts;
  await until(async () => (await attempts()) > 0);
  const before = await attempts();
  const began = performance.now();
  const figures = await goodClients(gateway, webhooks, ms);
  const seconds = (performance.now() - began) / 1000;
  return { ...figures, attempts: ((await attempts()) - before) / seconds };
}

async function goodClients(gateway: BenchGateway, webhooks: Webhooks, ms: number): Promise<Omit<Figures, "attempts">> {
  await gateway.meter();
  const ask = (query: string) => {
    const bytes = postBytes("/graphql", gateway.authorization, JSON.stringify({ query }));
    return () => bytes;
  };
  const [list, count, webhook] = await Promise.all([
    steady(gateway.url, { connections: 4, everyMs: 160, ms, next: ask(LIST), check: checkLonger(500) }),
    steady(gateway.url, { connections: 2, everyMs: 1000, ms, next: ask(COUNT), check: checkLonger(30) }),
    steady(gateway.url, { connections: 8, everyMs: 320, ms, next: webhooks.next, check: checkLonger(1) }),
  ]);
  const { delayP99Ms, mostMemoryMb } = await gateway.meter();
  return { list: list.p99, count: count.p99, webhook: webhook.p99, loop: delayP99Ms, memoryMb: mostMemoryMb };
}

const checkLonger =
  (least: number) =>
  ({ status, length }: { status: number; length: number }): void => {
    if (status !== 200 || length < least) throw new Error(`The good client was answered ${status}, ${length} bytes.`);
  };
