/** What a viewer may do; docs/security.md says what each gives. */
export const scopes = [
  "calls:read",
  "tasks:create",
  "people:read",
  "assistants:prompts",
  "recordings:read",
  "admin",
] as const;

export type Scope = (typeof scopes)[number];

/** Who is asking. `name` is what operators call the key; it stands in answers and log lines. */
export interface Viewer {
  name: string;
  scopes: ReadonlySet<Scope>;
  /** Epoch milliseconds at which a token ends; a key holds while it is in its file. */
  tokenEndsAt?: number;
}

const LONGEST_NAME = 255;

/** It stands in log lines and is kept in databases, where a NUL is refused and two halves of characters are the same one. */
export function isViewerName(name: string): boolean {
  return name !== "" && name.length <= LONGEST_NAME && name.isWellFormed() && !/\p{Cc}/u.test(name);
}
