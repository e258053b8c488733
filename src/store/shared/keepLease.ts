// Work that one of many gateways does at a time, for as long as the gateway runs: the others wait for their turn.
import { startRepeating } from "../../util/startRepeating.ts";
import type { LeaseStore } from "./leaseStore.ts";

export interface LeasedWork {
  /** The lease's name. */
  name: string;
  /** Ends with its signal: the gateway stops, or the lease is lost. Where it ends before, it begins anew after the pause. */
  work: (signal: AbortSignal) => Promise<void>;
  /** Between two requests for the lease, also after the work failed. */
  pauseMs: number;
  /** Told what the work throws, and STORE_UNAVAILABLE where the lease cannot be asked for. Not after the gateway was stopped. */
  failed: (err: unknown) => void;
}

/** Disposing it aborts the work's signal, and waits for the work. */
export const keepLease = (leases: LeaseStore, { name, work, pauseMs, failed }: LeasedWork): AsyncDisposable =>
  startRepeating(async (signal) => {
    await leases.withLease(name, signal, work).catch((err: unknown) => {
      if (!signal.aborted) failed(err);
    });
    return pauseMs;
  });
