// The tasks that the gateway knows. A task is read again when one of its calls ends, and every while until it is over.
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { SwitchboardError } from "switchboard-client";
import { useSwitchboard } from "switchboard-client/react";
import { useQuery, type Query } from "../../../data/useQuery.ts";
import type { ConsoleChangedTasksQuery, ConsoleTasksQuery, ListedTaskFragment } from "../../../gql/graphql.ts";
import { changedTasksDocument, endedTaskCallsDocument, taskListDocument } from "../documents.ts";

export type ListedTask = ListedTaskFragment;
type Page = NonNullable<ConsoleTasksQuery["tasks"]>;

export interface TaskList {
  /** The last active first. Null until the first ones are here. */
  tasks: readonly ListedTask[] | null;
  /** Known tasks that the service has no longer. */
  goneCount: number;
  hasMore: boolean;
  isLoadingMore: boolean;
  loadMore: () => void;
  query: Query<ConsoleTasksQuery>;
}

const LOOK_MS = 1000;
/** Each task that is read costs a request to the service. */
const REFRESH_MS = 15_000;
const AT_ONCE = 20;
const FIRST_PAGE = { after: null };

export function useTaskList(): TaskList {
  const client = useSwitchboard();
  const query = useQuery(taskListDocument, FIRST_PAGE);
  const [later, setLater] = useState<readonly Page[]>([]);
  const [isLoadingMore, setLoadingMore] = useState(false);
  const [changed, setChanged] = useState<ReadonlyMap<string, ListedTask>>(new Map());
  const first = query.data?.tasks ?? null;
  const pages = useMemo(() => (first ? [first, ...later] : []), [first, later]);
  const tasks = useMemo(() => (first ? merged(pages, changed) : null), [first, pages, changed]);
  const last = pages.at(-1);

  const { refetch } = query;
  const newest = useRef(tasks);
  newest.current = tasks;
  useEffect(() => {
    const leaving = new AbortController();
    const due = new Set<string>();
    void collectEnded(client.callEnded({ document: endedTaskCallsDocument, signal: leaving.signal }), due);
    let isAsking = false;
    let refreshedAt = Date.now();
    async function look(): Promise<void> {
      if (isAsking || document.hidden || newest.current === null) return;
      if (Date.now() - refreshedAt > REFRESH_MS) {
        refreshedAt = Date.now();
        for (const task of newest.current.filter(isUnderWay).slice(0, AT_ONCE)) due.add(task.taskId);
      }
      if (due.size === 0) return;
      const taskIds = [...due].slice(0, AT_ONCE);
      const known = new Set(newest.current.map(({ taskId }) => taskId));
      for (const taskId of taskIds) due.delete(taskId);
      if (taskIds.some((taskId) => !known.has(taskId))) return refetch();
      isAsking = true;
      const data = await client
        .query(changedTasksDocument, { taskIds }, { signal: leaving.signal })
        // What is shown stays. It is read again with the next call, or the next refresh.
        .catch((error: SwitchboardError) => error.data as ConsoleChangedTasksQuery | null | undefined);
      isAsking = false;
      const found = (data?.tasksByIds ?? []).flatMap((task) => (task ? [[task.taskId, task] as const] : []));
      if (!leaving.signal.aborted && found.length > 0) setChanged((before) => new Map([...before, ...found]));
    }
    const timer = setInterval(() => void look(), LOOK_MS);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, [client, refetch]);
  // A list that is read anew is newer than what had changed before.
  useEffect(() => setChanged(new Map()), [first]);

  const end = last?.pageInfo.endCursor ?? null;
  const loadMore = useCallback(() => {
    setLoadingMore(true);
    client
      .query(taskListDocument, { after: end })
      .then(
        ({ tasks: page }) => page && setLater((before) => [...before, page]),
        // The button stays: the same page can be asked for again.
        () => refetch(),
      )
      .finally(() => setLoadingMore(false));
  }, [client, end, refetch]);

  return {
    tasks,
    goneCount: pages.flatMap(({ nodes }) => nodes).filter((task) => task === null).length,
    hasMore: last?.pageInfo.hasNextPage ?? false,
    isLoadingMore,
    loadMore,
    query,
  };
}

/** A task may have moved to the first page after a later one was read. */
function merged(pages: readonly Page[], changed: ReadonlyMap<string, ListedTask>): ListedTask[] {
  const byId = new Map<string, ListedTask>();
  for (const task of pages.flatMap(({ nodes }) => nodes))
    if (task && !byId.has(task.taskId)) byId.set(task.taskId, changed.get(task.taskId) ?? task);
  return [...byId.values()];
}

export const isUnderWay = ({ status }: { status: ListedTask["status"] }): boolean =>
  status === "PENDING" || status === "RUNNING" || status === "UNKNOWN";

type Ended = AsyncIterable<{ type: "call"; call: { taskId: string | null } } | { type: "gap" }>;

async function collectEnded(calls: Ended, due: Set<string>): Promise<void> {
  try {
    for await (const item of calls) if (item.type === "call" && item.call.taskId) due.add(item.call.taskId);
  } catch {
    // The connection's state is shown at the top of the page, and tasks are still read every while.
  }
}
