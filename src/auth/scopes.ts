// Scopes and viewers.
import type { ViewerPolicy } from "./viewerPolicy.ts";

/** What a viewer may do. docs/security.md describes each scope. */
export const scopes = [
  "calls:read",
  "tasks:create",
  "people:read",
  "assistants:prompts",
  "recordings:read",
  "admin",
] as const;

export type Scope = (typeof scopes)[number];

/** The authenticated caller. `name` is the name of its API key or the subject of its token; answers and log lines show it. */
export interface Viewer extends ViewerPolicy {
  name: string;
  scopes: ReadonlySet<Scope>;
  /** Epoch milliseconds at which a token expires. Undefined for a key, which is valid while it is in its file. */
  tokenEndsAt?: number;
}

const MAX_NAME_LENGTH = 255;

/** Names are logged and stored. Databases refuse NUL, and store unpaired surrogates all as the same character. */
export function isViewerName(name: string): boolean {
  return name !== "" && name.length <= MAX_NAME_LENGTH && name.isWellFormed() && !/\p{Cc}/u.test(name);
}
