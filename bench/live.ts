// Measures the time from sending a webhook to its arrival at every subscriber. The baseline is a bare server that stores the
// webhook and sends one text to all. At the end, every subscriber must have received each event once and in order.
import { join } from "node:path";
import { temporaryDirectory } from "../test/support/gateway.ts";
import { openAudience, type Audience } from "./support/audience.ts";
import { compare, type Sample, type Target } from "./support/compare.ts";
import { profiled, type Extent } from "./support/extent.ts";
import { percentile } from "./support/figures.ts";
import { headCursor, startGateway } from "./support/gateway.ts";
import { openLine, type Line } from "./support/line.ts";
import { startBare, type Metered } from "./support/metered.ts";
import { createWebhooks, type Webhooks } from "./support/webhooks.ts";

/** All that the floor tells: about 660 bytes. */
export const SUBSCRIPTION = `subscription ($after: String) {
  callEnded(after: $after) {
    cursor sessionId eventName direction caller callee startAt answerAt endAt duration billsec answered ringTime hungUpBy
    hangupReason taskId taskItemId assistants { assistantId versionId } extra
  }
}`;

const LINES = 8;
/** One viewer may hold a thousand sockets. */
const CALLERS = 10;

export async function benchLive(extent: Extent): Promise<void> {
  const { rounds, events } = extent;
  await using directory = await temporaryDirectory();
  for (const size of [1, 100, 1000, 5000]) {
    // Both are new for each size: nothing that ended before is left to be cleaned up while it is measured.
    await using gateway = await startGateway({ nodeOptions: profiled(extent, `live-${size}`), clients: CALLERS });
    await using floor = await startBare("broadcaster", [`file:${join(directory.path, `floor-${size}.db`)}`]);
    const count = size >= 1000 ? Math.ceil((events * 500) / size) : events * (size === 1 ? 4 : 1);
    const stages = [
      await openStage(gateway, size, { after: await headCursor(gateway) }, gateway.clients),
      await openStage(floor, size, {}, []),
    ];
    const targets = ["gateway", "floor"].map((name, at) => targetOf(name, stages[at] as Stage, count));
    await compare(`${size} subscribers, ${count} events`, targets, rounds);
    for (const { audience, webhooks } of stages) {
      audience.check(webhooks.sent);
      audience.close();
    }
    await gateway.stop();
  }
  console.log("  Every subscriber got each event once, and all in the same order.");
}

interface Stage {
  program: Metered;
  audience: Audience;
  size: number;
  /** What each subscriber added to the program's memory, garbage of their coming included. */
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
  const audience = await openAudience(program.url, { size, authorizations, payload });
  const after = await program.meter();
  const idleKib = ((after.memoryMb - before.memoryMb) * 1024) / size;
  return { idleKib, program, audience, size, webhooks: createWebhooks() };
}

function targetOf(name: string, stage: Stage, events: number): Target {
  return {
    name,
    async run() {
      // New ones each round: a server closes a connection that idles while the others have their turn.
      const lines = await Promise.all(Array.from({ length: LINES }, () => openLine(stage.program.url)));
      await stage.program.meter();
      const oneByOne = await sendOneByOne(stage, lines[0] as Line, events);
      const atOnce = await sendAtOnce(stage, lines, events);
      for (const line of lines) line.close();
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

/** The next one is sent when the last subscriber has the one before. */
async function sendOneByOne({ audience, webhooks }: Stage, line: Line, events: number): Promise<Sample> {
  const took: number[] = [];
  const last: number[] = [];
  const acknowledged: number[] = [];
  for (let sent = 0; sent < events; sent += 1) {
    const began = performance.now();
    const acknowledge = post(line, webhooks).then(() => acknowledged.push(performance.now() - began));
    const [arrived] = await Promise.all([audience.receive(1), acknowledge]);
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
  { audience, webhooks, size }: Stage,
  lines: readonly Line[],
  events: number,
): Promise<Sample> {
  let left = events;
  const began = performance.now();
  const sendAll = lines.map(async (line) => {
    while (left-- > 0) await post(line, webhooks);
  });
  const [arrived] = await Promise.all([audience.receive(events), ...sendAll]);
  const seconds = ((arrived.at(-1) ?? Number.NaN) - began) / 1000;
  return { [`${LINES} senders: deliveries/s`]: (events * size) / seconds };
}

async function post(line: Line, webhooks: Webhooks): Promise<void> {
  const { status } = await line.ask(webhooks.next());
  if (status !== 200) throw new Error(`a webhook was answered ${status}`);
}
