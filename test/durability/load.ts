// Sends webhooks to a gateway without pause, each until it is acknowledged, and records the answers.
import { callEndedEvent } from "../support/events.ts";
import { until } from "../support/until.ts";

export interface Load {
  /** The session ids of webhooks that were answered with 200, in the order of the answers. */
  acknowledged: string[];
  /** The number of answers other than 200 by status; 0 stands for no answer. */
  refusals: Map<number, number>;
  /** The Retry-After headers of the answers other than 200. */
  retryAfter: Set<string | null>;
  /** Resolves when `count` more webhooks were acknowledged. */
  waitForMore(count: number): Promise<void>;
  /** Resolves when each writer's last webhook is acknowledged. */
  stop(): Promise<void>;
}

export interface LoadOptions {
  /** Called for each webhook, because a gateway may have been replaced. */
  gateway: () => { url: string; deliver(body: unknown): Promise<Response> };
  writers: number;
  /** Whether the next webhook may be sent. */
  mayDeliver?: () => boolean;
}

export function startLoad({ gateway, writers, mayDeliver = () => true }: LoadOptions): Load {
  const acknowledged: string[] = [];
  const refusals = new Map<number, number>();
  const retryAfter = new Set<string | null>();
  const stopped = new AbortController();

  async function isAcknowledged(event: object): Promise<boolean> {
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
      if (!mayDeliver()) await until(() => stopped.signal.aborted || mayDeliver());
      if (stopped.signal.aborted) return;
      const event = callEndedEvent({ task_id: 0 });
      await until(() => isAcknowledged(event));
      acknowledged.push(String(event.event_data["session_id"]));
    }
  }
  const writing = Promise.all(Array.from({ length: writers }, write));
  // stop() reports a failure; until then it must not end the process as an unhandled rejection.
  writing.catch(() => undefined);
  return {
    acknowledged,
    refusals,
    retryAfter,
    async waitForMore(count) {
      const total = acknowledged.length + count;
      await until(() => acknowledged.length >= total);
    },
    async stop() {
      stopped.abort();
      await writing;
    },
  };
}

export const QUIET = { RECONCILE_INTERVAL_S: "0" };
