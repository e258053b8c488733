// Sends call-ended events until the answer is 200: retries after 1, 2, 4 … 60 s of real time, at most 60 attempts.
import type { Logger } from "../logger.ts";
import type { Scheduler } from "../clock.ts";
import type { Journal } from "../journal.ts";
import { createJournal } from "../journal.ts";
import type { Delivery } from "./webhookFaults.ts";

export interface Webhook {
  url: string;
  /** The exact value of the Authorization header. */
  authorization: string;
}

export interface WebhookAttempt {
  sessionId: string;
  /** 1 for the first attempt. */
  attempt: number;
  /** Real epoch ms. */
  at: number;
  /** Null: no answer. `error` says why, such as TimeoutError or ECONNREFUSED. */
  status: number | null;
  error: string | null;
}

export interface WebhookSender extends AsyncDisposable {
  /** Resolves after the first attempt; never rejects. Sends nothing if there is no webhook. */
  readonly send: (delivery: Delivery) => Promise<void>;
  readonly setWebhook: (webhook: Webhook | null) => void;
  /** Sets the webhook that `resetWebhook` restores: its Authorization may be known only to the program that set it. */
  readonly setDefault: (webhook: Webhook | null) => void;
  readonly resetWebhook: () => void;
  webhook(): Webhook | null;
  readonly attempts: Journal<WebhookAttempt>;
}

const TIMEOUT_MS = 5000;
const MAX_PAUSE_MS = 60_000;
const MAX_ATTEMPTS = 60;
const MAX_CONCURRENT = 64;
/** Limits the events that wait for their first attempt, and separately those that wait for a retry. */
const MAX_WAITING = 20_000;

export function createWebhookSender(deps: { scheduler: Scheduler; real: () => number; log: Logger }): WebhookSender {
  const { scheduler, real, log } = deps;
  const attempts = createJournal<WebhookAttempt>({ entries: 10_000 });
  const stop = new AbortController();
  const inFlight = new Set<Promise<void>>();
  const queue: (() => void)[] = [];
  let webhook: Webhook | null = null;
  let defaultWebhook: Webhook | null = null;
  let waitingRetries = 0;
  let dropped = 0;

  const deliver = async (delivery: Delivery, attempt: number): Promise<void> => {
    await waitForSlot();
    if (!webhook || stop.signal.aborted) return;
    const outcome = await postEvent(webhook, delivery.body, stop.signal);
    if (stop.signal.aborted) return;
    attempts.add({ sessionId: delivery.sessionId, attempt, at: real(), ...outcome });
    if (outcome.status === 200) return;
    if (waitingRetries >= MAX_WAITING) return countDropped();
    if (attempt < MAX_ATTEMPTS) return retryLater(delivery, attempt + 1);
    log.warn({ sessionId: delivery.sessionId, attempt, status: outcome.status }, "Gave up a call-ended event.");
  };
  // Logs one line in a thousand: a line for each would make the overload worse.
  const countDropped = () => {
    dropped += 1;
    if (dropped % 1000 === 1) log.warn({ dropped }, "Dropped call-ended events: too many are waiting.");
  };
  const retryLater = (delivery: Delivery, attempt: number) => {
    waitingRetries += 1;
    scheduler.afterReal(Math.min(MAX_PAUSE_MS, 1000 * 2 ** (attempt - 2)), () => {
      waitingRetries -= 1;
      void track(delivery, attempt);
    });
  };
  const waitForSlot = () => {
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
      countDropped();
    },
    setWebhook: (next) => void (webhook = next),
    setDefault: (next) => void (defaultWebhook = webhook = next),
    resetWebhook: () => void (webhook = defaultWebhook),
    webhook: () => webhook,
    attempts,
    [Symbol.asyncDispose]: async () => {
      stop.abort();
      for (const resume of queue.splice(0)) resume();
      await Promise.all(inFlight);
    },
  };
}

/** Does not follow redirects: the Authorization header is only for the configured address. */
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

/** A code such as ECONNREFUSED or TimeoutError; never the message, which may contain the address. */
function errorCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : error.name;
}
