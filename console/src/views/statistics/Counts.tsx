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
  /** The address of the same counts with a further filter. */
  searchWith: (filter: StatisticsSearch) => StatisticsSearch;
  onChooseTime: (since: number, until: number) => void;
}) {
  const { statistics, isFiltered, onWider, searchWith, onChooseTime } = props;
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
          <Timeline size={size} buckets={buckets} onChoose={onChooseTime} />
          <div className={styles["tables"]}>
            <CountTable
              title={t.byTask}
              column={t.task}
              total={stats.calls}
              rows={stats.byTask.map(({ taskId, ...counts }) => {
                const name = names.task(taskId) ?? t.noTask;
                return { ...counts, key: taskId ?? "", name, cell: taskId && link({ task: taskId }, name) };
              })}
            />
            <CountTable
              title={t.byReason}
              column={t.reason}
              total={stats.calls}
              rows={stats.byHangupReason.map(({ reason, ...counts }) => {
                const name = reason ?? t.noReason;
                return { ...counts, key: reason ?? "", name, cell: link({ reason }, name) };
              })}
            />
            <CountTable
              title={t.byAssistant}
              column={t.assistant}
              total={stats.calls}
              rows={stats.byAssistant.map(({ assistantId, ...counts }) => {
                const name = names.assistant(assistantId);
                return { ...counts, key: assistantId, name, cell: link({ assistant: assistantId }, name) };
              })}
            />
          </div>
        </>
      )}
    </>
  );

  function link(filter: StatisticsSearch, name: string) {
    return (
      <Link to="/statistics" search={searchWith(filter)} title={t.only(name)}>
        {name}
      </Link>
    );
  }
}
