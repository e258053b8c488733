// Delivers events until they are answered 200: again after 1, 2, 4 … 60 s of real time, and given up after 60 tries.
import type { Log } from "../../log.ts";
import type { Scheduler } from "../clock.ts";
import type { Journal } from "../journal.ts";
import { createJournal } from "../journal.ts";
import type { Delivery } from "./webhookFaults.ts";

export interface Webhook {
  url: string;
  /** Sent as the header Authorization, to the letter. */
  authorization: string;
}

export interface WebhookAttempt {
  sessionId: string;
  /** 1 for the first try. */
  attempt: number;
  /** Real epoch ms. */
  at: number;
  /** Null: no answer; `error` says why, for instance TimeoutError or ECONNREFUSED. */
  status: number | null;
  error: string | null;
}

export interface WebhookSender extends AsyncDisposable {
  /** Resolves after the first try; never rejects. Without a webhook nothing is sent. */
  readonly send: (delivery: Delivery) => Promise<void>;
  readonly setWebhook: (webhook: Webhook | null) => void;
  /** Sets the webhook of whoever started the sandbox, which resetWebhook puts back: its value may be known to no one else. */
  readonly setDefault: (webhook: Webhook | null) => void;
  readonly resetWebhook: () => void;
  webhook(): Webhook | null;
  readonly attempts: Journal<WebhookAttempt>;
}

const TIMEOUT_MS = 5000;
const MAX_PAUSE_MS = 60_000;
const MAX_ATTEMPTS = 60;
const MAX_CONCURRENT = 64;
/** Of events not tried yet, and again of those to be tried once more. */
const MAX_WAITING = 20_000;

export function createWebhookSender(deps: { scheduler: Scheduler; real: () => number; log: Log }): WebhookSender {
  const { scheduler, real, log } = deps;
  const attempts = createJournal<WebhookAttempt>({ entries: 10_000 });
  const stop = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const queue: (() => void)[] = [];
  let webhook: Webhook | null = null;
  let home: Webhook | null = null;
  let waiting = 0;
  let dropped = 0;

  const deliver = async (delivery: Delivery, attempt: number): Promise<void> => {
    await slot();
    if (!webhook || stop.signal.aborted) return;
    const outcome = await postEvent(webhook, delivery.body, stop.signal);
    if (stop.signal.aborted) return;
    attempts.add({ sessionId: delivery.sessionId, attempt, at: real(), ...outcome });
    if (outcome.status === 200) return;
    if (waiting >= MAX_WAITING) return dropOne();
    if (attempt < MAX_ATTEMPTS) return again(delivery, attempt + 1);
    log.warn({ sessionId: delivery.sessionId, attempt, status: outcome.status }, "A call-ended event was given up.");
  };
  // One line for each would make the overload worse.
  const dropOne = () => {
    dropped += 1;
    if (dropped % 1000 === 1) log.warn({ dropped }, "Call-ended events are given up: too many wait.");
  };
  const again = (delivery: Delivery, attempt: number) => {
    waiting += 1;
    scheduler.afterReal(Math.min(MAX_PAUSE_MS, 1000 * 2 ** (attempt - 2)), () => {
      waiting -= 1;
      void track(delivery, attempt);
    });
  };
  const slot = () => {
    if (inFlight.size <= MAX_CONCURRENT) return Promise.resolve();
    return new Promise<void>((resolve) => void queue.push(resolve));
  };
  const track = (delivery: Delivery, attempt: number): Promise<void> => {
    const running = deliver(delivery, attempt).finally(() => {
      inFlight.delete(running);
      queue.shift()?.();
    });
    inFlight.add(running);
    return running;
  };

  return {
    send: async (delivery) => {
      if (!webhook) return;
      if (queue.length < MAX_WAITING) return track(delivery, 1);
      dropOne();
    },
    setWebhook: (next) => void (webhook = next),
    setDefault: (next) => void (home = webhook = next),
    resetWebhook: () => void (webhook = home),
    webhook: () => webhook,
    attempts,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      for (const resume of queue.splice(0)) resume();
      await Promise.all(inFlight);
    },
  };
}

/** Redirects are answers like any other: the header is for the configured address alone. */
async function postEvent(
  webhook: Webhook,
  body: string,
  stop: AbortSignal,
): Promise<{ status: number | null; error: string | null }> {
  try {
    const response = await fetch(webhook.url, {
      method: "POST",
      redirect: "manual",
      headers: { authorization: webhook.authorization, "content-type": "application/json" },
      body,
      signal: AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: errorCode(error) };
  }
}

/** A code such as ECONNREFUSED, or TimeoutError: never a message, which may hold the address. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : error.name;
}
