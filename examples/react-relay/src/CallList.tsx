import type { Client } from "graphql-ws";
import { useMemo, useState } from "react";
import { graphql, useLazyLoadQuery, usePaginationFragment, useSubscription } from "react-relay";
import { CallTable } from "../../shared/CallTable.tsx";
import { Errors } from "../../shared/Errors.tsx";
import type { GatewayError } from "../../shared/messageFor.ts";
import { mergeCalls, type Call } from "../../shared/mergeCalls.ts";
import { useSocketState } from "../../shared/useSocketState.ts";
import type { CallList_calls$key } from "./__generated__/CallList_calls.graphql.ts";
import type { CallListEndedSubscription } from "./__generated__/CallListEndedSubscription.graphql.ts";
import type { CallListPageQuery } from "./__generated__/CallListPageQuery.graphql.ts";
import type { CallListQuery } from "./__generated__/CallListQuery.graphql.ts";
import { errorsOf } from "./errors.ts";
import { Guard } from "./Guard.tsx";

export function CallList({ socket }: { socket: Client }) {
  const [reloads, setReloads] = useState(0);
  const socketState = useSocketState(socket);
  return (
    <section aria-label="Calls">
      <Guard key={reloads}>
        <FollowedCalls fetchKey={reloads} socketState={socketState} />
      </Guard>
      <p>
        <button onClick={() => setReloads(reloads + 1)}>Reload</button>
      </p>
    </section>
  );
}

/** The list, and each call that ended since: from the first page's place in the log, through reconnects and restarts. */
function FollowedCalls({ fetchKey, socketState }: { fetchKey: number; socketState: string }) {
  const query = useLazyLoadQuery<CallListQuery>(
    graphql`
      query CallListQuery {
        ...CallList_calls
      }
    `,
    {},
    { fetchKey, fetchPolicy: "network-only" },
  );
  const { data, loadNext, hasNext, isLoadingNext } = usePaginationFragment<CallListPageQuery, CallList_calls$key>(
    graphql`
      fragment CallList_calls on Query
      @refetchable(queryName: "CallListPageQuery")
      @argumentDefinitions(first: { type: "Int", defaultValue: 10 }, after: { type: "String" }) {
        callLogs(first: $first, after: $after) @connection(key: "CallList_callLogs") {
          headCursor
          totalCount
          driftDetected
          edges {
            node {
              id
              sessionId
              direction
              caller
              callee
              startAt
              endAt
              answered
              task {
                id
                name
              }
              assistants {
                assistantId
                versionId
                assistant {
                  id
                  name
                }
              }
            }
          }
        }
      }
    `,
    query,
  );
  const [pageErrors, setPageErrors] = useState<GatewayError[]>([]);
  const [headCursor] = useState(data.callLogs?.headCursor); // a later page has a later one
  const { ended, errors } = useEndedCalls(headCursor);
  const loadMore = () => loadNext(10, { onComplete: (error) => setPageErrors(error ? errorsOf(error) : []) });
  if (!data.callLogs) return null;
  const { edges, totalCount, driftDetected } = data.callLogs;
  const listed = edges.map(({ node }) => node);
  return (
    <>
      <p role="status">
        {listed.length} of {totalCount} calls that the service lists today. {ended.length} ended since, {socketState}.
        {driftDetected && " The list moved while you paged, so calls may be missing or repeated: reload it."}
      </p>
      <Errors errors={[...pageErrors, ...errors]} />
      <CallTable calls={mergeCalls(listed, ended)} />
      {hasNext && (
        <button disabled={isLoadingNext} onClick={loadMore}>
          Load more
        </button>
      )}
    </>
  );
}

function useEndedCalls(after: string | undefined) {
  const [ended, setEnded] = useState<readonly Call[]>([]);
  const [errors, setErrors] = useState<GatewayError[]>([]);
  // Another object would be another subscription.
  const config = useMemo(
    () => ({
      subscription: graphql`
        subscription CallListEndedSubscription($after: String) {
          callEnded(after: $after) {
            cursor
            id
            sessionId
            direction
            caller
            callee
            startAt
            endAt
            answered
            task {
              id
              name
            }
            assistants {
              assistantId
              versionId
              assistant {
                id
                name
              }
            }
          }
        }
      `,
      variables: { after: after ?? null },
      onNext: (data: CallListEndedSubscription["response"] | null | undefined) =>
        data && setEnded((calls) => [...calls, data.callEnded]),
      onError: (error: Error) => setErrors(errorsOf(error)),
    }),
    [after],
  );
  useSubscription<CallListEndedSubscription>(config);
  return { ended, errors };
}
