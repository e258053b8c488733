// Whether a viewer, by name, holds a scope now: for what was granted earlier and is used without credentials.
import type { KeyRing } from "./keyRing.ts";
import type { Scope } from "./scopes.ts";

/** By a key, or because the gateway is open. What a token gives ends with the token, and cannot be looked up. */
export type HoldsScope = (viewer: string, scope: Scope) => boolean;

export const everyoneHolds: HoldsScope = () => true;

export function keysHold(keys: Pick<KeyRing, "byName"> | null): HoldsScope {
  return (viewer, scope) => keys?.byName(viewer)?.scopes.has(scope) ?? false;
}
