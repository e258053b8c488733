import { useQuery, useSubscription } from "@apollo/client/react";
import type { Client } from "graphql-ws";
import { useState } from "react";
import { CallTable } from "../../shared/CallTable.tsx";
import { Errors } from "../../shared/Errors.tsx";
import { mergeCalls, type Call } from "../../shared/mergeCalls.ts";
import { useSocketState } from "../../shared/useSocketState.ts";
import { errorsOf } from "./errors.ts";
import type { CallsQuery } from "./gql/graphql.ts";
import { CallEndedDocument, CallsDocument } from "./operations.ts";

type Page = NonNullable<CallsQuery["callLogs"]>;

export function CallList({ socket }: { socket: Client }) {
  const { data, error, loading, fetchMore, refetch } = useQuery(CallsDocument, {
    errorPolicy: "all", // a field that failed costs only itself
    notifyOnNetworkStatusChange: true,
  });
  const page = data?.callLogs;
  const socketState = useSocketState(socket);
  const loadMore = () =>
    fetchMore({
      variables: { after: page?.pageInfo?.endCursor },
      updateQuery: ({ callLogs }, { fetchMoreResult }) => ({
        callLogs: callLogs && fetchMoreResult.callLogs ? append(callLogs, fetchMoreResult.callLogs) : callLogs,
      }),
    });
  return (
    <section aria-label="Calls">
      <Errors errors={errorsOf(error)} />
      {page && <FollowedPage key={page.headCursor} page={page} socketState={socketState} />}
      <p>
        {page?.pageInfo.hasNextPage && (
          <button disabled={loading} onClick={() => void loadMore()}>
            Load more
          </button>
        )}{" "}
        <button disabled={loading} onClick={() => void refetch()}>
          Reload
        </button>
      </p>
    </section>
  );
}

/** The stream goes on behind the first page, so its `headCursor` stays. */
function append(pages: Page, next: Page): Page {
  return { ...next, headCursor: pages.headCursor, nodes: [...pages.nodes, ...next.nodes] };
}

/** The list, and each call that ended since: from the list's place in the log, through reconnects and restarts. */
function FollowedPage({ page, socketState }: { page: Page; socketState: string }) {
  const [ended, setEnded] = useState<readonly Call[]>([]);
  const { error } = useSubscription(CallEndedDocument, {
    variables: { after: page.headCursor },
    ignoreResults: true,
    onData: ({ data: { data } }) => data && setEnded((calls) => [...calls, data.callEnded]),
  });
  return (
    <>
      <p role="status">
        {page.nodes.length} of {page.totalCount} calls that the service lists today. {ended.length} ended since,{" "}
        {socketState}.
        {page.driftDetected && " The list moved while you paged, so calls may be missing or repeated: reload it."}
      </p>
      <Errors errors={errorsOf(error)} />
      <CallTable calls={mergeCalls(page.nodes, ended)} />
    </>
  );
}
