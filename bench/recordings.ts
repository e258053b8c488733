// Measures recordings archived per second, and the gateway's memory while many recordings are downloaded and played at once.
// At the end every recording must be complete.
import { WEBHOOK_AUTHORIZATION } from "../test/support/sandbox.ts";
import { callEndedEvent } from "../test/support/events.ts";
import { until } from "../test/support/until.ts";
import type { Effort } from "./support/effort.ts";
import { startGateway, type BenchGateway } from "./support/gateway.ts";
import { watchMemory } from "./support/memory.ts";
import { startBare, type Metered } from "./support/metered.ts";

const MB = 1024 * 1024;
const LARGE = 10 * MB;

export async function benchRecordings({ downloads, playbacks, recordings }: Effort): Promise<void> {
  await using sounds = await startBare("sounds");
  await using gateway = await startGateway({
    recordingHosts: new URL(sounds.url).host,
    scopes: ["calls:read", "people:read", "recordings:read", "admin"],
  });
  console.log("\nrecordings, from the webhook's answer to the file on disk");
  const small = await archive(gateway, sounds, { name: "small", count: recordings });
  console.log(`  ${recordings} of 64 kB: ${(recordings / small.seconds).toFixed(0)} archived/s`);

  const idle = (await gateway.meter()).memoryMb;
  const stop = new AbortController();
  const peak = watchMemory(gateway, stop.signal);
  const archiving = archive(gateway, sounds, { name: "large", count: downloads });
  const first = await until(() => addressOf(gateway, "large"));
  const began = performance.now();
  const playing = Promise.all(Array.from({ length: playbacks }, () => play(gateway, first)));
  const [large] = await Promise.all([archiving, playing]);
  const seconds = (performance.now() - began) / 1000;
  stop.abort();
  console.log(
    `  ${downloads} of 10 MB: ${(downloads / large.seconds).toFixed(1)} archived/s, ${((downloads * 10) / large.seconds).toFixed(0)} MB/s`,
  );
  console.log(`  while ${playbacks} playbacks of 10 MB ran: ${((playbacks * 10) / seconds).toFixed(0)} MB/s heard`);
  console.log(`  memory of the gateway: ${idle.toFixed(0)} MB before, ${(await peak).toFixed(0)} MB at most`);
  await gateway.stop();
}

async function archive(
  gateway: BenchGateway,
  sounds: Metered,
  { name, count }: { name: string; count: number },
): Promise<{ seconds: number }> {
  const { archived: before } = await counts(gateway);
  const began = performance.now();
  const numbers = Array.from({ length: count }, (_, at) => at);
  await Promise.all(
    numbers.map(async (number) => {
      const event = callEndedEvent({
        session_id: `${name}-${number}`,
        record_url: `${sounds.url}/${name}/${number}.wav`,
      });
      const response = await fetch(`${gateway.url}/calllog`, {
        method: "POST",
        headers: { authorization: WEBHOOK_AUTHORIZATION },
        body: JSON.stringify(event),
      });
      if (response.status !== 200) throw new Error(`the webhook was answered ${response.status}`);
    }),
  );
  await until(async () => {
    const { archived, lost } = await counts(gateway);
    if (lost > 0) throw new Error(`${lost} recordings were lost`);
    return archived === before + count;
  }, 300_000);
  return { seconds: (performance.now() - began) / 1000 };
}

async function ask<T>(gateway: BenchGateway, query: string): Promise<T> {
  const response = await fetch(`${gateway.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: gateway.authorization },
    body: JSON.stringify({ query }),
  });
  return ((await response.json()) as { data: T }).data;
}

async function counts(gateway: BenchGateway): Promise<{ archived: number; lost: number }> {
  const answer = await ask<{ gateway: { recordings: { archived: number; lost: number } } }>(
    gateway,
    "{ gateway { recordings { archived lost } } }",
  );
  return answer.gateway.recordings;
}

/** The address of a recording whose name begins so, as soon as it is archived. */
async function addressOf(gateway: BenchGateway, name: string): Promise<string | null> {
  type Event = { sessionId: string; recording: { url: string | null } | null };
  const { callEndedEvents } = await ask<{ callEndedEvents: { nodes: Event[] } }>(
    gateway,
    "{ callEndedEvents(first: 100, order: NEWEST_FIRST) { nodes { sessionId recording { url } } } }",
  );
  const found = callEndedEvents.nodes.find(({ sessionId, recording }) => sessionId.startsWith(name) && recording?.url);
  return found?.recording?.url ?? null;
}

async function play(gateway: BenchGateway, address: string): Promise<void> {
  const response = await fetch(new URL(address, gateway.url));
  let bytes = 0;
  for await (const piece of response.body ?? []) bytes += piece.length;
  if (bytes !== LARGE) throw new Error(`${bytes} bytes were heard of ${LARGE}`);
}
