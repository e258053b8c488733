// What a caller's credentials give, for as long as they hold: a stream outlives the moment at which it was let in.
import type { MaybePromise } from "../util/maybePromise.ts";
import type { Viewer } from "./scopes.ts";

export interface Grant {
  /** As of now; null when the credentials no longer let anybody in. */
  viewer(): Viewer | null;
  /** Calls back, perhaps needlessly, when viewer() may have changed. Gives what stops it. */
  onChange(listener: () => void): () => void;
}

/**
 * Takes the value of an Authorization header (or of connection_init's `authorization`); null: nobody we know. A key is
 * known at once, a token is waited for. Rejects with UPSTREAM_UNAVAILABLE where a token cannot be judged now.
 */
export type Authenticate = (authorization: string | undefined) => MaybePromise<Grant | null>;

/** One that never changes. */
export function lastingGrant(viewer: Viewer): Grant {
  return { viewer: () => viewer, onChange: () => () => undefined };
}
