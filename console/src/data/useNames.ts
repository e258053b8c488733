// The names of tasks and assistants. Assistants are known to the gateway; a task's name is asked of the service once.
import { useEffect, useMemo, useRef, useState } from "react";
import { useSwitchboard } from "switchboard-client/react";
import type { SwitchboardError } from "switchboard-client";
import { useQuery } from "./useQuery.ts";
import type { ConsoleTaskNamesQuery } from "../gql/graphql.ts";
import type { FilterOption } from "../ui/FilterSelect.tsx";
import { knownTasksDocument, namesDocument, taskNamesDocument } from "./documents.ts";

export interface Names {
  /** The ID where no name is known. Null for no task. */
  task: (taskId: string | null) => string | null;
  assistant: (assistantId: string) => string;
}

const NO_VARIABLES = {};
/** The list may hold thousands of calls; the tasks of the newest ones are asked for. */
const LOOKED_AT = 200;
const AT_ONCE = 20;

/** `learned`: when it changes, tasks may have shown further names. */
export function useAssistantNames(learned?: unknown): ReadonlyMap<string, string> {
  const { data, refetch } = useQuery(namesDocument, NO_VARIABLES);
  const asked = useRef(learned);
  useEffect(() => {
    if (asked.current !== learned) refetch();
    asked.current = learned;
  }, [learned, refetch]);
  return useMemo(
    () => new Map((data?.assistants?.nodes ?? []).map(({ assistantId, name }) => [assistantId, name ?? assistantId])),
    [data],
  );
}

/** `taskIds`: of the calls that are shown, the first ones first. */
export function useNames(taskIds: readonly (string | null)[]): Names {
  const tasks = useTaskNames(taskIds);
  const assistants = useAssistantNames(tasks);
  return useMemo(
    () => ({
      task: (taskId) => (taskId === null ? null : (tasks.get(taskId) ?? taskId)),
      assistant: (assistantId) => assistants.get(assistantId) ?? assistantId,
    }),
    [assistants, tasks],
  );
}

export function useTaskNames(taskIds: readonly (string | null)[]): ReadonlyMap<string, string> {
  const client = useSwitchboard();
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef(new Set<string>());

  useEffect(() => {
    const met = taskIds.slice(0, LOOKED_AT).filter((id) => id !== null);
    const unknown = [...new Set(met)].filter((id) => !asked.current.has(id)).slice(0, AT_ONCE);
    if (unknown.length === 0) return;
    for (const id of unknown) asked.current.add(id);
    client.query(taskNamesDocument, { taskIds: unknown }).then(
      (data) => setNames((before) => withNames(before, data)),
      // The ID is shown in place of a name that the service does not tell.
      (error: SwitchboardError) => setNames((before) => withNames(before, error.data as ConsoleTaskNamesQuery | null)),
    );
  }, [client, taskIds]);
  return names;
}

function withNames(before: ReadonlyMap<string, string>, data: ConsoleTaskNamesQuery | null | undefined) {
  const found = (data?.tasksByIds ?? []).flatMap((task): [string, string][] =>
    task?.name ? [[task.taskId, task.name]] : [],
  );
  return found.length === 0 ? before : new Map([...before, ...found]);
}

/** For a filter. Each task is asked of the service, so they are read when they are `wanted`. */
export function useTaskOptions(isWanted: boolean): readonly FilterOption[] {
  const variables = useMemo(() => (isWanted ? {} : null), [isWanted]);
  const { data } = useQuery(knownTasksDocument, variables);
  return useMemo(
    () =>
      (data?.tasks?.nodes ?? []).flatMap((task) =>
        task ? { value: task.taskId, label: task.name ?? task.taskId } : [],
      ),
    [data],
  );
}
