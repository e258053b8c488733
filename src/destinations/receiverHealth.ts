// How a receiver fares: whether something may be sent to it now, and since when it has taken nothing.
import { epochMsOf } from "../format/instant.ts";
import type { DestinationState, KeptHealth } from "../store/destinations/destinationStore.ts";
import { DAY_MS } from "../util/durations.ts";
import { rest } from "../util/startRepeating.ts";
import { isOver, retryDelayMs, type Retries } from "./retries.ts";

export interface ReceiverHealth {
  /** Resolves when something may be sent, or the signal aborts. */
  ready(signal: AbortSignal): Promise<void>;
  isReady(): boolean;
  /** So many first attempts failed in a row that the receiver seems to be away. */
  isAway(): boolean;
  succeeded(): void;
  /**
   * Notes that an event was not taken at its first attempts, at that instant. True: it is the first one in a row. Nothing is sent before the time
   * for which the receiver asked, whatever succeeds meanwhile.
   */
  failed(at: string, retryAfterMs: number | null): boolean;
  /** Notes that the gateway itself could not make up an event. It says nothing of the receiver. */
  hindered(retryAfterMs: number | null): void;
  /** Nothing was taken for so long, and in so many attempts, that none is made by itself any more. */
  isHopeless(): boolean;
  kept(): KeptHealth;
}

export interface HealthOptions {
  retries: Retries;
  awayAfter: number;
}

/** Longer than any wait between two attempts, forwards or backwards: the gateway was stopped, or its clock is or was wrong. */
const LONG_GAP_MS = DAY_MS;
/** The gateway's own service comes back without a notice: about two minutes. */
const MAX_OWN_STEP = 4;

/** What is known of a receiver before. */
export type KnownHealth = KeptHealth & Pick<DestinationState, "lastAnswer">;

export function createReceiverHealth(state: KnownHealth, { retries, awayAfter }: HealthOptions): ReceiverHealth {
  let { failures, failingSince } = state;
  let lastAt = state.lastAnswer?.at ?? null;
  let ownFailures = 0;
  let askedUntil = performance.now() + state.waitMs;
  let backOffUntil = 0;
  const leftMs = () => Math.max(askedUntil, backOffUntil) - performance.now();

  function backOff(step: number, retryAfterMs: number | null): void {
    if (step > 0) backOffUntil = Math.max(backOffUntil, performance.now() + retryDelayMs(retries, step, retryAfterMs));
  }
  return {
    async ready(signal) {
      while (leftMs() > 0 && !signal.aborted) await rest(leftMs(), signal);
    },
    isReady: () => leftMs() <= 0,
    isAway: () => failures >= awayAfter,
    succeeded() {
      [failures, failingSince, ownFailures, backOffUntil] = [0, null, 0, 0];
    },
    failed(at, retryAfterMs) {
      if (lastAt !== null && Math.abs(epochMsOf(at) - epochMsOf(lastAt)) > LONG_GAP_MS) failingSince = null;
      failingSince ??= at;
      lastAt = at;
      failures += 1;
      askedUntil = Math.max(askedUntil, performance.now() + (retryAfterMs ?? 0));
      backOff(failures + 1 - awayAfter, retryAfterMs);
      return failures === 1;
    },
    hindered(retryAfterMs) {
      ownFailures += 1;
      backOff(Math.min(ownFailures, MAX_OWN_STEP), retryAfterMs);
    },
    isHopeless: () =>
      failingSince !== null &&
      lastAt !== null &&
      isOver(retries, failures, epochMsOf(lastAt) - epochMsOf(failingSince)),
    kept: () => ({ failures, failingSince, waitMs: Math.max(0, leftMs()) }),
  };
}
