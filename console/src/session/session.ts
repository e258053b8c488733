// The viewer of this tab: its key, its client and its scopes. The key stays in sessionStorage under the name that GraphiQL's
// page uses, too, so that both have the same viewer. A gateway without keys needs none.
import { createSwitchboardClient, type SwitchboardClient, type SwitchboardError } from "switchboard-client";
import { sessionDocument } from "./documents.ts";
import { NUMBERS_ENTRY } from "./numbersEntry.ts";

export type Scope =
  | "calls:read"
  | "tasks:create"
  | "tasks:propose"
  | "tasks:approve"
  | "people:read"
  | "assistants:prompts"
  | "recordings:read"
  | "admin";

export interface SignedIn {
  name: "signedIn";
  client: SwitchboardClient;
  viewer: { name: string; scopes: ReadonlySet<string> };
  /** IANA zone of the service's clock. */
  serviceTimeZone: string;
  /** False: the gateway asked for none. */
  hasKey: boolean;
}

export type SessionState =
  | { name: "opening" }
  | SignedIn
  /** `reason`: why the key before is of no use. Null where there was none. */
  | { name: "signedOut"; reason: "refused" | "ended" | "limited" | null }
  | { name: "unreachable"; code: string; retryAt: number };

export interface Session {
  get(): SessionState;
  subscribe(listener: () => void): () => void;
  /** With the kept key, or without one. */
  open(): void;
  signIn(key: string): Promise<void>;
  signOut(): void;
  /** Reads the scopes again: an operation was refused that they seemed to allow. */
  refresh(): void;
}

const KEY_NAME = "switchboard-key";
/** What GraphiQL in the view Explore keeps for the tab: queries and variables, which may hold numbers, too. */
const GRAPHIQL_ENTRIES = "graphiql:";
const RETRY_MS = 5000;

/** `storage`: null where the browser keeps nothing. Then a reload asks for the key again. */
export function createSession(storage: Storage | null): Session {
  const listeners = new Set<() => void>();
  let state: SessionState = { name: "opening" };
  let opened: SwitchboardClient | null = null;
  let retry: ReturnType<typeof setTimeout> | undefined;

  function set(next: SessionState): void {
    state = next;
    for (const listener of listeners) listener();
  }
  function leave(reason: "refused" | "ended" | "limited" | null): void {
    clearTimeout(retry);
    // A key may come back after too many attempts.
    if (reason !== "limited") storage?.removeItem(KEY_NAME);
    void opened?.close();
    opened = null;
    set({ name: "signedOut", reason });
  }
  function connect(key: string | null): SwitchboardClient {
    const value = key === null || /^\w+ /.test(key) ? (key ?? undefined) : `Bearer ${key}`;
    const client = createSwitchboardClient({
      url: new URL("/graphql", location.origin).href,
      authorization(refused) {
        // Asked again with the value that was refused. While the session opens, the answer says it, too.
        if (refused !== undefined && client === opened && state.name === "signedIn") leave("ended");
        return value;
      },
    });
    return client;
  }
  function keepKey(key: string): void {
    try {
      storage?.setItem(KEY_NAME, key);
    } catch {
      // The storage is full: a reload asks for the key again.
    }
  }
  async function openWith(key: string | null): Promise<void> {
    clearTimeout(retry);
    void opened?.close();
    const client = connect(key);
    opened = client;
    try {
      const { viewer, serviceTimeZone } = await client.query(sessionDocument);
      if (client !== opened) return;
      if (key !== null) keepKey(key);
      const scopes = new Set(viewer.scopes);
      set({ name: "signedIn", client, viewer: { ...viewer, scopes }, serviceTimeZone, hasKey: key !== null });
    } catch (error) {
      if (client !== opened) return;
      const { code } = error as SwitchboardError;
      if (code === "UNAUTHENTICATED") return leave(key === null ? null : "refused");
      if (code === "RATE_LIMITED") return leave("limited");
      set({ name: "unreachable", code, retryAt: Date.now() + RETRY_MS });
      retry = setTimeout(() => void openWith(key), RETRY_MS);
    }
  }
  return {
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    open: () => void openWith(storage?.getItem(KEY_NAME) ?? null),
    signIn: (key) => openWith(key),
    signOut() {
      storage?.removeItem(NUMBERS_ENTRY);
      for (const name of Object.keys(storage ?? {})) if (name.startsWith(GRAPHIQL_ENTRIES)) storage?.removeItem(name);
      leave(null);
    },
    refresh() {
      const before = state;
      if (before.name !== "signedIn") return;
      before.client.query(sessionDocument).then(
        ({ viewer }) => {
          if (state === before) set({ ...before, viewer: { ...viewer, scopes: new Set(viewer.scopes) } });
        },
        // What failed will be told by the operation that fails next.
        () => undefined,
      );
    },
  };
}
