// Cuts the connections of readers at random while webhooks arrive at two gateways on one PostgreSQL. Each reader resumes at
// either gateway after its last cursor, and must have read the stored log exactly once.
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { startPostgres } from "../../test/support/postgresServer.ts";
import { until } from "../../test/support/until.ts";
import { subscribe } from "./audience.ts";
import { sessionsInPostgres } from "./databases.ts";
import { createDeliverer } from "./deliverer.ts";
import { headCursor, startGateway, type BenchGateway } from "./gateway.ts";
import { orderedTallyOf, sumOf, type Tally } from "./tally.ts";

const READERS = 8;
const CONNECTIONS = 4;
const CUT_WITHIN_MS = 60;
/** A repeat at the end would come late. */
const LINGER_MS = 500;
const PATIENCE_MS = 60_000;

/** So many cuts of all readers together, spread over the writing of so many events. */
export async function cutReaders(cuts: number, events: number): Promise<Tally> {
  await using server = await startPostgres({ fsync: true });
  await using one = await startGateway({ database: server.url });
  await using other = await startGateway({ database: server.url });
  const gateways = [one, other];
  const start = await headCursor(one);
  let cut = 0;
  // A new event waits until as large a share of the cuts was made.
  let made = 0;
  const deliverer = createDeliverer(async () => {
    if (made === events) return false;
    made += 1;
    const share = (made - 1) / events;
    await until(() => cut / cuts >= share, PATIENCE_MS);
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
  const tallies = await Promise.all(
    reading.map(async (reader) => orderedTallyOf(stored, await reader.readRest(stored.length))),
  );
  for (const gateway of gateways) await gateway.stop();
  if (stored.length !== events) throw new Error(`${events} events were acknowledged, and ${stored.length} are stored`);
  return sumOf(tallies);
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
    /** Until `onCut` says that it was the last one. */
    async readWithCuts(onCut: () => boolean): Promise<void> {
      for (let goesOn = true; goesOn; goesOn = onCut()) {
        const socket = await open();
        await setTimeout(Math.random() * CUT_WITHIN_MS);
        socket.terminate();
        // What had come already is still told until then.
        await once(socket, "close");
      }
    },
    /** Until it has so many, or no more come. */
    async readRest(count: number): Promise<readonly string[]> {
      const socket = await open();
      await until(() => sessions.length >= count, PATIENCE_MS).catch(() => undefined);
      await setTimeout(LINGER_MS);
      socket.terminate();
      return sessions;
    },
  };
}

function callEndedOf(message: Buffer): { cursor: string; sessionId: string } {
  const text = message.toString();
  const { payload } = JSON.parse(text) as { payload?: { data?: { callEnded: { cursor: string; sessionId: string } } } };
  if (!payload?.data) throw new Error(`a reader was told ${text}`);
  return payload.data.callEnded;
}
