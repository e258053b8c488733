// Asks a query while a component shows its answer, and asks again by itself after a failure that may pass.
import { useCallback, useEffect, useRef, useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import { useReport } from "../state/StateProvider.tsx";
import type { TypedDocumentString } from "../gql/graphql.ts";

export interface QueryState<Data> {
  /** The newest answer to these variables; undefined before the first. Beside an error it is from before, or partial if none was whole. */
  data: Data | undefined;
  /** Epoch milliseconds of the newest answer that was whole; null: none was. */
  answeredAt: number | null;
  /** Why the last attempt failed. */
  error: SwitchboardError | null;
  /** Epoch milliseconds of the first failure since the last answer. */
  failedSince: number | null;
  /** Epoch milliseconds of the next attempt; null where none follows by itself. */
  retryAt: number | null;
  isLoading: boolean;
}

export interface Query<Data> extends QueryState<Data> {
  refetch: () => void;
}

const RETRY_MS = 5000;
const MAX_RETRY_MS = 60_000;

/** `variables`: compared by value; null: nothing is asked. Other variables begin without data. */
export function useQuery<Data, Variables>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables | null,
): Query<Data> {
  const client = useSwitchboard();
  const report = useReport();
  const key = JSON.stringify(variables);
  const [state, setState] = useState<QueryState<Data> & { key: string }>(() => beginning(key));
  /** Counts the attempts, each of which starts the effect again. */
  const [attempt, setAttempt] = useState(0);
  const retries = useRef(0);
  if (state.key !== key) setState(beginning(key));

  useEffect(() => {
    const asked = JSON.parse(key) as Variables | null;
    if (asked === null) return undefined;
    const leaving = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    setState((before) => ({ ...before, isLoading: true }));
    client.query(document, asked, { signal: leaving.signal }).then(
      (data) => {
        retries.current = 0;
        if (!leaving.signal.aborted) setState({ ...beginning(key), data, answeredAt: Date.now(), isLoading: false });
      },
      (error: SwitchboardError) => {
        if (leaving.signal.aborted) return;
        report(error.code);
        const pause = retryPauseMs(error, retries.current++);
        setState((before) => failed(before, error, pause === null ? null : Date.now() + pause));
        if (pause !== null) timer = setTimeout(() => setAttempt((last) => last + 1), pause);
      },
    );
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, document, key, attempt, report]);

  const refetch = useCallback(() => setAttempt((last) => last + 1), []);
  return state.key === key ? { ...state, refetch } : { ...beginning<Data>(key), refetch };
}

function beginning<Data>(key: string): QueryState<Data> & { key: string } {
  return {
    key,
    data: undefined,
    answeredAt: null,
    error: null,
    failedSince: null,
    retryAt: null,
    isLoading: key !== "null",
  };
}

function failed<Data, State extends QueryState<Data>>(
  before: State,
  error: SwitchboardError,
  retryAt: number | null,
): State {
  // What was read whole stays: a list must not lose its rows because a later answer misses some.
  const partial = before.answeredAt === null && hasContent(error.data) ? (error.data as Data) : undefined;
  const data = partial ?? before.data;
  return { ...before, data, error, failedSince: before.failedSince ?? Date.now(), retryAt, isLoading: false };
}

/** Whether a part of the answer is there. */
const hasContent = (data: unknown): boolean => Object.values(data ?? {}).some((value) => value !== null);

/** How long to wait before the next attempt; null where it would fail, too. */
export function retryPauseMs({ retryable, retryAfter }: SwitchboardError, retries: number): number | null {
  return retryable ? Math.max((retryAfter ?? 0) * 1000, Math.min(RETRY_MS * 2 ** retries, MAX_RETRY_MS)) : null;
}
