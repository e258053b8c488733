// Measures a commit to the log on PostgreSQL while nothing else runs: its time by the size of the group and by the number of other
// listeners, and its round trips. A commit holds the log's lock for nearly all of this time.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { Client } from "pg";
import { openEventLog } from "../../src/events/eventLog.ts";
import { openStore } from "../../src/store/store.ts";
import { createSigner } from "../../src/util/hmac.ts";
import { openClient } from "../../test/support/postgres/connections.ts";
import { silentLog } from "../../test/support/silentLog.ts";
import { callEnded } from "../support/callEnded.ts";
import { percentile } from "../support/statistics.ts";
import type { MeteredPostgres } from "./postgresMeter.ts";

const GROUPS = [1, 8, 64, 500];
/** Gateways that listen beside the one that writes. */
const LISTENERS = [2, 10, 50];
const LISTENED_GROUP = 64;
const COUNTED_COMMITS = 100;
const CHANNEL = "switchboard_events";

export interface QuietCommit {
  /** Events in the group. */
  events: number;
  /** Connections that listen, apart from the writer's own. */
  listeners: number;
  /** Median time of a commit. */
  ms: number;
  /** Mean processor time of PostgreSQL for a commit, in µs. */
  databaseMicros: number;
}

export interface QuietCommits {
  commits: readonly QuietCommit[];
  /** The round trips of a commit of one event. */
  roundTrips: number;
}

/** Each measurement takes `ms`. */
export async function measureQuietCommits(postgres: MeteredPostgres, ms: number): Promise<QuietCommits> {
  await using log = await openCommits(postgres.url);
  const open: Client[] = [];
  const measure = async (events: number): Promise<QuietCommit> => {
    const took: number[] = [];
    await postgres.meter();
    for (const end = performance.now() + ms; performance.now() < end;) {
      const began = performance.now();
      await log.commit(events);
      took.push(performance.now() - began);
    }
    const { cpuMs } = await postgres.meter();
    took.sort((a, b) => a - b);
    const databaseMicros = (cpuMs * 1000) / took.length;
    return { events, listeners: open.length, ms: percentile(took, 50), databaseMicros };
  };
  // Warms up both sides.
  await measure(LISTENED_GROUP);
  const commits: QuietCommit[] = [];
  for (const size of GROUPS) commits.push(await measure(size));
  for (const count of LISTENERS) {
    while (open.length < count) open.push(await listen(postgres.url));
    commits.push(await measure(LISTENED_GROUP));
  }
  await Promise.all(open.map((client) => client.end()));
  return { commits, roundTrips: await countRoundTrips(postgres.url) };
}

/** The round trips of a commit of one event. */
export async function countRoundTrips(url: string): Promise<number> {
  await using proxy = await startCountingProxy(url);
  await using log = await openCommits(proxy.url);
  await log.commit(1);
  const before = proxy.roundTrips();
  for (let at = 0; at < COUNTED_COMMITS; at += 1) await log.commit(1);
  return (proxy.roundTrips() - before) / COUNTED_COMMITS;
}

/** Opens the log on an empty or known database. */
export async function openCommits(url: string) {
  await using parts = new AsyncDisposableStack();
  const store = parts.use(await openStore({ url, log: silentLog }));
  const signer = createSigner(store.signingKey);
  const options = { store: store.events, signer, clock: Date.now, checkpointMs: 60_000, log: silentLog };
  const log = parts.use(await openEventLog(options));
  const running = parts.move();
  return {
    /** Appends events of new calls at the same time, which the log commits together. */
    async commit(size: number): Promise<void> {
      const calls = Array.from({ length: size }, () => callEnded(`quiet ${randomUUID()}`));
      await Promise.all(calls.map((call) => log.append(call, "WEBHOOK")));
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function listen(url: string): Promise<Client> {
  const client = await openClient({ connectionString: url });
  await client.query(`listen ${CHANNEL}`);
  return client;
}

/** Passes on what a PostgreSQL client and its server say. A round trip ends where the server answers after the client spoke. */
async function startCountingProxy(url: string) {
  const target = new URL(url);
  let roundTrips = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: target.hostname, port: Number(target.port), noDelay: true });
    let isAsked = false;
    client.setNoDelay(true);
    client.on("data", (bytes) => {
      isAsked = true;
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (isAsked) roundTrips += 1;
      isAsked = false;
      client.write(bytes);
    });
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => other.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { port: String(port) }).href,
    roundTrips: () => roundTrips,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
