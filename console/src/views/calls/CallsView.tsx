// The service's list of calls, filtered and page by page. The filter is in the address; the list is fixed when it is read.
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { idsOf, isFiltered, phoneOf } from "../../data/filterSearch.ts";
import { View } from "../../frame/View.tsx";
import { useLocale } from "../../locale/Locale.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { ExportBar } from "../../ui/export/ExportBar.tsx";
import { useExport } from "../../ui/export/useExport.ts";
import { Notice } from "../../ui/Notice.tsx";
import type { RangeSearch } from "../../ui/timeRange/timeRange.ts";
import { TimeRangePicker } from "../../ui/timeRange/TimeRangePicker.tsx";
import { useTimeSpan } from "../../ui/timeRange/useTimeSpan.ts";
import { CallsFilters } from "./CallsFilters.tsx";
import { CallsList } from "./CallsList.tsx";
import { FALLBACK_RANGE, filterOf, MAX_TASKS, withoutPage } from "./callsSearch.ts";
import { useCallsTexts } from "./callsTexts.ts";
import { ExportButton } from "./export/ExportButton.tsx";
import { useCallsExport } from "./export/useCallsExport.ts";

export function CallsView() {
  const search = useSearch({ from: "/calls" });
  const t = useCallsTexts();
  const { format } = useLocale();
  const { holds } = useSession();
  const navigate = useNavigate();
  const hash = useLocation({ select: ({ hash }) => hash });
  const phone = holds("people:read") ? phoneOf(hash) : null;
  const { span, at, renew } = useTimeSpan(search, FALLBACK_RANGE, search.at);
  const { direction, kind, task, assistant } = search;
  const choice = [direction, kind, task, assistant, phone];
  const filter = useMemo(() => filterOf(search, phone, span), [...choice, span]);
  const exporting = useExport();
  const exportOf = useCallsExport();
  const hasTooManyTasks = idsOf(task).length > MAX_TASKS;

  function chooseRange(range: RangeSearch): void {
    const { range: _, since: __, until: ___, ...others } = withoutPage(search);
    void navigate({ to: "/calls", search: { ...others, ...range }, hash: true, replace: true });
  }
  return (
    <View
      title={t.title}
      actions={
        <>
          <TimeRangePicker search={search} fallback={FALLBACK_RANGE} onChange={chooseRange} />
          <ExportButton
            isDisabled={hasTooManyTasks || exporting.isBusy}
            onChoose={(kind) => exporting.start(exportOf(kind, filter))}
          />
        </>
      }
    >
      <CallsFilters search={search} phone={phone} />
      <ExportBar exporting={exporting} />
      {hasTooManyTasks ? (
        <Notice title={t.tooManyTasks(format.number(MAX_TASKS))}>{t.tooManyTasksHint}</Notice>
      ) : (
        <CallsList
          // Calls of another filter or range must not stand here while those of the chosen one are read or cannot be read.
          key={JSON.stringify([...choice, search.range, search.since, search.until])}
          filter={filter}
          at={at}
          isFiltered={isFiltered(search, phone)}
          onRenew={renew}
          onWiden={() => chooseRange({ range: "30d" })}
        />
      )}
    </View>
  );
}
