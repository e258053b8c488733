import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { idsOf, isFiltered } from "../../data/filterSearch.ts";
import { useAssistantOptions, useTaskOptions } from "../../data/useNames.ts";
import { useShortcuts } from "../../frame/useShortcuts.ts";
import { useLocale } from "../../locale/Locale.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { Button } from "../../ui/Button.tsx";
import { FilterMultiSelect, FilterSelect } from "../../ui/FilterSelect.tsx";
import filterStyles from "../../ui/filter.module.css";
import { PhoneFilter } from "../../ui/PhoneFilter.tsx";
import { ReasonFilter } from "../../ui/ReasonFilter.tsx";
import type { LiveSearch } from "./liveFilter.ts";

export function LiveFilters({ search, phone }: { search: LiveSearch; phone: string | null }) {
  const { t } = useLocale();
  const { holds } = useSession();
  const navigate = useNavigate();
  const bar = useRef<HTMLDivElement>(null);
  const [isTaskListWanted, setTaskListWanted] = useState(false);
  const tasks = useTaskOptions(isTaskListWanted || search.task !== undefined);
  const assistants = useAssistantOptions();
  useShortcuts({ "/": () => bar.current?.querySelector("button")?.focus() });

  function change(changed: { [Name in keyof LiveSearch]: LiveSearch[Name] | undefined }): void {
    const next = Object.entries({ ...search, ...changed }).filter(([, value]) => value !== undefined && value !== "");
    void navigate({ to: "/live", search: Object.fromEntries(next), hash: true, replace: true });
  }
  return (
    <div className={filterStyles["bar"]} ref={bar} role="search" aria-label={t.live.filters}>
      <FilterSelect
        label={t.live.outcome}
        value={search.outcome}
        options={[
          { value: "answered", label: t.live.answered },
          { value: "unanswered", label: t.live.notAnswered },
        ]}
        onChange={(outcome) => change({ outcome: outcome as LiveSearch["outcome"] })}
      />
      <FilterSelect
        label={t.live.direction}
        value={search.direction}
        options={[
          { value: "outbound", label: t.live.outbound },
          { value: "inbound", label: t.live.inbound },
        ]}
        onChange={(direction) => change({ direction: direction as LiveSearch["direction"] })}
      />
      <FilterSelect
        label={t.live.hangup}
        value={search.hangup}
        options={[
          { value: "caller", label: t.live.byCaller },
          { value: "callee", label: t.live.byCallee },
        ]}
        onChange={(hangup) => change({ hangup: hangup as LiveSearch["hangup"] })}
      />
      <FilterMultiSelect
        label={t.live.task}
        value={idsOf(search.task)}
        {...tasks}
        onOpen={() => setTaskListWanted(true)}
        onChange={(ids) => change({ task: ids.join(",") })}
      />
      <FilterMultiSelect
        label={t.live.assistant}
        value={idsOf(search.assistant)}
        {...assistants}
        onChange={(ids) => change({ assistant: ids.join(",") })}
      />
      <ReasonFilter reason={search.reason} onClear={() => change({ reason: undefined })} />
      {holds("people:read") && <PhoneFilter phone={phone} />}
      {isFiltered(search, phone) && (
        <Button kind="quiet" onClick={() => void navigate({ to: "/live", search: {}, hash: "", replace: true })}>
          {t.live.clear}
        </Button>
      )}
    </div>
  );
}
