// How far the export of a list is, and how it ended: how many rows are in the file, and whether that is all.
import { Check, CircleAlert, Download, TriangleAlert } from "lucide-react";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useNow } from "../../locale/useNow.ts";
import { Button } from "../Button.tsx";
import { errorText } from "../ErrorBar.tsx";
import { WorkBar } from "../WorkBar.tsx";
import type { ExportProgress } from "./exportPages.ts";
import { texts } from "./texts/texts.ts";
import type { Exporting } from "./useExport.ts";

export function ExportBar({ exporting }: { exporting: Exporting }) {
  const own = useTexts(texts);
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
          {stopOf(progress, own, format.number)} {state.code === null ? own.notWritten : errorText(t, state.code)}
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

function stopOf({ pages, rows, total }: ExportProgress, t: typeof texts.en, number: (value: number) => string): string {
  if (pages === 0) return t.notStarted;
  return total === null ? t.stopped(number(rows)) : t.stoppedOf(number(rows), number(total));
}

/** Why the file may not hold the whole list. */
function problemOf(
  { progress, isWhole }: { progress: ExportProgress; isWhole: boolean },
  t: typeof texts.en,
  number: (value: number) => string,
): string | null {
  const { rows, total, hasDrifted } = progress;
  if (!isWhole) return total === null ? t.savedPart : t.savedPartOf(number(total));
  if (hasDrifted) return t.savedDrifted;
  return total !== null && total !== rows ? t.savedOther(number(total)) : null;
}

function Running({ progress }: { progress: ExportProgress }) {
  const own = useTexts(texts);
  const { t, format } = useLocale();
  const now = useNow(500);
  const { pages, rows, total, waitingUntil } = progress;
  const seconds = waitingUntil === null ? 0 : Math.ceil((waitingUntil - now) / 1000);
  const written =
    total === null ? own.written(format.number(rows)) : own.writtenOf(format.number(rows), format.number(total));
  return (
    <>
      <progress aria-label={t.csv.export} {...(total === null ? {} : { value: rows, max: Math.max(1, total, rows) })} />
      <span>
        {pages === 0 ? own.starting : written} {seconds > 0 && t.errors.retrying(format.number(seconds))}
      </span>
    </>
  );
}
