// Keeps one subscription alive: chooses the transport, starts again after every failure that may pass, and ends with every
// other one.
import { networkError, type GraphResult } from "../http/answerErrors.ts";
import type { Refused } from "../http/credentials.ts";
import type { Payload } from "../http/httpTransport.ts";
import { isUnsent } from "../http/retrying.ts";
import { pause, pauseMs } from "../pause.ts";
import type { SwitchboardError } from "../switchboardError.ts";
import { isRefusal, type Ending, type Subscribe } from "./transport.ts";
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
  let wasLive = false;
  onState({ name: "connecting" });
  while (!signal.aborted) {
    const startedAt = Date.now();
    const { ending, results } = await attempt(following, deps, refused);
    following.disconnected();
    if (signal.aborted) return;
    if (results > 0) {
      refused = null;
      wasLive = true;
    }
    if (ending === "pause") {
      await following.resumed();
      continue;
    }
    if (ending.error === null && following.endsWhenComplete) return;
    // The first result only tells the present state.
    if (results > 1 || Date.now() - startedAt >= GOOD_MS) failures = 0;
    const error: SwitchboardError = ending.error ?? networkError("The gateway ended the stream.");
    if (ending.isFinal) throw error;
    if (isRefusal(error)) {
      if (refused) throw error;
      // New credentials are tried at once: only the old ones were wrong.
      refused = { value: ending.authorization };
      continue;
    }
    if (isPermanent(error, failures, wasLive)) throw error;
    if (!isUnsent(error)) refused = null;
    const ms = pauseMs(failures, MAX_PAUSE_MS, random, error.retryAfter);
    failures += 1;
    onState({ name: "waiting", until: new Date(Date.now() + ms), reason: error.message });
    await pause(ms, signal);
    onState({ name: "connecting" });
  }
}

function isPermanent({ code, status, retryable }: SwitchboardError, failures: number, wasLive: boolean): boolean {
  if (code === "INTERNAL") return failures >= MAX_FAULTS;
  // The address was right: a proxy answers while the gateway is away, or a hotel asks for a login.
  if (code === "BAD_RESPONSE" && status && wasLive) return false;
  return !retryable;
}

interface Attempt {
  ending: Ending | "pause";
  /** Number of results without an ending. */
  results: number;
}

function attempt(following: Following, { subscribe, signal }: FollowDeps, refused: Refused | null): Promise<Attempt> {
  return new Promise((resolve) => {
    let results = 0;
    const end = (ending: Ending | "pause") => {
      signal.removeEventListener("abort", abort);
      resolve({ ending, results });
    };
    const stopWith = (ending: Ending | "pause") => {
      stop();
      end(ending);
    };
    const abort = () => stopWith({ error: null });
    const next = (result: GraphResult) => {
      const taken = following.take(result);
      if (taken) stopWith(taken);
      else results += 1;
    };
    const payload = following.payload();
    // A variable that is no JSON fails here, and not inside of a transport that would try again.
    JSON.stringify(payload);
    const stop = subscribe(payload, { next, end }, refused);
    signal.addEventListener("abort", abort);
  });
}
