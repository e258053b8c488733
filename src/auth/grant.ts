// The result of an authentication. A grant is asked again while it is used, because streams outlive the moment at which
// their credentials were checked.
import { canonicalJson } from "../util/canonicalJson.ts";
import type { MaybePromise } from "../util/maybePromise.ts";
import type { Viewer } from "./scopes.ts";

export interface Grant {
  /** The viewer as of now. Null: the credentials are no longer valid. */
  viewer(): Viewer | null;
  /** Calls `listener` when viewer() may have changed, sometimes without a change. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/**
 * Checks an Authorization header, or `authorization` of connection_init. Null: unknown credentials. API keys are checked
 * synchronously, tokens asynchronously. Rejects with UPSTREAM_UNAVAILABLE if a token cannot be checked now.
 */
export type Authenticate = (authorization: string | undefined) => MaybePromise<Grant | null>;

/** Authenticate with a limit of failed attempts per address: rejects with RATE_LIMITED beyond it. */
export type Admit = (authorization: string | undefined, address: string) => MaybePromise<Grant | null>;

/** The longest delay of setTimeout. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** The grant until a time. `clock`, `endsAt`: epoch milliseconds. */
export function grantUntil(endsAt: number, grant: Grant, clock: () => number = () => Date.now()): Grant {
  return {
    viewer: () => (clock() < endsAt ? grant.viewer() : null),
    onChange(listener) {
      const stopListening = grant.onChange(listener);
      let timer = setTimeout(check, Math.min(endsAt - clock(), MAX_DELAY_MS));
      function check(): void {
        const left = endsAt - clock();
        if (left <= 0) listener();
        else timer = setTimeout(check, Math.min(left, MAX_DELAY_MS));
      }
      return () => {
        stopListening();
        clearTimeout(timer);
      };
    },
  };
}

/** The grant while the viewer has this access: a stream that began with another one must not go on. */
export function withAccess(grant: Grant, access: Viewer["access"]): Grant {
  const text = canonicalJson(access);
  return {
    viewer() {
      const viewer = grant.viewer();
      return viewer && (viewer.access === access || canonicalJson(viewer.access) === text) ? viewer : null;
    },
    onChange: (listener) => grant.onChange(listener),
  };
}

/** A grant that never changes. */
export function lastingGrant(viewer: Viewer): Grant {
  return { viewer: () => viewer, onChange: () => () => undefined };
}
