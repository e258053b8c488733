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
