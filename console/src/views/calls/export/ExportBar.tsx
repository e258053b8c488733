// How far the export is, and how it ended: how many rows are in the file, and whether that is all.
import { Check, CircleAlert, Download, TriangleAlert } from "lucide-react";
import { useLocale } from "../../../locale/Locale.tsx";
import { useNow } from "../../../locale/useNow.ts";
import { Button } from "../../../ui/Button.tsx";
import { errorText } from "../../../ui/ErrorBar.tsx";
import { WorkBar } from "../../../ui/WorkBar.tsx";
import { useCallsTexts } from "../callsTexts.ts";
import type { ExportProgress } from "./exportCalls.ts";
import type { Exporting } from "./useExport.ts";

export function ExportBar({ exporting }: { exporting: Exporting }) {
  const own = useCallsTexts();
  const { t, format } = useLocale();
  const { state, discard, resume, saveRows, close } = exporting;
  const dismiss = (
    <Button kind="quiet" onClick={close}>
      {t.frame.close}
    </Button>
  );
  if (state.name === "none") return null;
  if (state.name === "running") {
    return (
      <WorkBar icon={<Download size={16} aria-hidden="true" />}>
        <Running progress={state.progress} />
        <Button kind="quiet" onClick={discard}>
          {own.cancel}
        </Button>
      </WorkBar>
    );
  }
  if (state.name === "cancelled") {
    return (
      <WorkBar icon={<Check size={16} aria-hidden="true" />}>
        <span role="status">{own.cancelled}</span>
        {dismiss}
      </WorkBar>
    );
  }
  const { progress } = state;
  const rows = format.number(progress.rows);
  if (state.name === "stopped") {
    return (
      <WorkBar icon={<CircleAlert size={16} aria-hidden="true" />} kind="error">
        <span role="alert">
          {progress.total === null ? own.notStarted : own.stopped(rows, format.number(progress.total))}{" "}
          {state.code === null ? own.notWritten : errorText(t, state.code)}
        </span>
        {state.code !== null && (
          <Button kind="plain" onClick={resume}>
            {own.goOn}
          </Button>
        )}
        {state.code !== null && progress.rows > 0 && (
          <Button kind="quiet" onClick={saveRows}>
            {own.keepRows(rows)}
          </Button>
        )}
        <Button kind="quiet" onClick={discard}>
          {own.discard}
        </Button>
      </WorkBar>
    );
  }
  const problem = problemOf(state, own, format.number);
  return (
    <WorkBar
      icon={problem ? <TriangleAlert size={16} aria-hidden="true" /> : <Check size={16} aria-hidden="true" />}
      kind={problem ? "warning" : "done"}
    >
      <span role="status">
        {own.saved(rows, state.file)} {problem}
      </span>
      {dismiss}
    </WorkBar>
  );
}

/** Why the file may not hold the whole list. */
function problemOf(
  { progress, isWhole }: { progress: ExportProgress; isWhole: boolean },
  t: ReturnType<typeof useCallsTexts>,
  number: (value: number) => string,
): string | null {
  const { rows, total, hasDrifted } = progress;
  if (!isWhole) return t.savedPart(number(total ?? rows));
  if (hasDrifted) return t.savedDrifted;
  return total !== null && total !== rows ? t.savedOther(number(total)) : null;
}

function Running({ progress }: { progress: ExportProgress }) {
  const own = useCallsTexts();
  const { t, format } = useLocale();
  const now = useNow(500);
  const { rows, total, waitingUntil } = progress;
  const seconds = waitingUntil === null ? 0 : Math.ceil((waitingUntil - now) / 1000);
  const of = total === null ? own.starting : own.exporting(format.number(rows), format.number(total));
  return (
    <>
      <progress aria-label={own.export} {...(total === null ? {} : { value: rows, max: Math.max(1, total, rows) })} />
      <span>
        {of} {seconds > 0 && t.errors.retrying(format.number(seconds))}
      </span>
    </>
  );
}
