// The names of tasks and assistants. Assistants are known to the gateway; a task's name is asked of the service once, and again later
// where the service did not tell it.
import { useEffect, useMemo, useRef, useState } from "react";
import { useSwitchboard } from "switchboard-client/react";
import type { SwitchboardError } from "switchboard-client";
import type { ConsoleTaskNamesQuery } from "../gql/graphql.ts";
import type { FilterOption } from "../ui/FilterChip.tsx";
import { knownTasksDocument, namesDocument, taskNamesDocument } from "./documents.ts";
import { askPatiently } from "./askPatiently.ts";
import { useLearnedNames, type LearnedNames, type NameEntry } from "./NamesProvider.tsx";
import { toldApart } from "./toldApart.ts";
import { useQuery } from "./useQuery.ts";

export interface Names {
  /** The ID where no name is known, and beside a name that several have. Null for no task. */
  task: (taskId: string | null) => string | null;
  assistant: (assistantId: string) => string;
}

/** For a filter. */
export interface NamedOptions {
  options: readonly FilterOption[];
  /** The list could not be read: there may be others. */
  isPartial: boolean;
}

const NO_VARIABLES = {};
/** The list may hold thousands of calls; the tasks of the newest ones are asked for. */
const LOOKED_AT = 200;
const AT_ONCE = 20;
/** After the first failure; twice as long after each further one, for the service may never tell these names. */
const AGAIN_MS = 15_000;
const SELDOM_MS = 300_000;

/** `learned`: when it changes, tasks may have shown further names. */
function useAssistantNames(learned?: unknown): { names: ReadonlyMap<string, string>; isPartial: boolean } {
  const { data, error, refetch } = useQuery(namesDocument, NO_VARIABLES);
  const { assistants, learnAssistants } = useLearnedNames();
  const asked = useRef(learned);
  useEffect(() => {
    if (asked.current !== learned) refetch();
    asked.current = learned;
  }, [learned, refetch]);
  useEffect(() => {
    learnAssistants((data?.assistants?.nodes ?? []).map(({ assistantId, name }) => [assistantId, name ?? assistantId]));
  }, [data, learnAssistants]);
  return { names: assistants, isPartial: error !== null };
}

export function useAssistantOptions(): NamedOptions {
  const { names, isPartial } = useAssistantNames();
  return useMemo(
    () => ({ options: [...toldApart(names)].map(([value, label]) => ({ value, label })), isPartial }),
    [names, isPartial],
  );
}

/** `taskIds`: of the calls that are shown, the first ones first. */
export function useNames(taskIds: readonly (string | null)[]): Names {
  const tasks = useTaskNames(taskIds);
  const { names: assistants } = useAssistantNames(tasks);
  return useMemo(() => {
    const [taskLabels, assistantLabels] = [toldApart(tasks), toldApart(assistants)];
    return {
      task: (taskId) => (taskId === null ? null : (taskLabels.get(taskId) ?? taskId)),
      assistant: (assistantId) => assistantLabels.get(assistantId) ?? assistantId,
    };
  }, [assistants, tasks]);
}

export function useTaskNames(taskIds: readonly (string | null)[]): ReadonlyMap<string, string> {
  const client = useSwitchboard();
  const { tasks, learnTasks, asked } = useLearnedNames();
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const met = taskIds.slice(0, LOOKED_AT).filter((id) => id !== null);
    const unknown = [...new Set(met)].filter((id) => !asked.has(id)).slice(0, AT_ONCE);
    if (unknown.length === 0) return;
    for (const id of unknown) asked.add(id);
    client.query(taskNamesDocument, { taskIds: unknown }).then(
      (data) => {
        learnTasks(entriesOf(data));
        setAttempt(0);
      },
      (error: SwitchboardError) => {
        const found = entriesOf(error.data as ConsoleTaskNamesQuery | null);
        learnTasks(found);
        // The ID is shown in place of a name that the service does not tell now.
        const askAgain = () => {
          for (const id of unknown) if (found.every(([known]) => known !== id)) asked.delete(id);
          setAttempt((last) => last + 1);
        };
        setTimeout(askAgain, Math.min(AGAIN_MS * 2 ** attempt, SELDOM_MS));
      },
    );
  }, [client, taskIds, asked, learnTasks, attempt]);
  return tasks;
}

/** For work that cannot wait for the page to be drawn again. */
export function useNameLearner() {
  const client = useSwitchboard();
  const names = useLearnedNames();
  const learned = useRef<Pick<LearnedNames, "tasks" | "assistants">>(names);
  learned.current = names;
  const tried = useRef(new Set<string>());

  /**
   * Asks for names that are not known, once for each. Resolves when `learned` has those that the service tells; others stay without a name.
   * Rejects with the signal's reason.
   */
  async function learnTaskNames(taskIds: readonly (string | null)[], signal: AbortSignal): Promise<void> {
    const { tasks, assistants } = learned.current;
    const met = new Set(taskIds.filter((id) => id !== null));
    const unknown = [...met].filter((id) => !tasks.has(id) && !tried.current.has(id));
    for (const id of unknown) tried.current.add(id);
    for (let at = 0; at < unknown.length; at += AT_ONCE) {
      const asked = { taskIds: unknown.slice(at, at + AT_ONCE) };
      const found = entriesOf(
        await askPatiently(
          () => ask(asked, signal),
          signal,
          () => undefined,
        ).catch(() => null),
      );
      signal.throwIfAborted();
      learned.current = { tasks: new Map([...learned.current.tasks, ...found]), assistants };
      names.learnTasks(found);
    }
  }
  /** With names of some tasks, where the others fail. */
  async function ask(asked: { taskIds: string[] }, signal: AbortSignal) {
    try {
      return await client.query(taskNamesDocument, asked, { signal });
    } catch (error) {
      const data = (error as SwitchboardError).data as ConsoleTaskNamesQuery | null | undefined;
      if (data?.tasksByIds) return data;
      throw error;
    }
  }
  return { learned, learnTaskNames };
}

function entriesOf(data: ConsoleTaskNamesQuery | null | undefined): readonly NameEntry[] {
  return (data?.tasksByIds ?? []).flatMap((task): NameEntry[] => (task?.name ? [[task.taskId, task.name]] : []));
}

/** Each task is asked of the service, so they are read when they are `wanted`. */
export function useTaskOptions(isWanted: boolean): NamedOptions {
  const variables = useMemo(() => (isWanted ? {} : null), [isWanted]);
  const { data, error } = useQuery(knownTasksDocument, variables);
  const { tasks, learnTasks } = useLearnedNames();
  const listed = useMemo(() => (data?.tasks?.nodes ?? []).flatMap((task) => task ?? []), [data]);
  useEffect(() => {
    learnTasks(listed.flatMap(({ taskId, name }): NameEntry[] => (name === null ? [] : [[taskId, name]])));
  }, [listed, learnTasks]);
  return useMemo(() => {
    const ids = new Set([...listed.map(({ taskId }) => taskId), ...(error || !data ? tasks.keys() : [])]);
    const labels = toldApart(tasks);
    return {
      options: [...ids].map((value) => ({ value, label: labels.get(value) ?? value })),
      isPartial: error !== null,
    };
  }, [listed, tasks, data, error]);
}
