// Asks the gateway what a task would do, before a viewer is asked: when it calls, whom, and what would refuse it. It is asked again
// when the plan changes, when one of its periods begins or ends, and after a failure that may pass.
import { useCallback, useEffect, useRef, useState } from "react";
import type { graph, SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import { retryPauseMs } from "../../../data/useQuery.ts";
import type { ConsoleCheckTaskMutation } from "../../../gql/graphql.ts";
import { checkTaskDocument } from "./documents.ts";
import { nextChange } from "./nextChange.ts";

export type TaskCheck = ConsoleCheckTaskMutation["checkTask"];

type CheckTaskInput = graph.CheckTaskInput;

interface Answer {
  check: TaskCheck | null;
  error: SwitchboardError | null;
  /** Epoch milliseconds of the first failure since the last answer. */
  failedSince: number | null;
  /** Epoch milliseconds of the next attempt; null where none follows by itself. */
  retryAt: number | null;
}

export interface CheckedTask extends Answer {
  again: () => void;
}

/** While somebody types, only the last plan is checked. */
const PAUSE_MS = 300;
/** The longest time that a timer can wait is 24 days. */
const LONGEST_MS = 24 * 3_600_000;

/** `input`: the same object while it is the same plan; null: nothing is asked. */
export function useTaskCheck(input: CheckTaskInput | null): CheckedTask {
  const client = useSwitchboard();
  const [state, setState] = useState<{ of: CheckTaskInput | null } & Answer>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const retries = useRef(0);
  const again = useCallback(() => setAttempt((last) => last + 1), []);

  useEffect(() => {
    if (input === null) return undefined;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      client.mutate(checkTaskDocument, { input }, { signal: leaving.signal }).then(
        ({ checkTask }) => {
          if (leaving.signal.aborted) return;
          retries.current = 0;
          setState({ ...NOTHING, of: input, check: checkTask });
        },
        (error: SwitchboardError) => {
          if (leaving.signal.aborted) return;
          const pause = retryPauseMs(error, retries.current++);
          const retryAt = pause === null ? null : Date.now() + pause;
          setState(({ failedSince }) => ({
            ...NOTHING,
            of: input,
            error,
            failedSince: failedSince ?? Date.now(),
            retryAt,
          }));
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, input, attempt]);

  const shown = state.of === input ? state : NOTHING;
  useEffect(() => {
    const next = shown.retryAt ?? nextChange(shown.check?.schedule, Date.now());
    if (next === null) return undefined;
    const timer = setTimeout(again, Math.min(Math.max(0, next - Date.now()), LONGEST_MS));
    return () => clearTimeout(timer);
  }, [shown, again]);
  return { ...shown, again };
}

const NOTHING = { of: null, check: null, error: null, failedSince: null, retryAt: null };
