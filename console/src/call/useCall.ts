// What the details show: the newest event of the call in the log or, where it has none, the call in the service's list.
import { useMemo } from "react";
import { useQuery, type Query } from "../data/useQuery.ts";
import type { ConsoleCallQuery, ConsoleListedCallQuery } from "../gql/graphql.ts";
import { useSession } from "../session/SessionProvider.tsx";
import { callDocument, listedCallDocument } from "./documents.ts";

export type CallEvent = NonNullable<ConsoleCallQuery["callEnded"]>;
type ListedCall = NonNullable<ConsoleListedCallQuery["callLog"]>;

export interface Call extends Omit<ListedCall, "sessionId"> {
  sessionId: string;
  /** Null: the log has no event of this call. */
  event: CallEvent | null;
}

/** `around`: RFC 3339, a time near the call. Null: the service's list is searched over the last days. */
export function useCall(sessionId: string, around: string | null): Query<unknown> & { call: Call | null } {
  const { holds } = useSession();
  const [people, recordings] = [holds("people:read"), holds("recordings:read")];
  const ofLog = useMemo(() => ({ sessionId, people, recordings }), [sessionId, people, recordings]);
  const logged = useQuery(callDocument, ofLog);
  const isMissing = logged.data?.callEnded === null && !logged.error;
  const ofList = useMemo(
    () => (isMissing ? { sessionId, around, recordings } : null),
    [isMissing, sessionId, around, recordings],
  );
  const listed = useQuery(listedCallDocument, ofList);

  const event = logged.data?.callEnded ?? null;
  const found = listed.data?.callLog ?? null;
  const call = event ? { ...event, event } : found ? { ...found, sessionId, event: null } : null;
  return { ...(isMissing ? listed : logged), call };
}
