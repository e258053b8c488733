import { useNavigate } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useMemo, useRef, useState, type SubmitEvent } from "react";
import { useQuery } from "../../data/useQuery.ts";
import { useShortcuts } from "../../frame/useShortcuts.ts";
import { useLocale } from "../../locale/Locale.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { Button } from "../../ui/Button.tsx";
import { FilterMultiSelect, FilterSelect } from "../../ui/FilterSelect.tsx";
import { knownTasksDocument } from "./documents.ts";
import { hashOf, idsOf, type LiveSearch } from "./liveFilter.ts";
import { useAssistantNames } from "./useNames.ts";
import styles from "./live.module.css";

export function LiveFilters({ search, phone }: { search: LiveSearch; phone: string | null }) {
  const { t } = useLocale();
  const { holds } = useSession();
  const navigate = useNavigate();
  const bar = useRef<HTMLDivElement>(null);
  const [isTaskListWanted, setTaskListWanted] = useState(false);
  const tasks = useTaskOptions(isTaskListWanted || search.task !== undefined);
  const assistants = useAssistantNames();
  const isFiltered = Object.keys(search).some((name) => name !== "call") || phone !== null;
  useShortcuts({ "/": () => bar.current?.querySelector("button")?.focus() });

  function change(changed: { [Name in keyof LiveSearch]: LiveSearch[Name] | undefined }): void {
    const next = Object.entries({ ...search, ...changed }).filter(([, value]) => value !== undefined && value !== "");
    void navigate({ to: "/live", search: Object.fromEntries(next), hash: true, replace: true });
  }
  return (
    <div className={styles["filters"]} ref={bar} role="search" aria-label={t.live.filters}>
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
        options={tasks}
        onOpen={() => setTaskListWanted(true)}
        onChange={(ids) => change({ task: ids.join(",") })}
      />
      <FilterMultiSelect
        label={t.live.assistant}
        value={idsOf(search.assistant)}
        options={[...assistants].map(([value, label]) => ({ value, label }))}
        onChange={(ids) => change({ assistant: ids.join(",") })}
      />
      {holds("people:read") && <PhoneFilter phone={phone} />}
      {isFiltered && (
        <Button kind="quiet" onClick={() => void navigate({ to: "/live", search: {}, hash: "", replace: true })}>
          {t.live.clear}
        </Button>
      )}
    </div>
  );
}

/** The number goes behind the `#` of the address when it is complete. */
function PhoneFilter({ phone }: { phone: string | null }) {
  const { t } = useLocale();
  const navigate = useNavigate();
  const [text, setText] = useState(phone ?? "");
  useEffect(() => setText(phone ?? ""), [phone]);

  function apply(): void {
    if (text.trim() === (phone ?? "")) return;
    void navigate({ to: "/live", search: true, hash: hashOf(text.trim()), replace: true });
  }
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    apply();
  }
  return (
    <form onSubmit={submit} className={styles["phone"]} data-set={phone !== null || undefined}>
      <Search size={14} aria-hidden="true" />
      <input
        type="search"
        aria-label={t.live.phone}
        placeholder={t.live.phone}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onBlur={apply}
        autoComplete="off"
      />
    </form>
  );
}

function useTaskOptions(isWanted: boolean) {
  const variables = useMemo(() => (isWanted ? {} : null), [isWanted]);
  const { data } = useQuery(knownTasksDocument, variables);
  return useMemo(
    () =>
      (data?.tasks?.nodes ?? []).flatMap((task) =>
        task ? { value: task.taskId, label: task.name ?? task.taskId } : [],
      ),
    [data],
  );
}
