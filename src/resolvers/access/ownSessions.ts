// The calls that an operation found as the viewer's own. A viewer with `access.lineIds` reaches a call through its task only, because
// nothing in a call names its line. A look-up by session would have to ask the service for the task of every call of others. Then
// the time of the answer would tell that the call exists.
import { notByLookUp } from "./accessRefusals.ts";
import type { RowAccess } from "./rowAccess.ts";

export interface OwnSessions {
  add(sessionId: string | null): void;
  has(sessionId: string | null): boolean;
  /** Throws FORBIDDEN where a call may not be looked up by its session. */
  check(sessionId: string): void;
}

export function createOwnSessions({ findsCalls }: Pick<RowAccess, "findsCalls">): OwnSessions {
  const found = new Set<string>();
  return {
    add(sessionId) {
      if (!findsCalls && sessionId !== null) found.add(sessionId);
    },
    has: (sessionId) => sessionId !== null && found.has(sessionId),
    check(sessionId) {
      if (!findsCalls && !found.has(sessionId)) throw notByLookUp();
    },
  };
}
