// Webhooks that come all the time, each again until it is acknowledged: what a gateway was told, and what it said.
import { callEndedEvent } from "../support/events.ts";
import { until } from "../support/until.ts";

export interface Load {
  /** Sessions that were answered 200, in that order. */
  acknowledged: string[];
  /** Answers other than 200, by status; 0: there was none. */
  refusals: Map<number, number>;
  /** What a refusal said about when to come again. */
  retryAfter: Set<string | null>;
  /** Resolves when so many more were acknowledged. */
  more(count: number): Promise<void>;
  /** Each writer ends with the webhook it has begun, once that is acknowledged. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  /** Where to send; asked each time, for a gateway may have been replaced. */
  gateway: () => { url: string; deliver(body: unknown): Promise<Response> };
  writers: number;
  /** Asked before each new webhook. */
  mayMake?: () => boolean;
}

export function startLoad({ gateway, writers, mayMake = () => true }: LoadOptions): Load {
  const acknowledged: string[] = [];
  const refusals = new Map<number, number>();
  const retryAfter = new Set<string | null>();
  const stopped = new AbortController();

  async function isTaken(event: object): Promise<boolean> {
    const answer = await gateway()
      .deliver(event)
      .catch(() => null);
    await answer?.text().catch(() => "");
    if (answer?.status === 200) return true;
    const status = answer?.status ?? 0;
    refusals.set(status, (refusals.get(status) ?? 0) + 1);
    if (answer) retryAfter.add(answer.headers.get("retry-after"));
    return false;
  }
  async function write(): Promise<void> {
    while (!stopped.signal.aborted) {
      if (!mayMake()) await until(() => stopped.signal.aborted || mayMake());
      if (stopped.signal.aborted) return;
      const event = callEndedEvent({ task_id: 0 });
      await until(() => isTaken(event), 60_000);
      acknowledged.push(String(event.event_data["session_id"]));
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, write));
  // A failure is told by stop(), and not before by the process.
  writing.catch(() => undefined);
  return {
    acknowledged,
    refusals,
    retryAfter,
    async more(count) {
      const enough = acknowledged.length + count;
      await until(() => acknowledged.length >= enough, 60_000);
    },
    async stop() {
      stopped.abort();
      await writing;
    },
  };
}

/** Where no call is made of the service. */
export const NO_SERVICE = { url: "http://127.0.0.1:9" };
export const QUIET = { RECONCILE_INTERVAL_S: "0" };
