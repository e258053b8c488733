import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { idsOf, isFiltered } from "../../data/filterSearch.ts";
import { useAssistantOptions, useTaskOptions } from "../../data/useNames.ts";
import { useShortcuts } from "../../frame/useShortcuts.ts";
import { useSession } from "../../session/SessionProvider.tsx";
import { Button } from "../../ui/Button.tsx";
import { FilterMultiSelect, FilterSelect } from "../../ui/FilterSelect.tsx";
import filterStyles from "../../ui/filter.module.css";
import { PhoneFilter } from "../../ui/PhoneFilter.tsx";
import { readRange } from "../../ui/timeRange/timeRange.ts";
import { MAX_TASKS, withoutPage, type CallsSearch } from "./callsSearch.ts";
import { useCallsTexts } from "./callsTexts.ts";

export function CallsFilters({ search, phone }: { search: CallsSearch; phone: string | null }) {
  const t = useCallsTexts();
  const { holds } = useSession();
  const navigate = useNavigate();
  const bar = useRef<HTMLDivElement>(null);
  const [isTaskListWanted, setTaskListWanted] = useState(false);
  const tasks = useTaskOptions(isTaskListWanted || search.task !== undefined);
  const assistants = useAssistantOptions();
  useShortcuts({ "/": () => bar.current?.querySelector("button")?.focus() });

  function change(changed: { [Name in keyof CallsSearch]: CallsSearch[Name] | undefined }): void {
    const next = Object.entries({ ...withoutPage(search), ...changed }).filter(
      ([, value]) => value !== undefined && value !== "",
    );
    void navigate({ to: "/calls", search: Object.fromEntries(next), hash: true, replace: true });
  }
  return (
    <div className={filterStyles["bar"]} ref={bar} role="search" aria-label={t.filters}>
      <FilterSelect
        label={t.direction}
        value={search.direction}
        options={[
          { value: "outbound", label: t.outbound },
          { value: "inbound", label: t.inbound },
        ]}
        onChange={(direction) => change({ direction: direction as CallsSearch["direction"] })}
      />
      <FilterSelect
        label={t.kind}
        value={search.kind}
        options={[
          { value: "phone", label: t.phoneCalls },
          { value: "test", label: t.testCalls },
        ]}
        onChange={(kind) => change({ kind: kind as CallsSearch["kind"] })}
      />
      <FilterMultiSelect
        label={t.task}
        value={idsOf(search.task)}
        {...tasks}
        max={MAX_TASKS}
        onOpen={() => setTaskListWanted(true)}
        onChange={(ids) => change({ task: ids.join(",") })}
      />
      <FilterMultiSelect
        label={t.assistant}
        value={idsOf(search.assistant)}
        {...assistants}
        onChange={(ids) => change({ assistant: ids.join(",") })}
      />
      {holds("people:read") && <PhoneFilter phone={phone} />}
      <Button
        kind="quiet"
        disabled={!isFiltered(search, phone)}
        onClick={() => void navigate({ to: "/calls", search: readRange({ ...search }), hash: "", replace: true })}
      >
        {t.clear}
      </Button>
    </div>
  );
}
