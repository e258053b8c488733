import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { EventLog } from "../../../src/events/eventLog.ts";
import { callEnded, headOf, tempLog } from "../../events/callEnded.ts";
import { until } from "../../support/until.ts";
import { pipeline } from "../pipeline.ts";
import { openAcknowledged, serveSockets } from "../../websocket/serveSockets.ts";

const TOGETHER = 500;
/** Events after which the replay cache is full and the code is compiled. */
const FIRST = 10_000;
const MORE = 20_000;
/** Generous, and still less than a map entry for each event. */
const MOST_BYTES = 32 * MORE;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heapUsed(): number {
  for (let times = 0; times < 3; times += 1) collect();
  return process.memoryUsage().heapUsed;
}

async function appendMany(events: EventLog, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += TOGETHER) {
    const ids = Array.from({ length: Math.min(TOGETHER, to - at) }, (_, one) => `session-${at + one}`);
    await Promise.all(ids.map((sessionId) => events.append(callEnded({ sessionId }), "WEBHOOK")));
  }
}

async function serve() {
  const events = await tempLog();
  const made = pipeline({ own: { events } });
  return { events, made, ...(await serveSockets({ pipeline: made })) };
}

/** Counts messages and keeps none of them. */
async function listen(url: string, query: string, after: string) {
  const socket = await openAcknowledged(url);
  const state = { received: 0 };
  socket.on("message", () => (state.received += 1));
  socket.send(JSON.stringify({ id: "1", type: "subscribe", payload: { query, variables: { after } } }));
  return { socket, state };
}

describe("the memory of subscriptions", () => {
  it("does not grow with 20,000 events, and is freed with the subscribers", async () => {
    const { events, made, sockets, url } = await serve();
    const start = await headOf(events);
    const alike = "subscription($after: String) { callEnded(after: $after) { sessionId cursor } }";
    // A root field in a fragment is not shared.
    const alone =
      "subscription($after: String) { ...F } fragment F on Subscription { callEnded(after: $after) { sessionId } }";
    const readers = await Promise.all([alike, alike, alone].map((query) => listen(url, query, start)));
    await appendMany(events, 0, FIRST);
    await until(() => readers.every(({ state }) => state.received === FIRST));
    expect(made.groups.running()).toBe(1);
    made.contexts.length = 0;
    const before = heapUsed();
    await appendMany(events, FIRST, FIRST + MORE);
    await until(() => readers.every(({ state }) => state.received === FIRST + MORE));
    // The list of executions belongs to the test.
    made.contexts.length = 0;
    expect(heapUsed() - before).toBeLessThan(MOST_BYTES);
    expect([made.groups.running(), made.subscribers.running(), sockets.size()]).toEqual([1, 3, 3]);
    for (const { socket } of readers) socket.terminate();
    await until(() => made.groups.running() + made.subscribers.running() + sockets.size() === 0);
  });
});
