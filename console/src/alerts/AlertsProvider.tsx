// The open alerts on campaigns, for the bar of every view, Health and the details of tasks.
import { createContext, useContext, useMemo, type ReactNode } from "react";
import { useEvery } from "../data/useEvery.ts";
import { useQuery } from "../data/useQuery.ts";
import type { ConsoleOpenAlertsQuery } from "../gql/graphql.ts";
import { useLocale } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import { openAlertsDocument } from "./documents.ts";

export type OpenAlert = NonNullable<ConsoleOpenAlertsQuery["alerts"]>["nodes"][number];

export interface OpenAlerts {
  /** The newest first. Empty before the first answer, and for a viewer that may see none. */
  alerts: readonly OpenAlert[];
  /** Why the last attempt to read them failed. */
  error: unknown;
  refetch(): void;
}

const EVERY_MS = 10_000;
const NONE: OpenAlerts = { alerts: [], error: null, refetch: () => undefined };
const AlertsContext = createContext<OpenAlerts>(NONE);

export function AlertsProvider({ children }: { children: ReactNode }) {
  const { holds } = useSession();
  const { language } = useLocale();
  const seesCalls = holds("calls:read");
  const variables = useMemo(
    () => (seesCalls ? { language: language === "zh" ? ("ZH" as const) : ("EN" as const) } : null),
    [seesCalls, language],
  );
  const { data, error, refetch } = useQuery(openAlertsDocument, variables);
  // A viewer that sees some rows only is refused.
  const mayAsk = seesCalls && error?.code !== "FORBIDDEN";
  useEvery(EVERY_MS, () => mayAsk && refetch());
  const nodes = data?.alerts?.nodes;
  const open = useMemo(
    () => ({ alerts: nodes ?? [], error: mayAsk ? error : null, refetch }),
    [nodes, error, mayAsk, refetch],
  );
  return <AlertsContext value={open}>{children}</AlertsContext>;
}

export const useOpenAlerts = (): OpenAlerts => useContext(AlertsContext);
