// Spares a service that fails: once half of the requests of ten seconds failed, all are refused at once, until a single
// probe has come through. A request here is one with its retries. POST never passes here.
import { CodedError } from "../errors.ts";
import { createSlidingWindow } from "../util/slidingWindow.ts";
import type { ClockAndRandom } from "./retry.ts";
import type { Send, OutgoingRequest } from "./send.ts";
import type { UpstreamState } from "./upstream.ts";

const LEAST_REQUESTS = 20;
const PROBE_AFTER_MS = 2000;

export interface CircuitBreaker {
  send: Send;
  state(): UpstreamState;
}

interface OpenCircuit {
  /** Of the monotonic clock: a wall clock may be set back by hours. */
  probeFrom: number;
  isProbed: boolean;
}

/**
 * What a request says of the service. Refused is whoever asks, and not the question: the service is there, and yet fails us.
 * What cannot be read is an answer, but no proof that all is well; what was given up, or never left, says nothing.
 */
type Outcome = "good" | "refused" | "bad" | "answered" | "unknown";

/** A token that is none, or may not read, and a service that takes no more. */
const REFUSALS = [401, 403, 429];

export function createCircuitBreaker(next: Send, { now }: Pick<ClockAndRandom, "now">): CircuitBreaker {
  const recent = createSlidingWindow<"good" | "refused" | "bad">(now);
  let hasFailed = false;
  let open: OpenCircuit | null = null;

  function count(outcome: Outcome): void {
    if (outcome === "answered" || outcome === "unknown") return;
    hasFailed = outcome !== "good";
    recent.add(outcome);
  }
  function isTooBad(): boolean {
    const [good, bad] = [recent.count("good") + recent.count("refused"), recent.count("bad")];
    return good + bad >= LEAST_REQUESTS && bad >= good;
  }
  function settle(outcome: Outcome, isProbe: boolean): void {
    const cameThrough = isProbe && outcome !== "bad" && outcome !== "unknown";
    if (cameThrough) {
      recent.clear();
      open = null;
    }
    count(outcome);
    // It told nothing: the next may find out, one at a time as ever.
    if (isProbe && outcome === "unknown" && open) open.isProbed = false;
    // What was sent before the circuit opened, and fails now, does not put the probe off.
    const opens = isProbe ? outcome === "bad" : open === null && outcome === "bad" && isTooBad();
    if (opens) open = { probeFrom: now() + PROBE_AFTER_MS, isProbed: false };
  }

  return {
    async send(path, sending) {
      const circuit = open;
      if (circuit) {
        if (circuit.isProbed || now() < circuit.probeFrom) throw refused();
        circuit.isProbed = true;
      }
      try {
        const answer = await next(path, sending);
        settle(outcomeOfStatus(answer.status), circuit !== null);
        return answer;
      } catch (error) {
        settle(outcomeOf(error, sending), circuit !== null);
        throw error;
      }
    },
    state() {
      if (open) return "DOWN";
      return hasFailed || recent.count("bad") + recent.count("refused") > 0 ? "DEGRADED" : "HEALTHY";
    },
  };
}

function outcomeOfStatus(status: number): Outcome {
  if (status >= 500) return "bad";
  return REFUSALS.includes(status) ? "refused" : "good";
}

function outcomeOf(error: unknown, { attempts: sent }: OutgoingRequest): Outcome {
  if (!(error instanceof CodedError)) return "unknown";
  if (error.code === "UPSTREAM_CONTRACT") return "answered";
  const isFault = error.code === "UPSTREAM_UNAVAILABLE" || error.code === "UPSTREAM_TIMEOUT";
  return isFault && sent > 0 ? "bad" : "unknown";
}

function refused(): CodedError {
  return new CodedError("UPSTREAM_UNAVAILABLE", "The service has been failing: it is not asked for a moment.");
}
