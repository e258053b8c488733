// Whether a destination may be told of alerts now. One that gets nothing else has its state from here, as others have it from the delivery of
// calls: where it begins, how its last attempt ended, since when it fails.
import type { Logger } from "../../logger.ts";
import type { DestinationState, DestinationStore } from "../../store/destinations/destinationStore.ts";
import type { Attempt } from "../deliverer.ts";
import { answerOf, type AnswerDeps } from "../keptAnswer.ts";
import { createReceiverHealth, type KnownHealth } from "../receiverHealth.ts";
import { ALERT_RETRIES } from "../retries.ts";

export interface AlertHealth {
  /**
   * Resolves with the milliseconds for which nothing may be sent; 0: something may be. `isNew`: somebody has paused it or let it go on since the
   * last call. Throws STORE_UNAVAILABLE.
   */
  look(): Promise<{ heldMs: number; isNew: boolean }>;
  /**
   * Notes how an attempt ended. `isOver`: nothing waits any more, so that it does not count as failing, whatever the last answer was. `isOwn`: the
   * message is about the destination itself, so that a failure of it is no news: it would keep up the alert that it tells of. Call it after `look`.
   * Throws STORE_UNAVAILABLE.
   */
  note(made: Attempt, message: { isOver: boolean; isOwn: boolean }): Promise<void>;
}

export interface AlertHealthDeps extends AnswerDeps {
  store: Pick<DestinationStore, "read" | "begin" | "advance" | "disable">;
  log: Logger;
}

/** How often it looks whether somebody lets it go on. */
const HELD_MS = 1000;
const UNKNOWN: KnownHealth = { failures: 0, failingSince: null, waitMs: 0, lastAnswer: null };
/** Only a time that the receiver asks for holds up all alerts. An alert that is not taken has its own times. */
const OPTIONS = { retries: ALERT_RETRIES, awayAfter: Infinity };

export function createAlertHealth(
  { name, getsCalls }: { name: string; getsCalls: boolean },
  { store, log, ...own }: AlertHealthDeps,
): AlertHealth {
  let run: number | null = null;
  let health = createReceiverHealth(UNKNOWN, OPTIONS);

  /** Null: it gets calls, and their delivery has not begun. */
  async function read(): Promise<DestinationState | null> {
    const known = await store.read(name);
    if (known || getsCalls) return known;
    await store.begin(name, null);
    return store.read(name);
  }
  return {
    async look() {
      const state = await read();
      const isNew = state !== null && state.run !== run;
      if (isNew) {
        run = state.run;
        health = createReceiverHealth(getsCalls ? UNKNOWN : state, OPTIONS);
      }
      const isHeld = state !== null && state.state !== "ACTIVE";
      return { heldMs: isHeld ? HELD_MS : health.kept().waitMs, isNew };
    },
    async note(made, { isOver, isOwn }) {
      const answer = answerOf(made, own);
      const isTaken = made.outcome === "taken";
      const isNews = !isOwn || made.outcome !== "failed";
      const hasFailed = health.kept().failingSince !== null;
      // Also of its own message, a time for which it asks counts.
      if (!isTaken) health.failed(answer.at, made.outcome === "failed" ? made.retryAfterMs : null);
      if (isTaken || isOver || (!isNews && !hasFailed)) health.succeeded();
      if (run === null) return;
      if (!getsCalls) {
        const progress = { cursor: null, delivered: Number(isTaken), skipped: 0, answer: isNews ? answer : null };
        await store.advance(name, run, { ...progress, ...health.kept() });
      }
      if (made.outcome === "gone" && (await store.disable(name, run, "GONE")))
        log.error({ destination: name, reason: "GONE" }, "a destination was disabled");
    },
  };
}
