import { Check, CircleAlert, Download } from "lucide-react";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useNow } from "../../../locale/useNow.ts";
import { Button } from "../../../ui/Button.tsx";
import { errorText } from "../../../ui/ErrorBar.tsx";
import { WorkBar } from "../../../ui/WorkBar.tsx";
import { texts } from "../texts/texts.ts";
import type { AuditExportProgress } from "./exportAudit.ts";
import type { AuditExport } from "./useAuditExport.ts";

export function AuditExportBar({ exporting: { state, start, close } }: { exporting: AuditExport }) {
  const t = useTexts(texts);
  const { t: shared, format } = useLocale();
  if (state.name === "none") return null;
  if (state.name === "running") {
    return (
      <WorkBar icon={<Download size={16} aria-hidden="true" />}>
        <Running progress={state.progress} />
        <Button kind="quiet" onClick={close}>
          {t.cancel}
        </Button>
      </WorkBar>
    );
  }
  const isSaved = state.name === "saved";
  const Icon = isSaved ? Check : CircleAlert;
  return (
    <WorkBar icon={<Icon size={16} aria-hidden="true" />} kind={isSaved ? "done" : "error"}>
      {isSaved ? (
        <span role="status">{t.saved(format.number(state.rows), state.file)}</span>
      ) : (
        <span role="alert">
          {t.notSaved} {state.code === null ? t.notWritten : errorText(shared, state.code)}
        </span>
      )}
      {!isSaved && <Button onClick={start}>{shared.errors.retry}</Button>}
      <Button kind="quiet" onClick={close}>
        {shared.frame.close}
      </Button>
    </WorkBar>
  );
}

/** The log does not say how long it is. */
function Running({ progress: { rows, waitingUntil } }: { progress: AuditExportProgress }) {
  const t = useTexts(texts);
  const { t: shared, format } = useLocale();
  const now = useNow(500);
  const seconds = waitingUntil === null ? 0 : Math.ceil((waitingUntil - now) / 1000);
  return (
    <>
      <progress aria-label={t.export} />
      <span>
        {t.exporting(format.number(rows))} {seconds > 0 && shared.errors.retrying(format.number(seconds))}
      </span>
    </>
  );
}
