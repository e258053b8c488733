// A sent task, followed to the task that it became, and then that task.
import { Circle, CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { useSubscription } from "../../../data/useSubscription.ts";
import type { SentTaskFragment } from "../../../gql/graphql.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { Time } from "../../../ui/Time.tsx";
import { texts as createTexts } from "../create/texts/texts.ts";
import { submissionDocument } from "../documents.ts";
import { TaskDetails } from "../details/TaskDetails.tsx";
import { texts } from "../texts/texts.ts";
import styles from "./sent.module.css";

export default function SubmissionDetails({ id }: { id: string }) {
  const t = useTexts(createTexts).steps;
  const variables = useMemo(() => ({ id }), [id]);
  const { data, error, retry } = useSubscription(submissionDocument, variables);
  const sent = data?.taskSubmission;

  if (!sent && error) return <ErrorBar code={error.code} onRetry={retry} />;
  if (sent === undefined) return <Skeleton rows={6} />;
  if (sent === null) return <Notice title={t.missing}>{t.missingHint}</Notice>;
  return (
    <div className={styles["sent"]}>
      {error && <ErrorBar code={error.code} onRetry={retry} />}
      <Steps sent={sent} />
      {sent.taskId !== null && <TaskDetails taskId={sent.taskId} isNamed />}
    </div>
  );
}

type StepState = "done" | "current" | "failed" | "open";
const ICONS = { done: CircleCheck, current: CircleDashed, failed: CircleAlert, open: Circle };

const ANSWERS = {
  PENDING: { state: "current", text: "pending", hint: null },
  ACCEPTED: { state: "done", text: "accepted", hint: "acceptedHint" },
  RESOLVED: { state: "done", text: "accepted", hint: null },
  UNCONFIRMED: { state: "failed", text: "unconfirmed", hint: "unconfirmedHint" },
  REJECTED: { state: "failed", text: "rejected", hint: "rejectedHint" },
} as const;

function Steps({ sent }: { sent: SentTaskFragment }) {
  const { format } = useLocale();
  const { people } = useTexts(texts);
  const t = useTexts(createTexts).steps;
  const { state, text, hint } = ANSWERS[sent.status];
  const isFound = sent.status === "RESOLVED";
  const isOver = sent.status === "REJECTED";
  return (
    <section className={styles["steps"]} aria-label={t.title}>
      <h3>{sent.name}</h3>
      <p className={styles["people"]}>{people(format.number(sent.numberCount))}</p>
      <div role="status">
        <ol>
          <Step state="done" text={t.sent}>
            <Time value={sent.submittedAt} />
          </Step>
          <Step state={state} text={t[text]}>
            {hint && t[hint]}
          </Step>
          {!isOver && (
            <Step state={isFound ? "done" : "open"} text={isFound ? t.found : t.waiting}>
              {sent.taskId}
            </Step>
          )}
        </ol>
      </div>
    </section>
  );
}

function Step({ state, text, children }: { state: StepState; text: string; children: ReactNode }) {
  const Icon = ICONS[state];
  return (
    <li data-state={state}>
      <Icon size={16} aria-hidden="true" />
      <span>{text}</span>
      {children && <div>{children}</div>}
    </li>
  );
}
