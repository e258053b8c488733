// A gateway that is gone in one moment and back in the next, with many readers that all come back at once.
import { startGateway, temporaryDirectory } from "../support/gateway.ts";
import { callEndedEvent } from "../support/events.ts";
import { until } from "../support/until.ts";
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
}

const PATIENCE_MS = 120_000;

export async function reconnectAll(size: number): Promise<Storm> {
  await using directory = await temporaryDirectory();
  const start = () => startGateway(NO_SERVICE, { ...QUIET, DATABASE_URL: directory.database });
  let gateway = await start();
  await using parts = new AsyncDisposableStack();
  parts.defer(() => gateway[Symbol.asyncDispose]());
  const readers = Array.from({ length: size }, () => parts.use(openReader(() => gateway.url)));
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
  const asking = setInterval(() => asked.push(look("/readyz"), look("/livez")), 50);
  await deliver();
  const backMs = performance.now() - began;
  clearInterval(asking);
  await Promise.all(asked);
  return {
    backMs,
    expected,
    statuses,
    told: readers.map(({ told }) => told),
    errors: readers.flatMap((r) => r.errors),
  };
}
