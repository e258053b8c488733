// Measures fan-out: sends events one by one to many subscribers, the next when all have the previous one. The gateway stores
// each event first; the other servers store nothing.
import { headCursor, startGateway } from "../support/gateway.ts";
import type { Cores } from "../support/cores.ts";
import { contest, type Contestant, type Result, type Sample } from "../support/contest.ts";
import { percentile } from "../support/statistics.ts";
import { openConnection, type Connection } from "../support/connection.ts";
import { startBare, startPeer, type Metered } from "../support/metered.ts";
import { createWebhooks, type Webhooks } from "../support/webhooks.ts";
import type { Environment } from "../../test/support/program.ts";
import { SUBSCRIPTION } from "../live.ts";
import type { Amount } from "./amount.ts";
import { openSubscribers, type Subscribers } from "./bareSubscribers.ts";
import { OURS, YOUNG_GENERATION } from "./queryServers.ts";

/** Subscribers of one caller, who may hold a thousand sockets. */
const SUBSCRIBERS_EACH = 500;

export const RAW = "raw ws";

export interface Broadcaster extends Metered {
  clients: readonly string[];
  variables: object;
}

export interface BroadcasterKind {
  name: string;
  start(subscribers: number): Promise<Broadcaster>;
}

export function broadcasters(settings: Environment): BroadcasterKind[] {
  return [
    { name: OURS, start: (subscribers) => startOurs(settings, subscribers) },
    { name: RAW, start: async () => ({ ...(await startBare("broadcaster", [], YOUNG_GENERATION)), ...NOBODY }) },
    {
      name: "plain graphql-ws",
      start: async () => ({ ...(await startPeer("graphqlWs", [], YOUNG_GENERATION)), ...NOBODY }),
    },
  ];
}

const NOBODY = { clients: [""], variables: {} };

/** `program`: runs instead of this gateway. */
export async function startOurs(
  settings: Environment,
  subscribers: number,
  program?: readonly string[],
): Promise<Broadcaster> {
  const clients = Math.ceil(subscribers / SUBSCRIBERS_EACH);
  const gateway = await startGateway({ settings, clients, ...(program === undefined ? {} : { program }) });
  return { ...gateway, variables: { after: await headCursor(gateway) } };
}

export interface FanoutContest {
  subscribers: number;
  results: Result[];
}

export async function contestFanout(settings: Environment, amount: Amount, cores: Cores): Promise<FanoutContest[]> {
  const contests: FanoutContest[] = [];
  for (const subscribers of amount.subscribers) {
    const texts = new Map<string, string>();
    const contestants = broadcasters(settings).map((kind): Contestant => ({
      name: kind.name,
      async run() {
        const { sample, text } = await broadcast(kind, { subscribers, amount, cores });
        texts.set(kind.name, comparable(text));
        if (new Set(texts.values()).size > 1) throw new Error(`not all tell the same: ${[...texts].join("\n")}`);
        return sample;
      },
    }));
    contests.push({ subscribers, results: await contest(contestants, amount.rounds) });
    console.error(`  measured: ${subscribers} subscribers`);
  }
  return contests;
}

interface BroadcastOptions {
  subscribers: number;
  amount: Amount;
  cores: Cores;
}

export async function broadcast(
  kind: BroadcasterKind,
  { subscribers, amount, cores }: BroadcastOptions,
): Promise<{ sample: Sample; text: string }> {
  await using program = await kind.start(subscribers);
  cores.measured(program.pid);
  const { clients, variables } = program;
  const payload = { query: SUBSCRIPTION, variables };
  const before = await program.meter();
  const group = await openSubscribers(program.url, { size: subscribers, clients, payload });
  const webhooks = createWebhooks();
  const connection = await openConnection(program.url);
  // At least ten events, for a meaningful p99. At most a thousand, so that one subscriber takes only a few seconds.
  const events = Math.min(1000, Math.max(10, Math.ceil(amount.deliveries / subscribers)));
  await send({ group, webhooks, connection }, Math.ceil(events / 2));
  const idle = await program.meter();
  const { took, seconds } = await send({ group, webhooks, connection }, events);
  const after = await program.meter();
  group.check(webhooks.sent);
  group.close();
  connection.close();
  return {
    text: group.last(),
    sample: {
      "deliveries/s": (events * subscribers) / seconds,
      "p50, ms": percentile(took, 50),
      "p99, ms": percentile(took, 99),
      "µs of processor/delivery": (after.cpuMs * 1000) / (events * subscribers),
      "memory, MB": after.memoryMb,
      "kB/subscriber": ((idle.memoryMb - before.memoryMb) * 1024) / subscribers,
    },
  };
}

interface Stage {
  group: Subscribers;
  webhooks: Webhooks;
  connection: Connection;
}

async function send({ group, webhooks, connection }: Stage, events: number) {
  const all: number[] = [];
  const began = performance.now();
  for (let sent = 0; sent < events; sent += 1) {
    const from = performance.now();
    const [arrived, { status }] = await Promise.all([group.receive(1), connection.send(webhooks.next())]);
    if (status !== 200) throw new Error(`a webhook was answered ${status}`);
    for (const at of arrived) all.push(at - from);
  }
  const seconds = (performance.now() - began) / 1000;
  return { took: all.toSorted((a, b) => a - b), seconds };
}

/** A delivery without the cursor and the session, which differ between servers. */
function comparable(text: string): string {
  const { payload } = JSON.parse(text) as { payload: { data: { callEnded: Record<string, unknown> } } };
  const { cursor, sessionId, ...rest } = payload.data.callEnded;
  if (typeof cursor !== "string" || typeof sessionId !== "string")
    throw new Error(`a delivery lacks its place: ${text}`);
  return JSON.stringify(rest);
}
