// Stops requests to a failing service. The circuit opens when at least half of the requests of the last ten seconds failed.
// While it is open, requests fail at once, until a single probe succeeds. A request and its retries count once.
import { CodedError } from "../errors.ts";
import { createSlidingWindow } from "../util/slidingWindow.ts";
import type { ClockAndRandom } from "./retry.ts";
import type { OutgoingRequest, Send } from "./transport.ts";
import type { UpstreamState } from "./upstream.ts";

const MIN_REQUESTS = 20;
const PROBE_AFTER_MS = 2000;

export interface CircuitBreaker {
  send: Send;
  state(): UpstreamState;
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
type Outcome = "good" | "denied" | "bad" | "unreadable" | "unknown";

const DENIALS = [401, 403, 429];

export function createCircuitBreaker(next: Send, { now }: Pick<ClockAndRandom, "now">): CircuitBreaker {
  const recent = createSlidingWindow<"good" | "denied" | "bad">(now);
  let hasLatestFailed = false;
  let open: OpenCircuit | null = null;

  function count(outcome: Outcome): void {
    if (outcome === "unreadable" || outcome === "unknown") return;
    hasLatestFailed = outcome !== "good";
    recent.add(outcome);
  }
  function isFailing(): boolean {
    const [good, bad] = [recent.count("good") + recent.count("denied"), recent.count("bad")];
    return good + bad >= MIN_REQUESTS && bad >= good;
  }
  function settle(outcome: Outcome, isProbe: boolean): void {
    const hasProbeSucceeded = isProbe && outcome !== "bad" && outcome !== "unknown";
    if (hasProbeSucceeded) {
      recent.clear();
      open = null;
    }
    count(outcome);
    // The probe was inconclusive, so the next request becomes the probe.
    if (isProbe && outcome === "unknown" && open) open.isProbeInFlight = false;
    // A request that was sent before the circuit opened, and fails now, must not postpone the probe.
    const opens = isProbe ? outcome === "bad" : open === null && outcome === "bad" && isFailing();
    if (opens) open = { probeFrom: now() + PROBE_AFTER_MS, isProbeInFlight: false };
  }

  return {
    async send(path, request) {
      const circuit = open;
      if (circuit) {
        if (circuit.isProbeInFlight || now() < circuit.probeFrom) throw circuitOpenError();
        circuit.isProbeInFlight = true;
      }
      try {
        const response = await next(path, request);
        settle(outcomeOfStatus(response.status), circuit !== null);
        return response;
      } catch (error) {
        settle(outcomeOfError(error, request), circuit !== null);
        throw error;
      }
    },
    state() {
      if (open) return "DOWN";
      return hasLatestFailed || recent.count("bad") + recent.count("denied") > 0 ? "DEGRADED" : "HEALTHY";
    },
  };
}

function outcomeOfStatus(status: number): Outcome {
  if (status >= 500) return "bad";
  return DENIALS.includes(status) ? "denied" : "good";
}

function outcomeOfError(error: unknown, { attempts }: OutgoingRequest): Outcome {
  if (!(error instanceof CodedError)) return "unknown";
  if (error.code === "UPSTREAM_CONTRACT") return "unreadable";
  const isFault = error.code === "UPSTREAM_UNAVAILABLE" || error.code === "UPSTREAM_TIMEOUT";
  return isFault && attempts > 0 ? "bad" : "unknown";
}

function circuitOpenError(): CodedError {
  return new CodedError(
    "UPSTREAM_UNAVAILABLE",
    "The service has been failing, so the gateway sends it no requests for now. Try again in a few seconds.",
  );
}
