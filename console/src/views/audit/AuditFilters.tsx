import { useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useRef } from "react";
import { useShortcuts } from "../../frame/useShortcuts.ts";
import { useTexts } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import { FilterMultiSelect } from "../../ui/FilterSelect.tsx";
import filterStyles from "../../ui/filter.module.css";
import { TextFilter } from "../../ui/TextFilter.tsx";
import { actionsOf, auditActions, isAuditFiltered, withoutPage, type AuditSearch } from "./auditSearch.ts";
import { texts } from "./texts/texts.ts";

/** `known`: names of viewers that were seen in the log. */
export function AuditFilters({ search, known }: { search: AuditSearch; known: readonly string[] }) {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const bar = useRef<HTMLDivElement>(null);
  useShortcuts({ "/": () => bar.current?.querySelector("input")?.focus() });

  function change(changed: AuditSearch): void {
    const next = Object.entries({ ...withoutPage(search), ...changed }).filter(([, value]) => value);
    void navigate({ to: "/audit", search: Object.fromEntries(next), replace: true });
  }
  return (
    <div className={filterStyles["bar"]} ref={bar} role="search" aria-label={t.filters}>
      <TextFilter label={t.who} value={search.actor ?? ""} known={known} onApply={(actor) => change({ actor })} />
      <FilterMultiSelect
        label={t.what}
        value={actionsOf(search.action)}
        options={auditActions.map((value) => ({ value, label: t.kinds[value] }))}
        onChange={(actions) => change({ action: actions.join(",") })}
      />
      {search.subject !== undefined && (
        <Button kind="quiet" onClick={() => change({ subject: undefined })}>
          {t.oneSubject} <X size={14} aria-hidden="true" />
          <span className="hidden">{t.allSubjects}</span>
        </Button>
      )}
      <Button
        kind="quiet"
        disabled={!isAuditFiltered(search)}
        onClick={() => void navigate({ to: "/audit", search: {}, replace: true })}
      >
        {t.clear}
      </Button>
    </div>
  );
}
