// The newest item of a subscription that starts with the present state, such as taskProgress.
import { useCallback, useEffect, useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import { useReport } from "../state/StateProvider.tsx";
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
  const report = useReport();
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
      // What came whole stays: an item with errors may miss what was there.
      setState((before) => ({
        key,
        data: before.key === key && before.data !== undefined ? before.data : (data as Data | undefined),
        error: error as SwitchboardError,
      }));
      report((error as SwitchboardError).code);
    }
    async function follow(): Promise<void> {
      const items = client.subscribe(document, JSON.parse(key) as Variables, { signal, onItemError: fail });
      for await (const data of items) if (!signal.aborted) setState({ key, data, error: null });
    }
    follow().catch(fail);
    return () => leaving.abort();
  }, [client, document, key, attempt, report]);

  const retry = useCallback(() => setAttempt((last) => last + 1), []);
  return state.key === key ? { ...state, retry } : { data: undefined, error: null, retry };
}
