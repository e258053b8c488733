// Stops requests to a failing service. The circuit opens when at least half of the requests of the last ten seconds failed.
// While it is open, requests fail at once, until a single probe succeeds. A request and its retries count once.
import { CodedError } from "../errors.ts";
import { createSlidingWindow } from "../util/rates/slidingWindow.ts";
import type { ServiceResponse } from "./serviceResponse.ts";
import type { UpstreamState } from "./upstream.ts";

const MIN_REQUESTS = 20;
const PROBE_AFTER_MS = 2000;

export interface CircuitBreaker {
  /** Admits a request as usual, or as the single probe of an open circuit. Null: the circuit is open. */
  admit(): Admission | null;
  /** To be called once for each admitted request, with its response, its error, or the reason of its cancellation. */
  settle(admission: Admission, end: RequestEnd): void;
  state(): UpstreamState;
}

export type Admission = "usual" | "probe";

export interface RequestEnd {
  outcome: ServiceResponse | Error;
  /** How often it was sent. */
  attempts: number;
}

interface OpenCircuit {
  /** On the monotonic clock, because a wall clock may be set back by hours. */
  probeFrom: number;
  isProbeInFlight: boolean;
}

/**
 * What the outcome of a request says about the service.
 * - `good`: it answered.
 * - `denied`: it rejected our token or our request rate. It is up, but it does not serve us.
 * - `bad`: it failed, could not be reached, or did not answer in time.
 * - `unreadable`: it answered, but the answer breaks its contract.
 * - `unknown`: the request was cancelled or never sent.
 */
type Verdict = "good" | "denied" | "bad" | "unreadable" | "unknown";

const DENIALS = [401, 403, 429];

/** `now`: milliseconds of a monotonic clock. */
export function createCircuitBreaker(now: () => number): CircuitBreaker {
  const recent = createSlidingWindow<"good" | "denied" | "bad">(now);
  let hasLatestFailed = false;
  let open: OpenCircuit | null = null;

  function count(verdict: Verdict): void {
    if (verdict === "unreadable" || verdict === "unknown") return;
    hasLatestFailed = verdict !== "good";
    recent.add(verdict);
  }
  function isFailing(): boolean {
    const [good, bad] = [recent.count("good") + recent.count("denied"), recent.count("bad")];
    return good + bad >= MIN_REQUESTS && bad >= good;
  }

  return {
    admit() {
      if (!open) return "usual";
      if (open.isProbeInFlight || now() < open.probeFrom) return null;
      open.isProbeInFlight = true;
      return "probe";
    },
    settle(admission, end) {
      const verdict = verdictOn(end);
      const isProbe = admission === "probe";
      const hasProbeSucceeded = isProbe && verdict !== "bad" && verdict !== "unknown";
      if (hasProbeSucceeded) {
        recent.clear();
        open = null;
      }
      count(verdict);
      // The probe was inconclusive, so the next request becomes the probe.
      if (isProbe && verdict === "unknown" && open) open.isProbeInFlight = false;
      // A request that was sent before the circuit opened, and fails now, must not postpone the probe.
      const opens = isProbe ? verdict === "bad" : open === null && verdict === "bad" && isFailing();
      if (opens) open = { probeFrom: now() + PROBE_AFTER_MS, isProbeInFlight: false };
    },
    state() {
      if (open) return "DOWN";
      return hasLatestFailed || recent.count("bad") + recent.count("denied") > 0 ? "DEGRADED" : "HEALTHY";
    },
  };
}

function verdictOn({ outcome, attempts }: RequestEnd): Verdict {
  if (!(outcome instanceof Error)) return verdictOnStatus(outcome.status);
  if (!(outcome instanceof CodedError)) return "unknown";
  if (outcome.code === "UPSTREAM_CONTRACT") return "unreadable";
  const isFault = outcome.code === "UPSTREAM_UNAVAILABLE" || outcome.code === "UPSTREAM_TIMEOUT";
  return isFault && attempts > 0 ? "bad" : "unknown";
}

function verdictOnStatus(status: number): Verdict {
  if (status >= 500) return "bad";
  return DENIALS.includes(status) ? "denied" : "good";
}
