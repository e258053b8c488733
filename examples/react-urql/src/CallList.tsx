import type { Client as Socket } from "graphql-ws";
import { useState } from "react";
import { useClient, useQuery, useSubscription } from "urql";
import { CallTable } from "../../shared/CallTable.tsx";
import { Errors } from "../../shared/Errors.tsx";
import { mergeCalls, type Call } from "../../shared/mergeCalls.ts";
import { useSocketState } from "../../shared/useSocketState.ts";
import { errorsOf } from "./errors.ts";
import type { CallEndedSubscription, CallsQuery } from "./gql/graphql.ts";
import { CallEndedDocument, CallsDocument } from "./operations.ts";

type Page = NonNullable<CallsQuery["callLogs"]>;

export function CallList({ socket }: { socket: Socket }) {
  const [{ data, error, fetching }, ask] = useQuery({ query: CallsDocument });
  const socketState = useSocketState(socket);
  const page = data?.callLogs;
  return (
    <section aria-label="Calls">
      <Errors errors={errorsOf(error)} />
      {page && <FollowedPages key={page.headCursor} first={page} socketState={socketState} />}
      <p>
        <button disabled={fetching} onClick={() => ask({ requestPolicy: "network-only" })}>
          Reload
        </button>
      </p>
    </section>
  );
}

/** The list, and each call that ended since: from the first page's place in the log, through reconnects and restarts. */
function FollowedPages({ first, socketState }: { first: Page; socketState: string }) {
  const { pages, error: pageError, isLoading, loadMore } = usePages(first);
  const [{ data: ended = [], error }] = useSubscription<CallEndedSubscription, Call[], { after: string }>(
    { query: CallEndedDocument, variables: { after: first.headCursor } },
    (calls = [], { callEnded }) => [...calls, callEnded],
  );
  const listed = pages.flatMap(({ nodes }) => nodes);
  const last = pages.at(-1) ?? first;
  return (
    <>
      <p role="status">
        {listed.length} of {last.totalCount} calls that the service lists today. {ended.length} ended since,{" "}
        {socketState}.
        {last.driftDetected && " The list moved while you paged, so calls may be missing or repeated: reload it."}
      </p>
      <Errors errors={[...errorsOf(pageError), ...errorsOf(error)]} />
      <CallTable calls={mergeCalls(listed, ended)} />
      {last.pageInfo.hasNextPage && (
        <p>
          <button disabled={isLoading} onClick={() => void loadMore(last.pageInfo.endCursor)}>
            Load more
          </button>
        </p>
      )}
    </>
  );
}

function usePages(first: Page) {
  const client = useClient();
  const [more, setMore] = useState<Page[]>([]);
  const [error, setError] = useState<Parameters<typeof errorsOf>[0]>();
  const [isLoading, setLoading] = useState(false);
  async function loadMore(after: string | null) {
    setLoading(true);
    const { data, error } = await client.query(CallsDocument, { after });
    const next = data?.callLogs;
    if (next) setMore((pages) => [...pages, next]);
    setError(error);
    setLoading(false);
  }
  return { pages: [first, ...more], error, isLoading, loadMore };
}
