// Runs projections over a real database, as one gateway or as several that share it.
import { onTestFinished } from "vitest";
import type { EventLog } from "../../src/events/eventLog.ts";
import { noEventObserver } from "../../src/events/eventObserver.ts";
import { createRecipientProjection, RECIPIENTS } from "../../src/projections/recipientProjection.ts";
import { startProjections, type Projection, type Projections } from "../../src/projections/startProjections.ts";
import type { ProjectionStore } from "../../src/store/projections/projectionStore.ts";
import { createQueryOwner } from "../../src/store/scheduling/queryOwner.ts";
import type { Store } from "../../src/store/store.ts";
import { callEnded, headOf, openLog, signer } from "../events/callEnded.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";

const TIMES = { leaseRetryMs: 10, retryDelaysMs: [2, 5], saveIntervalMs: 0, pauseMs: 1 } as const;

export const recipientRule = (own: Partial<Projection> = {}): Projection => ({
  ...createRecipientProjection({ signer, hangUpOutcomes: [] }),
  ...own,
});

export interface Gateway {
  store: Store;
  log: EventLog;
  projections: Projections;
  /** As a process that ends: nothing is waited for but the statement in flight. */
  stop(): Promise<void>;
}

/** `wrap`: replaces members of the store of projections, such as one that fails. */
export async function startGateway(
  store: Store,
  projection: Projection = recipientRule(),
  wrap: (store: ProjectionStore) => ProjectionStore = (same) => same,
  gatherMs = 5,
): Promise<Gateway> {
  const log = await openLog(store.events);
  // As gateway/createEvents.ts does: the other gateway appends, too.
  const hearing = store.onNotify((through) => void log.refresh(through));
  const { readers, leases } = store;
  const projections = startProjections({
    projections: [projection],
    store: wrap(store.projections),
    events: log,
    readers,
    leases,
    signer,
    observer: noEventObserver,
    log: silentLog,
    times: TIMES,
    intervalMs: 5,
    gatherMs,
  });
  let stopped: Promise<void> | null = null;
  const stop = () =>
    (stopped ??= (async () => {
      await projections[Symbol.asyncDispose]();
      await hearing[Symbol.asyncDispose]();
      await log[Symbol.asyncDispose]();
    })());
  onTestFinished(stop);
  return { store, log, projections, stop };
}

/** Waits until a projection has read the log to its end, and no build is being made or deleted. */
export async function settled(
  { log, projections }: Pick<Gateway, "log" | "projections">,
  name = RECIPIENTS,
): Promise<void> {
  await log.append(callEnded({ sessionId: `end ${performance.now()}`, taskId: null, taskItemId: null }), "WEBHOOK");
  const head = await headOf(log);
  await until(() => projections.waitFor(name, head, 1000));
  await until(async () => (await projections.builds()).every(({ state }) => state === "LIVE"));
}

export interface ShownRecipient {
  taskId: string;
  outcome: string;
  attempts: number;
  talkTime: number;
  firstAt: string;
  lastAt: string;
  lastReason: string | null;
  /** Session IDs, the newest call first. */
  calls: string[];
}

/** Every recipient of these tasks. */
export async function recipientsIn(
  { recipients }: Store,
  taskIds: readonly string[] = ["7", "8"],
): Promise<ShownRecipient[]> {
  const shown: ShownRecipient[] = [];
  for (const taskId of taskIds) {
    const page = { taskId, filter: {}, after: null, limit: 10_000 };
    const { found } = await recipients.page(createQueryOwner("test"), page);
    if (new Set(found.map(({ recipient }) => recipient)).size < found.length) throw new Error("two have the same name");
    for (const one of found) {
      const { recipient: _, lastSession, ...row } = one;
      const calls = await recipients.callsOf(one, 10_000);
      if (calls[0] !== lastSession) throw new Error("the last call is another one");
      shown.push({ ...row, calls });
    }
  }
  // Two first calls may have ended at the same time.
  return shown.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

const placeOf = ({ taskId, firstAt, calls }: ShownRecipient) => JSON.stringify([taskId, firstAt, calls.at(-1)]);
