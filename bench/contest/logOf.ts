// Fills a log with a number of events. Measures how long it takes to read a page in its middle, and to receive the first event
// after a reconnect.
import { fileURLToPath } from "node:url";
import { startProgram, type Environment } from "../../test/support/program.ts";
import type { Cores } from "../support/cores.ts";
import { subscribe } from "../support/subscribers.ts";
import { startGateway, type BenchGateway } from "../support/gateway.ts";

const WRITER = fileURLToPath(new URL("../programs/bulkWriter.ts", import.meta.url));
const TIMES = 20;
const BACK = 100;

/** Appends this number of events as a gateway would. */
export async function seedLog(database: string, name: string, events: number): Promise<void> {
  await using writer = startProgram([WRITER, database, name, String(events)], {});
  const code = await writer.exited;
  if (code !== 0) throw new Error(`the log was not written: ${writer.stderr()}`);
}

interface LogOptions {
  database: string;
  settings: Environment;
  events: number;
  cores: Cores;
}

export async function readLog({ database, settings, events, cores }: LogOptions) {
  await using gateway = await startGateway({ database, settings });
  cores.measured(gateway.pid);
  const newest = await readPage(gateway, `order: NEWEST_FIRST, first: ${BACK}`);
  const behind = newest.at(-1) as string;
  const middle = await walkBack(gateway, behind, events);
  const pageMs: number[] = [];
  const resumeMs: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now();
    await readPage(gateway, `first: 100, after: ${JSON.stringify(middle)}`);
    pageMs.push(performance.now() - began);
    resumeMs.push(await resume(gateway, behind));
  }
  await gateway.stop();
  return { pageMs, resumeMs };
}

/** Half of the log, but at most fifty pages. In a long log this lies beyond the events in memory. */
async function walkBack(gateway: BenchGateway, from: string, events: number): Promise<string> {
  let at = from;
  for (let pages = Math.min(50, Math.floor(events / BACK / 2)); pages > 1; pages -= 1) {
    const cursors = await readPage(gateway, `order: NEWEST_FIRST, first: ${BACK}, after: ${JSON.stringify(at)}`);
    at = cursors.at(-1) ?? at;
  }
  return at;
}

/** The cursors of a page. */
async function readPage({ url, authorization }: BenchGateway, args: string): Promise<string[]> {
  const query = `{ callEndedEvents(${args}) { nodes { cursor sessionId direction endAt } } }`;
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: JSON.stringify({ query }),
  });
  const { data } = (await response.json()) as { data?: { callEndedEvents: { nodes: { cursor: string }[] } } };
  if (!data) throw new Error("the log's page was not answered");
  return data.callEndedEvents.nodes.map(({ cursor }) => cursor);
}

/** The time until the first event, including the connection. */
async function resume({ url, authorization }: BenchGateway, after: string): Promise<number> {
  const query = "subscription ($after: String) { callEnded(after: $after) { cursor sessionId } }";
  const first = Promise.withResolvers<void>();
  const began = performance.now();
  const socket = await subscribe(url, { authorization, payload: { query, variables: { after } } }, () =>
    first.resolve(),
  );
  await first.promise;
  const took = performance.now() - began;
  socket.terminate();
  return took;
}
