// Asks the gateway what a task would do, before a viewer is asked: when it calls, whom, and what would refuse it. It is asked again
// when the plan changes, and when one of its periods begins or ends.
import { useCallback, useEffect, useState } from "react";
import type { graph, SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import type { ConsoleCheckTaskMutation } from "../../../gql/graphql.ts";
import { checkTaskDocument } from "./documents.ts";

export type TaskCheck = ConsoleCheckTaskMutation["checkTask"];

type CheckTaskInput = graph.CheckTaskInput;

export interface CheckedTask {
  check: TaskCheck | null;
  error: SwitchboardError | null;
  again: () => void;
}

/** While somebody types, only the last plan is checked. */
const PAUSE_MS = 300;
/** The longest time that a timer can wait is 24 days. */
const LONGEST_MS = 24 * 3_600_000;
const BEHIND_MS = 500;

/** `input`: the same object while it is the same plan; null: nothing is asked. */
export function useTaskCheck(input: CheckTaskInput | null): CheckedTask {
  const client = useSwitchboard();
  const [state, setState] = useState<{ of: CheckTaskInput | null } & Omit<CheckedTask, "again">>(NOTHING);
  const [attempt, setAttempt] = useState(0);
  const again = useCallback(() => setAttempt((last) => last + 1), []);

  useEffect(() => {
    if (input === null) return undefined;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      client.mutate(checkTaskDocument, { input }, { signal: leaving.signal }).then(
        ({ checkTask }) => !leaving.signal.aborted && setState({ of: input, check: checkTask, error: null }),
        (error: SwitchboardError) => !leaving.signal.aborted && setState({ of: input, check: null, error }),
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, input, attempt]);

  const shown = state.of === input ? state : NOTHING;
  const next = nextChange(shown.check);
  useEffect(() => {
    if (next === null) return undefined;
    const timer = setTimeout(again, Math.min(Math.max(0, next - Date.now()) + BEHIND_MS, LONGEST_MS));
    return () => clearTimeout(timer);
  }, [next, again]);
  return { check: shown.check, error: shown.error, again };
}

const NOTHING = { of: null, check: null, error: null };

/** When a period begins or ends next, in epoch milliseconds. */
function nextChange(check: TaskCheck | null): number | null {
  const instants = (check?.schedule?.periods ?? []).flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]);
  const later = instants.flatMap((each) => (each === null ? [] : [Date.parse(each)])).filter((at) => at > Date.now());
  return later.length === 0 ? null : Math.min(...later);
}
