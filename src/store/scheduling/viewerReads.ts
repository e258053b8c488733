// The reads of viewers: they start in the viewers' turns, and their results are delivered in slices of the event loop.
import type { Kysely } from "kysely";
import type { TimeSlices } from "../../util/timeSlices.ts";
import type { Tables } from "../tables.ts";
import { createFairQueue } from "./fairQueue.ts";
import type { QueryOwner } from "./queryOwner.ts";
import type { ScanConnections } from "./scanConnections.ts";

/**
 * `key` identifies equal reads. Rejects as the query does, as soon as the owner leaves, and with RATE_LIMITED if too many reads
 * of its viewer wait.
 */
export type Read = <T>(queryOwner: QueryOwner, key: readonly unknown[], query: () => Promise<T>) => Promise<T>;

export type Scan = <T>(
  queryOwner: QueryOwner,
  key: readonly unknown[],
  query: (db: Kysely<Tables>) => Promise<T>,
) => Promise<T>;

/** Scans of one viewer that may wait, and other reads. */
const MAX_WAITING = 1000;

/** The gateway's slices, which pace all work of viewers. */
export type ReadSlices = Pick<TimeSlices, "waitForSlice">;

/** Processing a result takes milliseconds, and a thousand readers may get the same one at the same time: hence the slices. */
export function createViewerReads(
  connections: ScanConnections,
  slices: ReadSlices,
  { scans, reads, replays }: Record<"scans" | "reads" | "replays", number>,
) {
  const queue = createFairQueue({ concurrency: scans, maxWaiting: MAX_WAITING });
  const deliver = async <T>({ name, signal }: QueryOwner, result: Promise<T>): Promise<T> => {
    const value = await result;
    const turn = slices.waitForSlice(name);
    if (turn) await turn;
    signal.throwIfAborted();
    return value;
  };
  const scan: Scan = (queryOwner, key, query) =>
    deliver(
      queryOwner,
      queue.run(queryOwner, JSON.stringify(key), (signal) => connections.run(query, signal)),
    );
  const createRead = (concurrency: number, maxWaiting: number): Read => {
    const { run } = createFairQueue({ concurrency, maxWaiting });
    return (queryOwner, key, query) => deliver(queryOwner, run(queryOwner, JSON.stringify(key), query));
  };
  return {
    scan,
    scanGuard: connections.scanGuard,
    read: createRead(reads, MAX_WAITING),
    replay: createRead(replays, Infinity),
  };
}
