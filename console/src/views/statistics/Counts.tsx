import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useNames } from "../../data/useNames.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { CountTable } from "./CountTable.tsx";
import { Figures } from "./Figures.tsx";
import { Timeline } from "./Timeline.tsx";
import type { StatisticsSearch } from "./statisticsSearch.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import type { Statistics } from "./useStatistics.ts";
import styles from "./statistics.module.css";

export function Counts(props: {
  statistics: Statistics;
  isFiltered: boolean;
  onWider: () => void;
  searchOfTask: (taskId: string) => StatisticsSearch;
}) {
  const { statistics, isFiltered, onWider, searchOfTask } = props;
  const { stats, beforeSpan, logBegins, size, buckets } = statistics;
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const names = useNames(useMemo(() => stats.byTask.map(({ taskId }) => taskId), [stats]));
  return (
    <>
      <Figures statistics={statistics} />
      <div className={styles["notes"]}>
        <p>
          {t.comparedWith(format.minute(beforeSpan.since), format.minute(beforeSpan.until), format.zone)}{" "}
          {logBegins !== null && t.logBegins(format.exact(logBegins))}
        </p>
        <p>{t.counted}</p>
      </div>
      {stats.calls === 0 ? (
        <Notice title={isFiltered ? t.emptyFiltered : t.empty}>
          {t.emptyHint}
          <br />
          <Button onClick={onWider}>{t.wider}</Button>
        </Notice>
      ) : (
        <>
          <Timeline size={size} buckets={buckets} />
          <div className={styles["tables"]}>
            <CountTable
              title={t.byTask}
              column={t.task}
              total={stats.calls}
              rows={stats.byTask.map(({ taskId, ...counts }) => {
                const name = names.task(taskId) ?? t.noTask;
                return { ...counts, key: taskId ?? "", name, cell: taskId && taskLink(taskId, name) };
              })}
            />
            <CountTable
              title={t.byReason}
              column={t.reason}
              total={stats.calls}
              rows={stats.byHangupReason.map(({ reason, ...counts }) => ({
                ...counts,
                key: reason ?? "",
                name: reason ?? t.noReason,
              }))}
            />
            <CountTable
              title={t.byAssistant}
              column={t.assistant}
              total={stats.calls}
              rows={stats.byAssistant.map(({ assistantId, ...counts }) => ({
                ...counts,
                key: assistantId,
                name: names.assistant(assistantId),
              }))}
            />
          </div>
        </>
      )}
    </>
  );

  function taskLink(taskId: string, name: string) {
    return (
      <Link to="/statistics" search={searchOfTask(taskId)} title={t.onlyTask(name)}>
        {name}
      </Link>
    );
  }
}
