// A GET sender over a transport without a network: a test answers each attempt, or says before how it ends.
import { fixedToken } from "../../src/upstream/serviceToken.ts";
import { createGetSender, type Cancel, type GetSender, type GetSenderOptions } from "../../src/upstream/getSender.ts";
import type { ServiceResponse } from "../../src/upstream/serviceResponse.ts";
import type { TransportRequest } from "../../src/upstream/transport.ts";
import type { MaybePromise } from "../../src/util/maybePromise.ts";

export type Outcome = ServiceResponse | Error;

export const respond = (status: number, retryAfter?: string): ServiceResponse => ({ status, retryAfter, text: "" });

export interface HeldSender extends GetSender {
  /** Sends a GET. It resolves with its outcome, an error too. */
  ask(own?: { deadlineAt?: number; pay?: () => MaybePromise<void> }): { outcome: Promise<Outcome>; cancel: Cancel };
  /** Attempts on the network that are not answered yet, the oldest first. */
  held: ((outcome: Outcome) => void)[];
  /** Attempts so far. */
  attempts(): number;
  /** Attempts that were ended before their outcome. */
  aborted(): number;
}

/** `answer`: the outcome of an attempt, counted from 1; null: the test answers it. */
export function heldSender(
  answer: (attempt: number) => Outcome | null = () => null,
  options: Partial<Omit<GetSenderOptions, "transport">> = {},
): HeldSender {
  const held: HeldSender["held"] = [];
  let attempts = 0;
  let aborted = 0;
  function transmit(_path: string, { onOutcome, onFree }: TransportRequest): () => void {
    attempts += 1;
    const settle = (outcome: Outcome) => {
      onFree();
      onOutcome(outcome);
    };
    const outcome = answer(attempts);
    if (outcome) queueMicrotask(() => settle(outcome));
    else held.push(settle);
    return () => {
      if (!held.includes(settle)) return;
      held.splice(held.indexOf(settle), 1);
      aborted += 1;
      onFree();
    };
  }
  const sender = createGetSender({
    transport: { send: transmit },
    token: fixedToken("the-token"),
    clock: { now: () => 0, random: () => 0 },
    maxInFlight: 256,
    maxQueued: 10_000,
    ...options,
  });
  return {
    ...sender,
    ask({ deadlineAt = Infinity, pay = () => undefined } = {}) {
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      return { outcome: promise, cancel: sender.send({ path: "/", deadlineAt, pay, settle: resolve }) };
    },
    held,
    attempts: () => attempts,
    aborted: () => aborted,
  };
}
