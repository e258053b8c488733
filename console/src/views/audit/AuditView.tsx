// The audit log: which key did what, a page at a time, the newest first, with the details of an entry beside it.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { View } from "../../frame/View.tsx";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { CsvButton } from "../../ui/CsvButton.tsx";
import { Drawer } from "../../ui/drawer/Drawer.tsx";
import { ExportBar } from "../../ui/export/ExportBar.tsx";
import { useExport } from "../../ui/export/useExport.ts";
import { spanOrAll, type RangeSearch } from "../../ui/timeRange/timeRange.ts";
import { TimeRangePicker } from "../../ui/timeRange/TimeRangePicker.tsx";
import { AuditDetails } from "./AuditDetails.tsx";
import { AuditFilters } from "./AuditFilters.tsx";
import { AuditList } from "./AuditList.tsx";
import { filterOf, withoutPage } from "./auditSearch.ts";
import { texts } from "./texts/texts.ts";
import { useAuditExport } from "./useAuditExport.ts";

export function AuditView() {
  const t = useTexts(texts);
  const { t: shared } = useLocale();
  const search = useSearch({ from: "/audit" });
  const { after = null, entry = null, actor, action, subject, range, since, until } = search;
  const navigate = useNavigate();
  const exporting = useExport();
  // A range such as the last hour begins anew when another filter or page is chosen.
  const filter = useMemo(
    () => filterOf(search, spanOrAll(search, Date.now())),
    [after, actor, action, subject, range, since, until],
  );
  const source = useAuditExport(filter);
  const [known, setKnown] = useState<readonly string[]>([]);

  function chooseRange(chosen: RangeSearch): void {
    const { range: _, since: __, until: ___, ...others } = withoutPage(search);
    void navigate({ to: "/audit", search: { ...others, ...chosen }, replace: true });
  }
  return (
    <View
      title={shared.frame.audit}
      actions={
        <>
          <TimeRangePicker search={search} fallback={null} onChange={chooseRange} />
          <CsvButton disabled={exporting.isBusy} onClick={() => exporting.start(source)} />
        </>
      }
    >
      <AuditFilters search={search} known={known} />
      <ExportBar exporting={exporting} />
      <AuditList filter={filter} after={after} opened={entry} onActors={setKnown} />
      <Drawer
        title={t.entry}
        closeLabel={shared.frame.close}
        kind="auditEntry"
        shown={entry}
        onClose={() => void navigate({ to: "/audit", search: (before) => ({ ...before, entry: undefined }) })}
      >
        {(id) => <AuditDetails key={id} id={id} />}
      </Drawer>
    </View>
  );
}
