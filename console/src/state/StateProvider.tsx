// One state for the whole console: what is known of the gateway, the service, webhooks and live events, the same in every view.
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore, type ReactNode } from "react";
import { useConnectionState } from "switchboard-client/react";
import { useSession } from "../session/SessionProvider.tsx";
import { createFactsStore } from "./factsStore.ts";
import { judge, type Judged } from "./judge.ts";

const StateContext = createContext<Judged | null>(null);
const ReportContext = createContext<(code: string) => void>(() => undefined);

export function StateProvider({ children }: { children: ReactNode }) {
  const { client, holds } = useSession();
  const [isAdmin, calls] = [holds("admin"), holds("calls:read")];
  const store = useMemo(() => createFactsStore(client, { admin: isAdmin, calls }), [client, isAdmin, calls]);
  useEffect(() => store.start(), [store]);
  const facts = useSyncExternalStore(store.subscribe, store.get);
  const isOnline = useSyncExternalStore(onOnlineChange, () => navigator.onLine);
  const connection = useConnectionState();
  const judged = useMemo(() => judge({ facts, connection, isOnline, isAdmin }), [facts, connection, isOnline, isAdmin]);
  return (
    <ReportContext value={store.report}>
      <StateContext value={judged}>{children}</StateContext>
    </ReportContext>
  );
}

export function useConsoleState(): Judged {
  const judged = useContext(StateContext);
  if (!judged) throw new Error("useConsoleState needs a StateProvider.");
  return judged;
}

/** For the attribute data-old, which greys what is shown: whether it could not be read anew. */
export const useOld = (error: unknown): true | undefined => useConsoleState().isOld || error !== null || undefined;

/** Takes the code of an operation that failed: it may tell that the gateway or the service is away. */
export const useReport = (): ((code: string) => void) => useContext(ReportContext);

function onOnlineChange(listener: () => void): () => void {
  addEventListener("online", listener);
  addEventListener("offline", listener);
  return () => {
    removeEventListener("online", listener);
    removeEventListener("offline", listener);
  };
}
