import { Check, CircleAlert, ListPlus, TriangleAlert } from "lucide-react";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useNow } from "../../../locale/useNow.ts";
import { Button } from "../../../ui/Button.tsx";
import { errorText } from "../../../ui/ErrorBar.tsx";
import { WorkBar } from "../../../ui/WorkBar.tsx";
import { texts } from "../texts/texts.ts";
import type { ChangeProgress, ListChange } from "./useListChange.ts";

export function ListChangeBar({ change: { state, cancel, resume, close } }: { change: ListChange }) {
  const t = useTexts(texts);
  const { t: shared, format } = useLocale();
  if (state.name === "none") return null;
  if (state.name === "running") {
    return (
      <WorkBar icon={<ListPlus size={16} aria-hidden="true" />}>
        <Running progress={state.progress} />
        <Button kind="quiet" onClick={cancel}>
          {t.cancel}
        </Button>
      </WorkBar>
    );
  }
  const { kind, done, total, changed, refusedRows } = state.progress;
  const isWhole = state.name === "finished" && refusedRows.length === 0;
  const Icon = isWhole ? Check : state.name === "stopped" ? CircleAlert : TriangleAlert;
  const words = t.many[kind].did(format.number(done - refusedRows.length), format.number(changed));
  return (
    <WorkBar
      icon={<Icon size={16} aria-hidden="true" />}
      kind={isWhole ? "done" : state.name === "stopped" ? "error" : "warning"}
    >
      <span role={state.name === "stopped" ? "alert" : "status"}>
        {state.name !== "finished" && t.stoppedAfter(format.number(done), format.number(total))} {words}{" "}
        {state.name === "stopped" && errorText(shared, state.code)}{" "}
        {refusedRows.length > 0 && t.refusedRows(refusedRows.map(format.number).join(", "))}
      </span>
      {state.name === "stopped" && <Button onClick={resume}>{t.goOn}</Button>}
      <Button kind="quiet" onClick={close}>
        {shared.frame.close}
      </Button>
    </WorkBar>
  );
}

function Running({ progress: { done, total, waitingUntil } }: { progress: ChangeProgress }) {
  const t = useTexts(texts);
  const { t: shared, format } = useLocale();
  const now = useNow(500);
  const seconds = waitingUntil === null ? 0 : Math.ceil((waitingUntil - now) / 1000);
  return (
    <>
      <progress aria-label={t.sending} value={done} max={total} />
      <span>
        {t.sent(format.number(done), format.number(total))}{" "}
        {seconds > 0 && shared.errors.retrying(format.number(seconds))}
      </span>
    </>
  );
}
