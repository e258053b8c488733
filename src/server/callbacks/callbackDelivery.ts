// Delivers the messages of one subscription to its callback URL: in order, one at a time. A message that the router has surely not
// taken is sent again. A result that it may have taken is not: the subscription ends, and its client resumes after the last cursor
// that it has. So no result is missing, and none arrives twice.
import { setTimeout as pause } from "node:timers/promises";
import { CALLBACK_LIMITS, CONNECTION_LIMITS } from "../../config/limits.ts";
import type { SendResults } from "../../graphql/subscriptions/sharedGroup.ts";
import type { PostMessage, PostOutcome } from "./callbackClient.ts";
import type { CallbackTarget } from "./callbackRequest.ts";

export interface CallbackDelivery {
  /** Resolves when the router has taken the result (JSON), or never will. */
  next(payload: Buffer): Promise<void>;
  /** Takes results of a shared subscription, or none if too many bytes wait. */
  sendResults: SendResults;
  /** Asks whether the router still wants results. Sent before the results that wait. */
  check(): void;
  /**
   * Sends the last message, without the results that wait. `errors`: JSON. Resolves when it was delivered or given up. Further
   * calls do nothing.
   */
  complete(errors: Buffer | null): Promise<void>;
}

export interface CallbackDeliveryDeps {
  target: CallbackTarget;
  post: PostMessage;
  /** Whether the viewer may still get results. Asked before each of them is sent. */
  mayDeliver: () => boolean;
  /** The router has ended the subscription (404): nothing more is sent. */
  onGone: () => void;
  /** A message was not delivered, for this reason. `complete` may be called. */
  onBroken: (reason: string) => void;
  /** Ends everything at once. */
  signal: AbortSignal;
}

type Action = "check" | "next" | "complete";
type Verdict = "taken" | "dropped" | "gone" | "retry" | "broken";

interface Message {
  action: Action;
  /** The member that follows those of every message, as JSON; and its name. */
  payload: Buffer | null;
  settle: () => void;
}

type Retries = Record<"retriesMs" | "lastRetriesMs", readonly number[]>;

export function createCallbackDelivery(
  deps: CallbackDeliveryDeps,
  { retriesMs, lastRetriesMs }: Retries = CALLBACK_LIMITS,
): CallbackDelivery {
  const { target, post, mayDeliver, onGone, onBroken, signal } = deps;
  const waiting: Message[] = [];
  let waitingBytes = 0;
  let isSending = false;
  let isOver = false;
  let last: Promise<void> | null = null;

  function add(message: Message, isFirst = false): void {
    if (isOver) return message.settle();
    waitingBytes += message.payload?.length ?? 0;
    if (isFirst) waiting.unshift(message);
    else waiting.push(message);
    if (!isSending) void sendAll();
  }

  async function sendAll(): Promise<void> {
    isSending = true;
    for (let message = waiting.shift(); message; message = waiting.shift()) {
      waitingBytes -= message.payload?.length ?? 0;
      const { verdict, outcome } = await send(message);
      // Before the wait for this message ends, so that its sender finds the subscription ended.
      if (verdict === "gone") leave();
      else if (verdict === "broken" && message.action !== "complete" && !last) onBroken(reasonOf(outcome));
      message.settle();
    }
    isSending = false;
  }

  async function send(message: Message): Promise<{ verdict: Verdict; outcome: PostOutcome }> {
    const body = encode(target, message);
    let outcome: PostOutcome = "unanswered";
    for (const delay of [0, ...(message.action === "complete" ? lastRetriesMs : retriesMs)]) {
      if (delay > 0) await pause(delay, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted || isDropped(message)) return { verdict: "dropped", outcome };
      outcome = await post(target.url, body, signal);
      if (signal.aborted) return { verdict: "dropped", outcome };
      const verdict = verdictOf(message.action, outcome);
      if (verdict !== "retry") return { verdict, outcome };
    }
    return { verdict: "broken", outcome };
  }

  const isDropped = ({ action }: Message) => action !== "complete" && (last !== null || !mayDeliver());

  function leave(): void {
    isOver = true;
    dropWaiting();
    onGone();
  }

  function dropWaiting(): void {
    waitingBytes = 0;
    for (const message of waiting.splice(0)) message.settle();
  }

  const addAndWait = (action: Action, payload: Buffer | null) =>
    new Promise<void>((settle) => add({ action, payload, settle }));

  return {
    next: (payload) => (last ? Promise.resolve() : addAndWait("next", payload)),
    sendResults(results) {
      if (isOver || last || waitingBytes > CONNECTION_LIMITS.unsentBytes) return false;
      for (const { payload } of results) add({ action: "next", payload, settle: ignore });
      return true;
    },
    check() {
      const isAsking = waiting[0]?.action === "check";
      if (!isAsking && !last) add({ action: "check", payload: null, settle: ignore }, true);
    },
    complete(errors) {
      if (last) return last;
      dropWaiting();
      return (last = addAndWait("complete", errors));
    },
  };
}

const ignore = () => undefined;

const MEMBERS: Record<Action, string> = { check: "", next: "payload", complete: "errors" };

/** A message of the protocol. `payload` is JSON already, which subscribers with the same request share. */
export function encode(
  { id, verifier }: CallbackTarget,
  { action, payload }: Pick<Message, "action" | "payload">,
): Buffer {
  const head = JSON.stringify({ kind: "subscription", action, id, verifier });
  if (!payload) return Buffer.from(head);
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"${MEMBERS[action]}":`), payload, Buffer.from("}")]);
}

/** 429 and 503 say that the router has not taken a message. After any other failure it may have; only a result matters then. */
function verdictOf(action: Action, outcome: PostOutcome): Verdict {
  if (outcome === "unreached" || outcome === 429 || outcome === 503) return "retry";
  if (outcome === "unanswered") return action === "next" ? "broken" : "retry";
  if (outcome >= 200 && outcome < 300) return "taken";
  if (outcome === 404) return "gone";
  return outcome >= 500 && action !== "next" ? "retry" : "broken";
}

export const reasonOf = (outcome: PostOutcome): string =>
  typeof outcome === "number" ? `answered ${outcome}` : outcome;
