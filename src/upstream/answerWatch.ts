// Notices since when the service does not answer, and whether it refuses the access token, from every request that is sent to it.
import type { ServiceOutcome, UpstreamObserver } from "./upstreamObserver.ts";

export interface AnswerWatch {
  /** Reports to the given observer, and notices. */
  observer: UpstreamObserver;
  /** See UpstreamStatus. */
  failingSince(): number | null;
  tokenRefused(): boolean;
}

const FAILURES: readonly ServiceOutcome[] = ["5xx", "timeout", "unreachable"];

/** `clock`: epoch milliseconds. */
export function createAnswerWatch(observer: UpstreamObserver, clock: () => number): AnswerWatch {
  let failingSince: number | null = null;
  let tokenRefused = false;
  return {
    observer: {
      ...observer,
      requestEnded(request) {
        observer.requestEnded(request);
        const { outcome, status } = request;
        if (status !== null) tokenRefused = status === 401;
        if (outcome === "cancelled") return;
        failingSince = FAILURES.includes(outcome) ? (failingSince ?? clock()) : null;
      },
    },
    failingSince: () => failingSince,
    tokenRefused: () => tokenRefused,
  };
}
