// Keeps one subscription alive: chooses the transport, starts again after every failure that may pass, and ends with every
// other one.
import { networkError, type GraphResult } from "../http/answerErrors.ts";
import type { Refused } from "../http/credentials.ts";
import type { Payload } from "../http/httpTransport.ts";
import { pause, pauseMs } from "../pause.ts";
import type { SwitchboardError } from "../switchboardError.ts";
import type { Ending, Subscribe } from "./transport.ts";
import type { ConnectionState } from "../types.ts";

/** What is asked for, and what its results mean. */
export interface Following {
  /** With the present cursor. */
  payload(): Payload;
  /** Takes a result. An ending ends this attempt; null goes on; "pause" stops reading until `resumed` resolves. */
  take(result: GraphResult): Ending | "pause" | null;
  /** Called when an attempt is over. */
  disconnected(): void;
  resumed(): Promise<void>;
  /** What the gateway's `complete` means: the end of the stream, or another lost connection. */
  endsWhenComplete: boolean;
  /** Whether something came that will not come again, so that the next failure is a first one. Resets itself. */
  hasProgressed(): boolean;
}

export interface FollowDeps {
  /** Subscribes by WebSocket, or by server-sent events where they are blocked. */
  subscribe: Subscribe;
  random: () => number;
  signal: AbortSignal;
  onState: (state: ConnectionState) => void;
}

const MAX_PAUSE_MS = 30_000;
/** A connection that lasted this long was a good one. */
const GOOD_MS = 10_000;
/** Failures in a row after which a fault of the gateway counts as permanent. */
const MAX_FAULTS = 5;

/** Resolves when the stream is complete or the signal is aborted. Throws the error that ends it. */
export async function followStream(following: Following, deps: FollowDeps): Promise<void> {
  const { random, signal, onState } = deps;
  let failures = 0;
  let refused: Refused | null = null;
  onState({ name: "connecting" });
  while (!signal.aborted) {
    const startedAt = Date.now();
    const { ending, hasResults } = await attempt(following, deps, refused);
    following.disconnected();
    if (signal.aborted) return;
    if (hasResults) refused = null;
    if (ending === "pause") {
      await following.resumed();
      continue;
    }
    if (ending.error === null && following.endsWhenComplete) return;
    if (following.hasProgressed() || Date.now() - startedAt >= GOOD_MS) failures = 0;
    const error: SwitchboardError = ending.error ?? networkError("The gateway ended the stream.");
    if (isFinal(error, ending, refused, failures)) throw error;
    // New credentials are tried at once: only the old ones were wrong.
    const isFirstRefusal = ending.refused !== undefined;
    refused = ending.refused ?? (isUnsent(error) ? refused : null);
    if (isFirstRefusal) continue;
    const ms = pauseMs(failures, MAX_PAUSE_MS, random, error.retryAfter);
    failures += 1;
    onState({ name: "waiting", until: new Date(Date.now() + ms), reason: error.message });
    await pause(ms, signal);
    if (!signal.aborted) onState({ name: "connecting" });
  }
}

function isFinal(error: SwitchboardError, ending: Ending, refused: Refused | null, failures: number): boolean {
  if (ending.isFinal) return true;
  if (ending.refused) return refused !== null;
  if (error.code === "INTERNAL") return failures >= MAX_FAULTS;
  return !error.retryable;
}

/** The credentials of this attempt were not judged. */
function isUnsent({ code }: SwitchboardError): boolean {
  return code === "AUTHORIZATION_FAILED" || code === "NETWORK";
}

interface Attempt {
  ending: Ending | "pause";
  hasResults: boolean;
}

function attempt(following: Following, { subscribe, signal }: FollowDeps, refused: Refused | null): Promise<Attempt> {
  return new Promise((resolve) => {
    let hasResults = false;
    const end = (ending: Ending | "pause") => {
      signal.removeEventListener("abort", abort);
      resolve({ ending, hasResults });
    };
    const stopWith = (ending: Ending | "pause") => {
      stop();
      end(ending);
    };
    const abort = () => stopWith({ error: null });
    const next = (result: GraphResult) => {
      hasResults = true;
      const taken = following.take(result);
      if (taken) stopWith(taken);
    };
    const stop = subscribe(following.payload(), { next, end }, refused);
    signal.addEventListener("abort", abort);
  });
}
