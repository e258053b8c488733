// The details of a task, which follow it.
import { Link } from "@tanstack/react-router";
import { List, Radio } from "lucide-react";
import { useMemo } from "react";
import { TaskAlerts } from "../../../alerts/AlertList.tsx";
import { useSubscription } from "../../../data/useSubscription.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useOld } from "../../../state/StateProvider.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { instantOf, type RangeSearch } from "../../../ui/timeRange/timeRange.ts";
import { taskDetailsDocument } from "../documents.ts";
import { Progress } from "../list/taskColumns.tsx";
import { TaskStatus } from "../TaskStatus.tsx";
import { texts } from "../texts/texts.ts";
import { CopyPlan } from "./CopyPlan.tsx";
import { HeatMap } from "./HeatMap.tsx";
import { FunnelSection } from "./FunnelSection.tsx";
import { planOf } from "./planOf.ts";
import { Reasons } from "./Reasons.tsx";
import { TaskFacts, type DetailedTask } from "./TaskFacts.tsx";
import styles from "./details.module.css";

/** `isNamed`: its name and its people stand above already. */
export function TaskDetails({ taskId, isNamed = false }: { taskId: string; isNamed?: boolean }) {
  const t = useTexts(texts);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const variables = useMemo(() => ({ taskId, timeZone }), [taskId, timeZone]);
  const { data, error, retry } = useSubscription(taskDetailsDocument, variables);
  const task = data?.taskProgress;
  const isOld = useOld(error);

  if (!task && error) return <ErrorBar code={error.code} onRetry={retry} />;
  if (task === undefined) return <Skeleton rows={10} />;
  if (!task) return <Notice title={t.details.missing}>{t.details.missingHint}</Notice>;
  return (
    // It scrolls, so the keyboard must reach it.
    <div className={styles["details"]} role="group" aria-label={t.task} tabIndex={0} data-old={isOld}>
      {error && <ErrorBar code={error.code} what={t.details.partly} onRetry={retry} />}
      <TaskSummary task={task} isNamed={isNamed} />
      <TaskAlerts taskId={taskId} />
      <FunnelSection task={task} />
      <Reasons calls={task.taskCalls?.calls ?? null} reasons={task.taskCalls?.byHangupReason ?? null} />
      <HeatMap timeline={task.taskCalls?.timeline ?? null} />
      <TaskFacts task={task} />
    </div>
  );
}

function TaskSummary({ task, isNamed }: { task: DetailedTask; isNamed: boolean }) {
  const t = useTexts(texts);
  const { format } = useLocale();
  const created = instantOf(task.createdAt);
  const since: RangeSearch = created === null ? { range: "30d" } : { since: created };
  return (
    <div className={styles["summary"]}>
      {!isNamed && <h3>{task.name ?? task.taskId}</h3>}
      <div className={styles["state"]} role="status">
        <TaskStatus task={task} />
        <Progress task={task} />
        {task.total !== null && !isNamed && <span>{t.people(format.number(task.total))}</span>}
      </div>
      <nav className={styles["links"]} aria-label={t.details.links}>
        <Link to="/calls" search={{ task: task.taskId, ...since }} className={styles["calls"]}>
          <List size={14} aria-hidden="true" />
          {t.details.calls}
        </Link>
        <Link to="/live" search={{ task: task.taskId }} className={styles["calls"]}>
          <Radio size={14} aria-hidden="true" />
          {t.details.liveCalls}
        </Link>
      </nav>
      <CopyPlan plan={planOf(task)} />
    </div>
  );
}
