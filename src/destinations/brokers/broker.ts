// The port of the kinds of brokers.
import { codeSuffix } from "../../upstream/outside/failureText.ts";
import type { HostRules } from "../../upstream/outside/hostRules.ts";
import type { PublicLookupOptions } from "../../upstream/outside/publicLookup.ts";
import type { Attempt } from "../deliverer.ts";

export interface BrokerMessage {
  /** The same for each repeat. */
  id: string;
  /** That of the event. 0: the message is a test. */
  revision: number;
  type: string;
  /** What is shown of the event. */
  data: unknown;
  /** JSON, with the data. */
  body: string;
}

export interface Broker extends AsyncDisposable {
  /** Resolves when the broker has confirmed the message, or after a bounded time. Rejects only if the signal aborts; then the broker may have it. */
  publish(message: BrokerMessage, signal: AbortSignal): Promise<Attempt>;
}

export interface BrokerOptions extends PublicLookupOptions {
  rules: HostRules;
  /** A further certificate authority; for tests with their own server. */
  ca?: string;
  limits?: BrokerLimits;
}

export interface BrokerLimits {
  /** Until a message is confirmed; a connection that has to be opened is part of it. */
  answerMs: number;
  /** A connection that was not used for so long may have been dropped on the way without a notice. A new one is opened then. */
  idleMs: number;
}

export const LIMITS: BrokerLimits = { answerMs: 15_000, idleMs: 30_000 };

export const failure = (text: string): Attempt => ({
  outcome: "failed",
  status: null,
  text,
  retryAfterMs: null,
  isOwn: false,
});

/** Only the code of a failed connection, because a message may hold addresses and more. */
export function connectionFailure(error: unknown): Attempt {
  if ((error as Error).name === "TimeoutError") return failure("The broker did not confirm in time.");
  return failure(`The broker could not be reached, or the connection was lost${codeSuffix(error)}.`);
}
