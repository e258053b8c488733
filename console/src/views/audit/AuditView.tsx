// The audit log: which key did what, a page at a time, the newest first, with the details of an entry beside it.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { View } from "../../frame/View.tsx";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { CsvButton } from "../../ui/CsvButton.tsx";
import { Drawer } from "../../ui/drawer/Drawer.tsx";
import { ExportBar } from "../../ui/export/ExportBar.tsx";
import { useExport } from "../../ui/export/useExport.ts";
import { AuditDetails } from "./AuditDetails.tsx";
import { AuditList } from "./AuditList.tsx";
import { texts } from "./texts/texts.ts";
import { useAuditExport } from "./useAuditExport.ts";

export function AuditView() {
  const t = useTexts(texts);
  const { t: shared } = useLocale();
  const { after = null, entry = null } = useSearch({ from: "/audit" });
  const navigate = useNavigate();
  const exporting = useExport();
  const source = useAuditExport();
  return (
    <View
      title={shared.frame.audit}
      actions={<CsvButton disabled={exporting.isBusy} onClick={() => exporting.start(source)} />}
    >
      <ExportBar exporting={exporting} />
      <AuditList after={after} opened={entry} />
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
