// The audit log: which key did what, a page at a time, the newest first, with the details of an entry beside it.
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { View } from "../../frame/View.tsx";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { Button } from "../../ui/Button.tsx";
import { Drawer } from "../../ui/drawer/Drawer.tsx";
import { AuditDetails } from "./AuditDetails.tsx";
import { AuditList } from "./AuditList.tsx";
import { AuditExportBar } from "./export/AuditExportBar.tsx";
import { useAuditExport } from "./export/useAuditExport.ts";
import { texts } from "./texts/texts.ts";
import styles from "./audit.module.css";

export function AuditView() {
  const t = useTexts(texts);
  const { t: shared } = useLocale();
  const { after = null, entry = null } = useSearch({ from: "/audit" });
  const navigate = useNavigate();
  const exporting = useAuditExport();
  return (
    <View
      title={shared.frame.audit}
      actions={
        <Button
          className={styles["export"]}
          aria-label={t.export}
          disabled={exporting.state.name === "running"}
          onClick={exporting.start}
        >
          <Download size={14} aria-hidden="true" />
          <span>{t.export}</span>
        </Button>
      }
    >
      <AuditExportBar exporting={exporting} />
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
