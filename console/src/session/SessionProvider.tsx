// Shows the sign-in until somebody is signed in, and gives the views the session.
import { createContext, useContext, useMemo, useSyncExternalStore, type ReactNode } from "react";
import { SwitchboardProvider } from "switchboard-client/react";
import { SignIn } from "./SignIn.tsx";
import type { Scope, Session, SignedIn } from "./session.ts";

export interface ViewerSession extends SignedIn {
  holds(scope: Scope): boolean;
  signOut(): void;
  refresh(): void;
}

const SessionContext = createContext<ViewerSession | null>(null);

export function SessionProvider({ session, children }: { session: Session; children: ReactNode }) {
  const state = useSyncExternalStore(session.subscribe, session.get);
  const value = useMemo<ViewerSession | null>(() => {
    if (state.name !== "signedIn") return null;
    const { signOut, refresh } = session;
    return { ...state, holds: (scope) => state.viewer.scopes.has(scope), signOut, refresh };
  }, [state, session]);
  if (!value) return <SignIn session={session} state={state} />;
  return (
    <SwitchboardProvider client={value.client}>
      <SessionContext value={value}>{children}</SessionContext>
    </SwitchboardProvider>
  );
}

export function useSession(): ViewerSession {
  const session = useContext(SessionContext);
  if (!session) throw new Error("useSession needs a SessionProvider.");
  return session;
}
