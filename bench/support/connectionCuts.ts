// Cuts the connections of readers at random while webhooks arrive at two gateways on one PostgreSQL. Each reader resumes at
// either gateway after its last cursor, and must have read the stored log exactly once.
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { startPostgres } from "../../test/support/postgres/postgresServer.ts";
import { until } from "../../test/support/until.ts";
import { subscribe } from "./subscribers.ts";
import { sessionsInPostgres } from "./databases.ts";
import { createDeliverer } from "./deliverer.ts";
import { headCursor, startGateway, type BenchGateway } from "./gateway.ts";
import { countOrderedEvents, sumCounts, type EventCounts } from "./eventCounts.ts";

const READERS = 8;
const CONNECTIONS = 4;
const MAX_CUT_DELAY_MS = 60;
/** Time to receive events that are wrongly sent twice at the end. */
const LINGER_MS = 500;
const TIMEOUT_MS = 60_000;

/** `cuts`: number of cuts of all readers together. They are spread over the writing of `events` events. */
export async function cutReaders(cuts: number, events: number): Promise<EventCounts> {
  await using server = await startPostgres({ fsync: true });
  await using one = await startGateway({ database: server.url });
  await using other = await startGateway({ database: server.url });
  const gateways = [one, other];
  const start = await headCursor(one);
  let cut = 0;
  // A new event is made only after the same share of the cuts, which spreads the cuts evenly.
  let made = 0;
  const deliverer = createDeliverer(async () => {
    if (made === events) return false;
    made += 1;
    const share = (made - 1) / events;
    await until(() => cut / cuts >= share, TIMEOUT_MS);
    return true;
  });
  const onCut = () => (cut += 1) < cuts;
  const reading = Array.from({ length: READERS }, () => createReader(gateways, start));
  const cutting = Promise.all(reading.map((reader) => reader.readWithCuts(onCut)));
  const { signal } = new AbortController();
  await Promise.all(
    gateways.flatMap(({ url }) => Array.from({ length: CONNECTIONS }, () => deliverer.deliver(url, signal))),
  );
  await cutting;
  await deliverer.settle(one.url);
  const stored = await sessionsInPostgres(server.url);
  const counts = await Promise.all(
    reading.map(async (reader) => countOrderedEvents(stored, await reader.readRest(stored.length))),
  );
  for (const gateway of gateways) await gateway.stop();
  if (stored.length !== events) throw new Error(`${events} events were acknowledged, and ${stored.length} are stored`);
  return sumCounts(counts);
}

function createReader(gateways: readonly BenchGateway[], start: string) {
  const sessions: string[] = [];
  let after = start;

  async function open() {
    const gateway = gateways[Math.floor(Math.random() * gateways.length)] as BenchGateway;
    const payload = { query: `subscription ($after: String) { callEnded(after: $after) { cursor sessionId } }` };
    const options = { authorization: gateway.authorization, payload: { ...payload, variables: { after } } };
    return subscribe(gateway.url, options, (message) => {
      const { cursor, sessionId } = callEndedOf(message);
      sessions.push(sessionId);
      after = cursor;
    });
  }
  return {
    /** Reads and cuts its connection at random, until `onCut` returns false. */
    async readWithCuts(onCut: () => boolean): Promise<void> {
      for (let goesOn = true; goesOn; goesOn = onCut()) {
        const socket = await open();
        await setTimeout(Math.random() * MAX_CUT_DELAY_MS);
        socket.terminate();
        // Messages that have already arrived are still received until the close.
        await once(socket, "close");
      }
    },
    /** Reads until it has `count` sessions, or until the timeout. */
    async readRest(count: number): Promise<readonly string[]> {
      const socket = await open();
      await until(() => sessions.length >= count, TIMEOUT_MS).catch(() => undefined);
      await setTimeout(LINGER_MS);
      socket.terminate();
      return sessions;
    },
  };
}

function callEndedOf(message: Buffer): { cursor: string; sessionId: string } {
  const text = message.toString();
  const { payload } = JSON.parse(text) as { payload?: { data?: { callEnded: { cursor: string; sessionId: string } } } };
  if (!payload?.data) throw new Error(`a reader received an unexpected message: ${text}`);
  return payload.data.callEnded;
}
