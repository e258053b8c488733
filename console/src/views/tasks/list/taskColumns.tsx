import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import type { Column } from "../../../ui/columns.ts";
import { useRowTabIndex } from "../../../ui/rowStop.ts";
import { Time } from "../../../ui/Time.tsx";
import { funnelOf } from "../funnelOf.ts";
import { TaskStatus } from "../TaskStatus.tsx";
import { Amount } from "../Amount.tsx";
import { texts } from "../texts/texts.ts";
import type { ListedTask } from "./useTaskList.ts";
import styles from "../tasks.module.css";
import tableStyles from "../../../ui/table.module.css";

export function useTaskColumns(): readonly Column<ListedTask>[] {
  const { format } = useLocale();
  const t = useTexts(texts);
  return useMemo(
    () => [
      { id: "task", title: t.columnTask, width: 208, grows: true, cell: (task) => <TaskLink task={task} /> },
      { id: "status", title: t.columnStatus, width: 150, cell: (task) => <TaskStatus task={task} /> },
      { id: "progress", title: t.columnProgress, width: 150, cell: (task) => <Progress task={task} /> },
      {
        id: "numbers",
        title: t.columnNumbers,
        width: 88,
        align: "end",
        cell: (task) => <Amount value={funnelOf(task).numbers} />,
      },
      {
        id: "dialled",
        title: t.columnDialled,
        width: 120,
        align: "end",
        cell: (task) => <Amount value={funnelOf(task).dialled} isAtLeast={funnelOf(task).isPartial} />,
      },
      {
        id: "answered",
        title: t.columnAnswered,
        width: 160,
        align: "end",
        cell: (task) => <Answered task={task} />,
      },
      {
        id: "created",
        title: t.columnCreated(format.zone),
        width: 150,
        align: "end",
        cell: ({ createdAt, unread }) => (
          <Time value={createdAt} unread={unread.find(({ field }) => field === "createdAt")?.text} />
        ),
      },
      { id: "id", title: t.columnId, width: 110, isOptional: true, cell: ({ taskId }) => taskId },
    ],
    [t, format],
  );
}

function TaskLink({ task }: { task: ListedTask }) {
  const tabIndex = useRowTabIndex();
  return (
    <Link
      to="/tasks"
      search={{ task: task.taskId }}
      className={styles["name"]}
      tabIndex={tabIndex}
      onClick={(event) => event.stopPropagation()}
    >
      {task.name ?? task.taskId}
    </Link>
  );
}

/** Numbers with an answered call, and their share of those dialled. */
function Answered({ task }: { task: ListedTask }) {
  const { format } = useLocale();
  const { dialled, answered, isPartial } = funnelOf(task);
  return (
    <>
      <Amount value={answered} isAtLeast={isPartial} />
      {answered !== null && dialled !== null && dialled > 0 && (
        <span className={styles["share"]}>{format.percent(answered / dialled)}</span>
      )}
    </>
  );
}

export function Progress({ task }: { task: Pick<ListedTask, "progress" | "unread"> }) {
  const { t, format } = useLocale();
  const { progress, unread } = task;
  if (progress === null) {
    const text = unread.find(({ field }) => field === "progress")?.text;
    return <span title={text}>{t.format.unknown}</span>;
  }
  const share = Math.min(1, Math.max(0, progress / 100));
  return (
    <span className={styles["progress"]}>
      <span className={styles["track"]} aria-hidden="true">
        <span style={{ transform: `scaleX(${share})` }} />
      </span>
      {format.percent(progress / 100)}
    </span>
  );
}

export function NarrowTask({ task }: { task: ListedTask }) {
  const t = useTexts(texts);
  const { numbers } = funnelOf(task);
  const { format } = useLocale();
  return (
    <div className={tableStyles["narrow"]}>
      <TaskLink task={task} />
      <Time value={task.createdAt} />
      <TaskStatus task={task} />
      <span className={styles["narrowEnd"]}>
        {numbers !== null && <span>{t.people(format.number(numbers))}</span>}
        <Progress task={task} />
      </span>
    </div>
  );
}
