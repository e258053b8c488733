// A gateway that is gone in one moment and back in the next, with many readers of many viewers that all come back at once,
// from one address, as an office's do.
import { startGateway, temporaryDirectory } from "../support/gateway.ts";
import { callEndedEvent } from "../support/events.ts";
import { bearer, writeKeys } from "../support/keys.ts";
import { until } from "../support/until.ts";
import { acceptQueueOf } from "./acceptQueue.ts";
import { NO_SERVICE, QUIET } from "./load.ts";
import { openReader } from "./reader.ts";

export interface Storm {
  /** From the new gateway's start until every reader was told of an event again. */
  backMs: number;
  told: readonly (readonly string[])[];
  expected: readonly string[];
  errors: readonly unknown[];
  /** Of /readyz and /livez while they came; 0: no answer. */
  statuses: ReadonlySet<number>;
  /** Connections that waited to be taken, at most, as often as it was looked; null where the system does not tell. */
  longestQueue: number | null;
}

const PATIENCE_MS = 120_000;
const VIEWERS = 20;
/** All come back within it: sooner than the client would by itself, and not so often that only refusals are measured. */
const WAIT_MS = 2000;

export async function reconnectAll(size: number): Promise<Storm> {
  await using directory = await temporaryDirectory();
  const viewers = Array.from({ length: VIEWERS }, (_, at) => `viewer-${at}`);
  const keys = await writeKeys(directory.path, Object.fromEntries(viewers.map((name) => [name, ["calls:read"]])));
  const start = () => startGateway(NO_SERVICE, { ...QUIET, DATABASE_URL: directory.database, API_KEYS_FILE: keys });
  let gateway = await start();
  await using parts = new AsyncDisposableStack();
  parts.defer(() => gateway[Symbol.asyncDispose]());
  const readers = Array.from({ length: size }, (_, at) =>
    parts.use(
      openReader(() => gateway.url, { authorization: bearer(viewers[at % VIEWERS] as string), mostWaitMs: WAIT_MS }),
    ),
  );
  await Promise.all(readers.map(({ standing }) => standing));
  const expected: string[] = [];
  const deliver = async () => {
    const event = callEndedEvent();
    if ((await gateway.deliver(event)).status !== 200) throw new Error("a webhook was refused");
    expected.push(String(event.event_data["session_id"]));
    await until(() => readers.every(({ told }) => told.length === expected.length), PATIENCE_MS);
  };
  await deliver();
  gateway.process.kill("SIGKILL");
  await gateway[Symbol.asyncDispose]();
  gateway = await start();
  const began = performance.now();
  const statuses = new Set<number>();
  const asked: Promise<unknown>[] = [];
  const look = async (path: string) => {
    const answer = await fetch(gateway.url + path).catch(() => null);
    statuses.add(answer?.status ?? 0);
    await answer?.text();
  };
  let longestQueue: number | null = null;
  const measure = async () => {
    const waiting = await acceptQueueOf(gateway.url);
    if (waiting !== null) longestQueue = Math.max(longestQueue ?? 0, waiting);
  };
  const asking = setInterval(() => asked.push(measure(), look("/readyz"), look("/livez")), 50);
  await deliver();
  const backMs = performance.now() - began;
  clearInterval(asking);
  await Promise.all(asked);
  return {
    backMs,
    expected,
    statuses,
    longestQueue,
    told: readers.map(({ told }) => told),
    errors: readers.flatMap((r) => r.errors),
  };
}
