// Approving or declining a proposal, in the details of its submission.
import { useEffect, useId, useRef, useState } from "react";
import type { SentTaskFragment } from "../../../gql/graphql.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useSession } from "../../../session/SessionProvider.tsx";
import { Button } from "../../../ui/Button.tsx";
import { DecisionResult } from "./DecisionResult.tsx";
import { ProposedSentence } from "./ProposedPlan.tsx";
import type { ProposedTask } from "./proposedTask.ts";
import { texts } from "./texts/texts.ts";
import { useDecision } from "./useDecision.ts";
import styles from "./proposals.module.css";

const MAX_REASON = 1000;

/** `onResult`: gets the submission as the gateway answers it. */
export function Decision({ sent, onResult }: { sent: ProposedTask; onResult: (submission: SentTaskFragment) => void }) {
  const { format } = useLocale();
  const t = useTexts(texts);
  const { viewer } = useSession();
  const { state, confirm, reset, decide } = useDecision(sent.id, onResult);
  const [reason, setReason] = useState("");
  const box = useRef<HTMLElement>(null);
  const id = useId();
  const waits = sent.status === "PROPOSED";
  const isOwn = sent.submittedBy === viewer.name;
  // The button that was pressed is gone, or disabled.
  useEffect(() => void (state.name !== "open" && box.current?.focus()), [state.name]);

  const count = format.number(sent.numberCount);
  const kind = state.name === "open" ? null : state.kind;
  const asksFor = state.name === "confirming" || state.name === "busy" ? state.kind : null;
  const isBusy = state.name === "busy";
  if (!waits && kind === null) return null;
  return (
    <section className={styles["decision"]} ref={box} tabIndex={-1} aria-label={t.decision}>
      <div role="status">
        {isBusy && <p>{t.deciding}</p>}
        {!waits && asksFor && !isBusy && <p>{t.meanwhile}</p>}
        <DecisionResult sent={sent} state={state} />
      </div>
      {waits && asksFor === null && (
        <>
          {isOwn && <p>{t.own}</p>}
          <div className={styles["buttons"]}>
            {!isOwn && (
              <Button kind="primary" onClick={() => confirm("approve")}>
                {state.name === "unanswered" ? t.approveAgain : t.approve}
              </Button>
            )}
            <Button onClick={() => confirm("decline")}>{t.decline}</Button>
          </div>
        </>
      )}
      {waits && asksFor === "approve" && (
        <>
          <p className={styles["question"]}>{t.approveQuestion(count)}</p>
          <ProposedSentence sent={sent} />
          <p>{t.approveHint}</p>
          <div className={styles["buttons"]}>
            <Button kind="primary" disabled={isBusy} onClick={() => void decide("approve", null)}>
              {t.approveConfirm(count)}
            </Button>
            <Button disabled={isBusy} onClick={reset}>
              {t.cancel}
            </Button>
          </div>
        </>
      )}
      {waits && asksFor === "decline" && (
        <>
          <p className={styles["question"]}>{t.declineQuestion}</p>
          <p>{t.declineHint}</p>
          <label htmlFor={id}>{t.reason}</label>
          <textarea
            id={id}
            rows={3}
            maxLength={MAX_REASON}
            value={reason}
            disabled={isBusy}
            onChange={({ target }) => setReason(target.value)}
          />
          <div className={styles["buttons"]}>
            <Button kind="primary" disabled={isBusy} onClick={() => void decide("decline", reason.trim() || null)}>
              {t.declineConfirm}
            </Button>
            <Button disabled={isBusy} onClick={reset}>
              {t.cancel}
            </Button>
          </div>
        </>
      )}
    </section>
  );
}
