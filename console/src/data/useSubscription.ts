// The newest item of a subscription that starts with the present state, such as taskProgress.
import { useCallback, useEffect, useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import type { TypedDocumentString } from "../gql/graphql.ts";

export interface Followed<Data> {
  /** Undefined before the first item. */
  data: Data | undefined;
  /** Why there is nothing newer. The next item sets it to null. */
  error: SwitchboardError | null;
  retry: () => void;
}

/** `variables`: compared by value. Another value begins without data. */
export function useSubscription<Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentString<Data, Variables>,
  variables: Variables,
): Followed<Data> {
  const client = useSwitchboard();
  const key = JSON.stringify(variables);
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ key: string } & Omit<Followed<Data>, "retry">>({
    key,
    data: undefined,
    error: null,
  });

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    function fail(error: unknown): void {
      if (signal.aborted) return;
      const { data } = error as SwitchboardError;
      setState((before) => ({
        key,
        data: (data as Data | undefined) ?? (before.key === key ? before.data : undefined),
        error: error as SwitchboardError,
      }));
    }
    async function follow(): Promise<void> {
      const items = client.subscribe(document, JSON.parse(key) as Variables, { signal, onItemError: fail });
      for await (const data of items) if (!signal.aborted) setState({ key, data, error: null });
    }
    follow().catch(fail);
    return () => leaving.abort();
  }, [client, document, key, attempt]);

  const retry = useCallback(() => setAttempt((last) => last + 1), []);
  return state.key === key ? { ...state, retry } : { data: undefined, error: null, retry };
}
