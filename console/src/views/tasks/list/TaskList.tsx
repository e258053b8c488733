import { useNavigate } from "@tanstack/react-router";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useOld } from "../../../state/StateProvider.tsx";
import { Button } from "../../../ui/Button.tsx";
import { DataTable } from "../../../ui/DataTable.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { texts } from "../texts/texts.ts";
import { useTaskRights } from "../useTaskRights.ts";
import { NarrowTask, useTaskColumns } from "./taskColumns.tsx";
import { SentTasks } from "../sent/SentTasks.tsx";
import { useTaskList, type ListedTask } from "./useTaskList.ts";
import styles from "../tasks.module.css";
import tableStyles from "../../../ui/table.module.css";

export function TaskList({ openTask }: { openTask: string | null }) {
  const { t: all, format } = useLocale();
  const t = useTexts(texts);
  const navigate = useNavigate();
  const list = useTaskList();
  const { submits } = useTaskRights();
  const isOld = useOld(list.query.error);
  const columns = useTaskColumns();
  const { tasks, goneCount, query } = list;
  return (
    <>
      {submits && <SentTasks known={tasks?.length ?? 0} />}
      {query.error && (
        <ErrorBar
          code={query.error.code}
          what={t.failed}
          since={query.failedSince}
          retryAt={query.retryAt}
          asOf={query.answeredAt}
          onRetry={query.refetch}
        />
      )}
      {tasks === null && !query.error && <Skeleton rows={12} />}
      {tasks?.length === 0 && !query.error && <Notice title={t.empty}>{t.emptyHint}</Notice>}
      {!tasks?.length && query.error && <Notice title={t.unread}>{t.unreadHint}</Notice>}
      {tasks !== null && tasks.length > 0 && (
        <>
          <div className={styles["status"]}>
            <span>
              {list.hasMore ? t.atLeast(t.listed(format.number(tasks.length))) : t.listed(format.number(tasks.length))}
            </span>
            {goneCount > 0 && <span>{(query.error ? t.notRead : t.gone)(format.number(goneCount))}</span>}
            {list.hasMore && (
              <Button kind="quiet" onClick={list.loadMore} disabled={list.isLoadingMore}>
                {t.more}
              </Button>
            )}
          </div>
          <div className={tableStyles["list"]} data-old={isOld}>
            <DataTable<ListedTask>
              label={t.list}
              name="tasks"
              kind="task"
              columns={columns}
              rows={tasks}
              keyOf={({ taskId }) => taskId}
              narrow={(task) => <NarrowTask task={task} />}
              stateOf={({ taskId }) => ({ isSelected: taskId === openTask, isFresh: false })}
              onOpen={({ taskId }) => void navigate({ to: "/tasks", search: { task: taskId } })}
              resizeLabel={all.live.resize}
            />
          </div>
        </>
      )}
    </>
  );
}
