import { useRef, useState } from "react";
import { idsOf } from "../../data/filterSearch.ts";
import { useAssistantOptions, useTaskOptions } from "../../data/useNames.ts";
import { useShortcuts } from "../../frame/useShortcuts.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import { FilterMultiSelect, FilterSelect } from "../../ui/FilterSelect.tsx";
import { ReasonFilter } from "../../ui/ReasonFilter.tsx";
import { readStatisticsSearch, type StatisticsSearch } from "./statisticsSearch.ts";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./statistics.module.css";

export function StatisticsFilters(props: { search: StatisticsSearch; onChange: (search: StatisticsSearch) => void }) {
  const { search, onChange } = props;
  const { t: shared } = useLocale();
  const t = useTexts({ en, zh });
  const bar = useRef<HTMLDivElement>(null);
  const [isTaskListWanted, setTaskListWanted] = useState(false);
  const tasks = useTaskOptions(isTaskListWanted || search.task !== undefined);
  const assistants = useAssistantOptions();
  const { direction, task, assistant, reason, ...range } = search;
  const isFiltered = direction !== undefined || task !== undefined || assistant !== undefined || reason !== undefined;
  useShortcuts({ "/": () => bar.current?.querySelector("button")?.focus() });

  const change = (changed: Record<string, string | undefined>) =>
    onChange({ ...range, ...readStatisticsSearch({ ...search, ...changed }) });
  return (
    <div className={styles["filters"]} ref={bar} role="search" aria-label={t.filters}>
      <FilterSelect
        label={shared.live.direction}
        value={direction}
        options={[
          { value: "outbound", label: shared.live.outbound },
          { value: "inbound", label: shared.live.inbound },
        ]}
        onChange={(value) => change({ direction: value })}
      />
      <FilterMultiSelect
        label={t.task}
        value={idsOf(task)}
        {...tasks}
        onOpen={() => setTaskListWanted(true)}
        onChange={(ids) => change({ task: ids.join(",") })}
      />
      <FilterMultiSelect
        label={t.assistant}
        value={idsOf(assistant)}
        {...assistants}
        onChange={(ids) => change({ assistant: ids.join(",") })}
      />
      <ReasonFilter reason={reason} onClear={() => change({ reason: undefined })} />
      {isFiltered && (
        <Button kind="quiet" onClick={() => onChange(range)}>
          {shared.live.clear}
        </Button>
      )}
    </div>
  );
}
