// Scopes and viewers.
import type { ViewerPolicy } from "./viewerPolicy.ts";

/** What a viewer may do. docs/security.md describes each scope. */
export const scopes = [
  "calls:read",
  "tasks:create",
  "tasks:propose",
  "tasks:approve",
  "people:read",
  "assistants:prompts",
  "recordings:read",
  "admin",
] as const;

export type Scope = (typeof scopes)[number];

/** What a field needs: a scope, or one of several. */
export type NeededScope = Scope | readonly Scope[];

export const oneOf = (needed: NeededScope): readonly Scope[] => (typeof needed === "string" ? [needed] : needed);

export function holdsNeeded({ scopes: held }: Pick<Viewer, "scopes">, needed: NeededScope): boolean {
  return oneOf(needed).some((scope) => held.has(scope));
}

/** Such as `tasks:create, tasks:propose or tasks:approve`. */
export function neededText(needed: NeededScope): string {
  const names = oneOf(needed);
  return [names.slice(0, -1).join(", "), ...names.slice(-1)].filter((part) => part !== "").join(" or ");
}

/** createTask and checkTask: with tasks:propose the task waits for an approval. */
export const SUBMITTING = ["tasks:create", "tasks:propose"] as const satisfies NeededScope;
/** Reads submissions. */
export const SEEING_SUBMISSIONS = [...SUBMITTING, "tasks:approve"] as const satisfies NeededScope;

/** Says that somebody has seen to an alert: those who plan campaigns, and those who run the gateway. */
export const ACKNOWLEDGING = [...SEEING_SUBMISSIONS, "admin"] as const satisfies NeededScope;

/** The authenticated caller. `name` is the name of its API key or the subject of its token; answers and log lines show it. */
export interface Viewer extends ViewerPolicy {
  name: string;
  scopes: ReadonlySet<Scope>;
  /** A program that uses the tools of /mcp. It never approves, whatever its scopes. */
  isAgent?: true;
  /** Epoch milliseconds at which a token expires. Undefined for a key, which is valid while it is in its file. */
  tokenEndsAt?: number;
}

const MAX_NAME_LENGTH = 255;

/** Names are logged and stored. Databases refuse NUL, and store unpaired surrogates all as the same character. */
export function isViewerName(name: string): boolean {
  return name !== "" && name.length <= MAX_NAME_LENGTH && name.isWellFormed() && !/\p{Cc}/u.test(name);
}
