// The names of tasks and assistants. Assistants are known to the gateway; a task's name is asked of the service once.
import { useEffect, useMemo, useRef, useState } from "react";
import { useSwitchboard } from "switchboard-client/react";
import type { SwitchboardError } from "switchboard-client";
import { useQuery } from "../../data/useQuery.ts";
import { namesDocument, taskNamesDocument } from "./documents.ts";
import type { ConsoleTaskNamesQuery } from "../../gql/graphql.ts";
import type { LiveItem } from "./useLiveCalls.ts";

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

export function useNames(items: readonly LiveItem[]): Names {
  const tasks = useTaskNames(items);
  const assistants = useAssistantNames(tasks);
  return useMemo(
    () => ({
      task: (taskId) => (taskId === null ? null : (tasks.get(taskId) ?? taskId)),
      assistant: (assistantId) => assistants.get(assistantId) ?? assistantId,
    }),
    [assistants, tasks],
  );
}

export function useTaskNames(items: readonly LiveItem[]): ReadonlyMap<string, string> {
  const client = useSwitchboard();
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef(new Set<string>());

  useEffect(() => {
    const met = items.slice(0, LOOKED_AT).flatMap((item) => (item.type === "call" ? (item.call.taskId ?? []) : []));
    const unknown = [...new Set(met)].filter((id) => !asked.current.has(id)).slice(0, AT_ONCE);
    if (unknown.length === 0) return;
    for (const id of unknown) asked.current.add(id);
    client.query(taskNamesDocument, { taskIds: unknown }).then(
      (data) => setNames((before) => withNames(before, data)),
      // The ID is shown in place of a name that the service does not tell.
      (error: SwitchboardError) => setNames((before) => withNames(before, error.data as ConsoleTaskNamesQuery | null)),
    );
  }, [client, items]);
  return names;
}

function withNames(before: ReadonlyMap<string, string>, data: ConsoleTaskNamesQuery | null | undefined) {
  const found = (data?.tasksByIds ?? []).flatMap((task): [string, string][] =>
    task?.name ? [[task.taskId, task.name]] : [],
  );
  return found.length === 0 ? before : new Map([...before, ...found]);
}
