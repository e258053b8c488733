// Kills a gateway and starts the next one, so that many readers of several viewers reconnect at once from one address.
import { NO_SERVICE, spawnGateway, temporaryDirectory } from "../support/gateway.ts";
import { callEndedEvent } from "../support/events.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { acceptQueueLength } from "./acceptQueue.ts";
import { QUIET } from "./load.ts";
import { openReader } from "./reader.ts";

export interface ReconnectResult {
  /** Milliseconds from the new gateway's start until every reader has received an event. */
  recoveryMs: number;
  sessionIds: readonly (readonly string[])[];
  expected: readonly string[];
  errors: readonly unknown[];
  /** The answers of /readyz and /livez meanwhile; 0 stands for no answer. */
  statuses: ReadonlySet<number>;
  /** The most connections that waited to be accepted in any sample; null if the system has no table of them. */
  longestQueue: number | null;
}

const TIMEOUT_MS = 120_000;
const VIEWERS = 20;
/** All readers reconnect within it: sooner than by the client's default, and not so often that most are refused. */
const WAIT_MS = 2000;

export async function reconnectAll(size: number): Promise<ReconnectResult> {
  await using directory = await temporaryDirectory();
  const viewers = Array.from({ length: VIEWERS }, (_, at) => `viewer-${at}`);
  const keys = await writeKeys(directory.path, Object.fromEntries(viewers.map((name) => [name, ["calls:read"]])));
  const start = () => spawnGateway(NO_SERVICE, { ...QUIET, DATABASE_URL: directory.database, API_KEYS_FILE: keys });
  let gateway = await start();
  await using parts = new AsyncDisposableStack();
  parts.defer(() => gateway[Symbol.asyncDispose]());
  const readers = Array.from({ length: size }, (_, at) =>
    parts.use(
      openReader(() => gateway.url, { authorization: bearer(viewers[at % VIEWERS] as string), maxWaitMs: WAIT_MS }),
    ),
  );
  await Promise.all(readers.map(({ subscribed }) => subscribed));
  const expected: string[] = [];
  const deliver = async () => {
    const event = callEndedEvent();
    if ((await gateway.deliver(event)).status !== 200) throw new Error("a webhook was refused");
    expected.push(String(event.event_data["session_id"]));
    await until(() => readers.every(({ sessionIds }) => sessionIds.length === expected.length), TIMEOUT_MS);
  };
  await deliver();
  gateway.process.kill("SIGKILL");
  await gateway[Symbol.asyncDispose]();
  gateway = await start();
  const began = performance.now();
  const statuses = new Set<number>();
  const pending: Promise<unknown>[] = [];
  const check = async (path: string) => {
    const answer = await fetch(gateway.url + path).catch(() => null);
    statuses.add(answer?.status ?? 0);
    await answer?.text();
  };
  let longestQueue: number | null = null;
  const measure = async () => {
    const waiting = await acceptQueueLength(gateway.url);
    if (waiting !== null) longestQueue = Math.max(longestQueue ?? 0, waiting);
  };
  const sampling = setInterval(() => pending.push(measure(), check("/readyz"), check("/livez")), 50);
  await deliver();
  const recoveryMs = performance.now() - began;
  clearInterval(sampling);
  await Promise.all(pending);
  return {
    recoveryMs,
    expected,
    statuses,
    longestQueue,
    sessionIds: readers.map(({ sessionIds }) => sessionIds),
    errors: readers.flatMap((r) => r.errors),
  };
}
