// Sends more webhooks at once than may wait for a slow disk. Checks that the surplus is refused with 503, that memory stays
// bounded, and that every acknowledged webhook is in the log.
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { openFiles } from "./support/databases.ts";
import type { Effort } from "./support/effort.ts";
import { startGateway } from "./support/gateway.ts";
import { watchMemory } from "./support/memory.ts";
import { createWebhooks } from "./support/webhooks.ts";

const PROGRAM = fileURLToPath(new URL("programs/slowGateway.ts", import.meta.url));
const CONNECTIONS = 500;
const COMMIT_MS = 250;
/** The memory that 20,000 waiting webhooks of half a kilobyte may take, with their requests and sockets. */
const MAX_MB = 600;

export async function benchBurst({ burst }: Effort): Promise<void> {
  await using files = await openFiles();
  const database = await files.create("burst");
  await using gateway = await startGateway({ database, program: [PROGRAM, String(COMMIT_MS)] });
  console.log(`\nburst: ${burst} webhooks at once on ${CONNECTIONS} connections, ${COMMIT_MS} ms for each commit`);

  const idle = (await gateway.meter()).memoryMb;
  const stop = new AbortController();
  const peak = watchMemory(gateway, stop.signal);
  const began = performance.now();
  const webhooks = createWebhooks();
  const answers = await Promise.all(
    Array.from({ length: CONNECTIONS }, () =>
      sendAll(gateway.url, Array.from({ length: burst / CONNECTIONS }, webhooks.next)),
    ),
  );
  const seconds = (performance.now() - began) / 1000;
  stop.abort();
  const most = await peak;
  const kept = answers.flat().filter((status) => status === 200).length;
  const refused = answers.flat().filter((status) => status === 503).length;
  await gateway.stop();
  const found = (await files.sessionsIn(database)).length;
  console.log(`  acknowledged ${kept}, refused with 503 ${refused}, after ${seconds.toFixed(1)} s all were answered`);
  console.log(`  memory of the gateway: ${idle.toFixed(0)} MB before, ${most.toFixed(0)} MB at most`);
  if (found !== kept || kept + refused !== burst)
    throw new Error(`of ${burst}, ${kept} were kept and ${found} are there`);
  if (most - idle > MAX_MB) throw new Error(`a burst took ${(most - idle).toFixed(0)} MB`);
}

/** Pipelines the requests on one connection. Returns the status of each. */
async function sendAll(url: string, requests: readonly Buffer[]): Promise<number[]> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, "connect");
  socket.write(Buffer.concat(requests));
  let text = "";
  while (countOf(text) < requests.length) {
    const [piece] = (await once(socket, "data")) as [Buffer];
    text += piece.toString("latin1");
  }
  socket.destroy();
  return [...text.matchAll(STATUS)].map(([, status]) => Number(status));
}

const STATUS = /HTTP\/1\.1 (\d{3})/g;

/** Counts the answers that have begun. */
function countOf(text: string): number {
  return text.split("HTTP/1.1 ").length - 1;
}
