// Measures the time from sending a webhook to its arrival at every subscriber. The baseline is a bare server that stores the
// webhook and sends one text to all. At the end, every subscriber must have received each event once and in order.
import { join } from "node:path";
import { temporaryDirectory } from "../test/support/gateway.ts";
import { openSubscribers, type Subscribers } from "./support/subscribers.ts";
import { compare, type Sample, type Target } from "./support/compare.ts";
import { profileOptions, type Effort } from "./support/effort.ts";
import { percentile } from "./support/statistics.ts";
import { headCursor, startGateway } from "./support/gateway.ts";
import { openConnection, type Connection } from "./support/connection.ts";
import { startBare, type Metered } from "./support/metered.ts";
import { createWebhooks, type Webhooks } from "./support/webhooks.ts";

/** Selects all fields that the baseline sends, about 660 bytes. */
export const SUBSCRIPTION = `subscription ($after: String) {
  callEnded(after: $after) {
    cursor sessionId eventName direction caller callee startAt answerAt endAt duration billsec answered ringTime hungUpBy
    hangupReason taskId taskItemId assistants { assistantId versionId } extra
  }
}`;

const CONNECTIONS = 8;
/** One viewer may hold a thousand sockets, so 5,000 subscribers need several. */
const CALLERS = 10;

export async function benchLive(effort: Effort): Promise<void> {
  const { rounds, events } = effort;
  await using directory = await temporaryDirectory();
  for (const size of [1, 100, 1000, 5000]) {
    // Each size has new processes, so that no cleanup of earlier subscribers is measured.
    await using gateway = await startGateway({ nodeOptions: profileOptions(effort, `live-${size}`), clients: CALLERS });
    await using floor = await startBare("broadcaster", [`file:${join(directory.path, `floor-${size}.db`)}`]);
    const count = size >= 1000 ? Math.ceil((events * 500) / size) : events * (size === 1 ? 4 : 1);
    const stages = [
      await openStage(gateway, size, { after: await headCursor(gateway) }, gateway.clients),
      await openStage(floor, size, {}, []),
    ];
    const targets = ["gateway", "floor"].map((name, at) => targetOf(name, stages[at] as Stage, count));
    await compare(`${size} subscribers, ${count} events`, targets, rounds);
    for (const { group, webhooks } of stages) {
      group.check(webhooks.sent);
      group.close();
    }
    await gateway.stop();
  }
  console.log("  Every subscriber got each event once, and all in the same order.");
}

interface Stage {
  program: Metered;
  group: Subscribers;
  size: number;
  /** Memory that each subscriber adds to the program, including garbage from connecting. */
  idleKib: number;
  webhooks: Webhooks;
}

async function openStage(
  program: Metered,
  size: number,
  variables: object,
  authorizations: readonly string[],
): Promise<Stage> {
  const payload = { query: SUBSCRIPTION, variables };
  const before = await program.meter();
  const group = await openSubscribers(program.url, { size, authorizations, payload });
  const after = await program.meter();
  const idleKib = ((after.memoryMb - before.memoryMb) * 1024) / size;
  return { idleKib, program, group, size, webhooks: createWebhooks() };
}

function targetOf(name: string, stage: Stage, events: number): Target {
  return {
    name,
    async run() {
      // Each round opens new connections, because a server closes connections that idle while the other target runs.
      const connections = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => openConnection(stage.program.url)),
      );
      await stage.program.meter();
      const oneByOne = await sendOneByOne(stage, connections[0] as Connection, events);
      const atOnce = await sendAtOnce(stage, connections, events);
      for (const connection of connections) connection.close();
      const { cpuMs, delayP99Ms, latestTurnMs, memoryMb } = await stage.program.meter();
      return {
        ...oneByOne,
        ...atOnce,
        "processor time, µs/delivery": (cpuMs * 1000) / (2 * events * stage.size),
        "event-loop delay, p99, ms": delayP99Ms,
        "event loop held, at most, ms": latestTurnMs,
        "memory, MB": memoryMb,
        ...(stage.size < 1000 ? {} : { "an idle subscriber, KiB": stage.idleKib }),
      };
    },
  };
}

/** Sends the next event when every subscriber has received the previous one. */
async function sendOneByOne({ group, webhooks }: Stage, connection: Connection, events: number): Promise<Sample> {
  const took: number[] = [];
  const last: number[] = [];
  const acknowledged: number[] = [];
  for (let sent = 0; sent < events; sent += 1) {
    const began = performance.now();
    const acknowledge = post(connection, webhooks).then(() => acknowledged.push(performance.now() - began));
    const [arrived] = await Promise.all([group.receive(1), acknowledge]);
    took.push(...arrived.map((at) => at - began));
    last.push((arrived.at(-1) ?? Number.NaN) - began);
  }
  for (const times of [took, last, acknowledged]) times.sort((a, b) => a - b);
  return {
    "one by one: p50, ms": percentile(took, 50),
    "one by one: p99, ms": percentile(took, 99),
    "one by one: the last subscriber, p50, ms": percentile(last, 50),
    "one by one: the webhook's 200, p50, ms": percentile(acknowledged, 50),
  };
}

async function sendAtOnce(
  { group, webhooks, size }: Stage,
  connections: readonly Connection[],
  events: number,
): Promise<Sample> {
  let left = events;
  const began = performance.now();
  const sendAll = connections.map(async (connection) => {
    while (left-- > 0) await post(connection, webhooks);
  });
  const [arrived] = await Promise.all([group.receive(events), ...sendAll]);
  const seconds = ((arrived.at(-1) ?? Number.NaN) - began) / 1000;
  return { [`${CONNECTIONS} senders: deliveries/s`]: (events * size) / seconds };
}

async function post(connection: Connection, webhooks: Webhooks): Promise<void> {
  const { status } = await connection.send(webhooks.next());
  if (status !== 200) throw new Error(`a webhook was answered ${status}`);
}
