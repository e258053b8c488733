// The open alerts on campaigns: those of all for the bar of every view and Health, and those of one task for its details.
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
  /** Whether there are more than these. */
  hasMore: boolean;
  /** Whether the last attempt to read them failed. */
  isFailed: boolean;
  refetch(): void;
}

const EVERY_MS = 10_000;
const NONE: OpenAlerts = { alerts: [], hasMore: false, isFailed: false, refetch: () => undefined };
const AlertsContext = createContext<OpenAlerts>(NONE);

/** `taskId` null: of all tasks. */
export function useAlertsOf(taskId: string | null): OpenAlerts {
  const { holds } = useSession();
  const { language } = useLocale();
  const seesCalls = holds("calls:read");
  const variables = useMemo(() => {
    if (!seesCalls) return null;
    return {
      language: language === "zh" ? ("ZH" as const) : ("EN" as const),
      taskIds: taskId === null ? null : [taskId],
    };
  }, [seesCalls, language, taskId]);
  const { data, error, isLoading, refetch } = useQuery(openAlertsDocument, variables);
  // A read that takes long is not begun anew, and a failed one is tried again by itself.
  useEvery(EVERY_MS, () => seesCalls && !isLoading && error === null && refetch());
  // A viewer that sees some rows only is refused.
  const isFailed = error !== null && error.code !== "FORBIDDEN";
  const found = data?.alerts;
  return useMemo(
    () => ({ alerts: found?.nodes ?? [], hasMore: found?.pageInfo.hasNextPage ?? false, isFailed, refetch }),
    [found, isFailed, refetch],
  );
}

export function AlertsProvider({ children }: { children: ReactNode }) {
  return <AlertsContext value={useAlertsOf(null)}>{children}</AlertsContext>;
}

export const useOpenAlerts = (): OpenAlerts => useContext(AlertsContext);
