// Counts over any range of time, compared with the range before. The address holds the range and the filters.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { RefreshCw } from "lucide-react";
import { useMemo } from "react";
import { useNames } from "../../data/useNames.ts";
import { View } from "../../frame/View.tsx";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useOld } from "../../state/StateProvider.tsx";
import { Button } from "../../ui/Button.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { SaveCsvButton } from "../../ui/SaveCsvButton.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { TimeRangePicker } from "../../ui/timeRange/TimeRangePicker.tsx";
import { Counts } from "./Counts.tsx";
import { StatisticsFilters } from "./StatisticsFilters.tsx";
import { FALLBACK, type StatisticsSearch } from "./statisticsSearch.ts";
import { statisticsTable } from "./statisticsTable.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import { secondOf } from "../../ui/timeRange/timeRange.ts";
import { useStatistics } from "./useStatistics.ts";
import styles from "./statistics.module.css";

export function StatisticsView() {
  const { t: shared } = useLocale();
  const t = useTexts({ en, zh });
  const search = useSearch({ from: "/statistics" });
  const navigate = useNavigate();
  const { statistics, error, failedSince, retryAt, answeredAt, isLoading, refetch, renew } = useStatistics(search);

  const isOld = useOld(error);
  const names = useNames(useMemo(() => statistics?.stats.byTask.map(({ taskId }) => taskId) ?? [], [statistics]));

  function show(next: StatisticsSearch): void {
    void navigate({ to: "/statistics", search: next, replace: true });
  }
  const { range: _, since: __, until: ___, ...filters } = search;
  return (
    <View
      title={shared.frame.statistics}
      actions={
        <>
          <TimeRangePicker search={search} fallback={FALLBACK} onChange={(range) => show({ ...filters, ...range })} />
          <SaveCsvButton name="statistics" table={statistics && (() => statisticsTable(statistics, names))} />
          <Button kind="icon" aria-label={t.refresh} title={t.refresh} onClick={renew}>
            <RefreshCw size={14} aria-hidden="true" />
          </Button>
        </>
      }
    >
      <StatisticsFilters search={search} onChange={show} />
      {error && (
        <ErrorBar
          code={error.code}
          what={t.failed}
          since={failedSince}
          retryAt={retryAt}
          asOf={answeredAt}
          onRetry={refetch}
        />
      )}
      <div className={styles["page"]} aria-busy={isLoading} data-old={isOld}>
        {statistics ? (
          <Counts
            statistics={statistics}
            isFiltered={Object.keys(filters).some((name) => name !== "call" && name !== "around")}
            onWider={() => show({ ...filters, range: "30d" })}
            searchWith={(filter) => ({ ...search, ...filter })}
            onChooseTime={(since, until) =>
              // Back leads out of it.
              void navigate({
                to: "/statistics",
                search: { ...filters, since: secondOf(since), until: secondOf(until) },
              })
            }
          />
        ) : (
          !error && <Skeleton rows={10} />
        )}
      </div>
    </View>
  );
}
