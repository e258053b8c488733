// What became of the sending: on its way, without an answer, or refused.
import { CircleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import type { CreateTaskResult } from "switchboard-client";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { Button } from "../../../ui/Button.tsx";
import { errorText } from "../../../ui/ErrorBar.tsx";
import { useTaskRights } from "../useTaskRights.ts";
import { texts } from "./texts/texts.ts";
import type { useCreate } from "./useCreate.ts";
import styles from "./create.module.css";

export function Outcome(props: {
  create: ReturnType<typeof useCreate>;
  mistakes: CreateTaskResult["errors"];
  canSend: boolean;
  needsTable: boolean;
  onSend: () => void;
}) {
  const { create, mistakes, canSend, needsTable, onSend } = props;
  const { t: all } = useLocale();
  const t = useTexts(texts);
  const { state } = create;
  const sending = useTaskRights().submits === "proposes" ? t.proposing : t.sending;
  const box = useRef<HTMLDivElement>(null);
  // The form is locked while the task is sent, which takes the focus from its button.
  const isShown = state.name !== "editing" || mistakes.length > 0 || state.isNotKept === true;
  useEffect(() => void (isShown && box.current?.focus()), [isShown, state.name]);
  if (state.name === "sending" || state.name === "asking") {
    return (
      <div className={styles["outcome"]} ref={box} tabIndex={-1} role="status">
        <p className={styles["outcomeTitle"]}>{state.name === "sending" ? sending : t.asking}</p>
        <progress aria-label={sending} />
        <p className={styles["hint"]}>{t.leave}</p>
      </div>
    );
  }
  if (state.name === "unanswered") {
    return (
      <div className={styles["outcome"]} ref={box} tabIndex={-1} role="alert" data-kind="warning">
        <p className={styles["outcomeTitle"]}>{t.unanswered}</p>
        {state.code !== null && <p>{errorText(all, state.code)}</p>}
        <p>{t.unansweredHint}</p>
        {needsTable && <p>{t.needsTable}</p>}
        <div className={styles["buttons"]}>
          <Button kind="primary" disabled={!canSend} onClick={onSend}>
            {t.sendAgain}
          </Button>
          <Button onClick={() => void create.ask()}>{t.askAgain}</Button>
          <Button kind="quiet" onClick={create.edit}>
            {t.edit}
          </Button>
        </div>
        <p className={styles["hint"]}>{t.editHint}</p>
      </div>
    );
  }
  const [first] = mistakes;
  if (!first && !state.isNotKept) return null;
  const text = state.isNotKept ? t.notKeptKey : WORDS[first?.code ?? "INVALID_INPUT"];
  return (
    <div className={styles["outcome"]} ref={box} tabIndex={-1} role="alert" data-kind="error">
      <p className={styles["outcomeTitle"]}>
        <CircleAlert size={16} aria-hidden="true" /> {text in t ? t[text as "rejected"] : text}
      </p>
      {first && first.path.length === 0 && first.message !== "" && <p>{t.refusedField(first.message)}</p>}
    </div>
  );
}

const WORDS = {
  REJECTED: "rejected",
  UNAVAILABLE: "unavailable",
  INVALID_INPUT: "refusedInput",
  NOT_ALLOWED: "refusedLimits",
  LIMIT_EXCEEDED: "refusedLimits",
  DO_NOT_CALL: "neverCalled",
  STILL_CALLING: "refusedInput",
  NOBODY_TO_CALL: "refusedInput",
  IDEMPOTENCY_CONFLICT: "refusedInput",
  TOO_MANY_PROPOSALS: "tooManyProposals",
  NOT_PROPOSED: "refusedInput",
  OWN_PROPOSAL: "refusedInput",
  APPROVED: "refusedInput",
  DECLINED: "refusedInput",
  EXPIRED: "refusedInput",
} as const;
