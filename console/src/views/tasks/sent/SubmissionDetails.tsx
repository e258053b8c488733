// A sent task, followed to the task that it became, and then that task.
import { Circle, CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import { useMemo, useState, type ReactNode } from "react";
import { useSubscription } from "../../../data/useSubscription.ts";
import type { SentTaskFragment } from "../../../gql/graphql.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { Skeleton } from "../../../ui/Skeleton.tsx";
import { useSession } from "../../../session/SessionProvider.tsx";
import { Time } from "../../../ui/Time.tsx";
import { texts as createTexts } from "../create/texts/texts.ts";
import { submissionDocument } from "../documents.ts";
import { CopyPlan } from "../details/CopyPlan.tsx";
import { TaskDetails } from "../details/TaskDetails.tsx";
import { Decision } from "../proposals/Decision.tsx";
import { ProposedWords } from "../proposals/ProposedWords.tsx";
import type { ProposedTask } from "../proposals/proposedTask.ts";
import { ProposalSummary } from "../proposals/ProposalSummary.tsx";
import { texts as proposalTexts } from "../proposals/texts/texts.ts";
import { texts } from "../texts/texts.ts";
import { useTaskRights } from "../useTaskRights.ts";
import styles from "./sent.module.css";

export function SubmissionDetails({ id }: { id: string }) {
  const t = useTexts(createTexts).steps;
  const variables = useMemo(() => ({ id }), [id]);
  const { data, error, retry } = useSubscription(submissionDocument, variables);
  const { approves, reads } = useTaskRights();
  const [answered, setAnswered] = useState<SentTaskFragment | null>(null);
  const followed = data?.taskSubmission;
  // The answer to a decision may be here before the subscription tells it.
  const sent = followed?.status === "PROPOSED" && answered ? answered : followed;

  if (!sent && error) return <ErrorBar code={error.code} onRetry={retry} />;
  if (sent === undefined) return <Skeleton rows={6} />;
  if (sent === null) return <Notice title={t.missing}>{t.missingHint}</Notice>;
  return (
    <div className={styles["sent"]}>
      {error && <ErrorBar code={error.code} onRetry={retry} />}
      <Steps sent={sent} />
      {isProposal(sent) && approves && <Decision sent={sent} onResult={setAnswered} />}
      {isProposal(sent) && <ProposalSummary sent={sent} />}
      {isProposal(sent) && (
        <div className={styles["copy"]}>
          <CopyPlan plan={{ ...sent, ...sent.proposal }} />
        </div>
      )}
      {isProposal(sent) && sent.status === "PROPOSED" && <ProposedWords id={sent.id} />}
      {sent.taskId !== null && reads && <TaskDetails taskId={sent.taskId} isNamed />}
    </div>
  );
}

const isProposal = (sent: SentTaskFragment): sent is ProposedTask => sent.proposal !== null;

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
  return (
    <section className={styles["steps"]} aria-label={t.title}>
      <h3>{sent.name}</h3>
      <p className={styles["people"]}>{people(format.number(sent.numberCount))}</p>
      <div role="status">
        <ol>
          {isProposal(sent) ? (
            <ProposalSteps sent={sent} />
          ) : (
            <Step state="done" text={t.sent}>
              <Time value={sent.submittedAt} />
            </Step>
          )}
          <AnswerSteps sent={sent} />
        </ol>
      </div>
    </section>
  );
}

function ProposalSteps({ sent: { status, submittedAt, proposal } }: { sent: ProposedTask }) {
  const { format } = useLocale();
  const { viewer, serviceTimeZone } = useSession();
  const t = useTexts(proposalTexts);
  const { expiresAt, decidedAt, decidedBy, declineReason } = proposal;
  const who = decidedBy === viewer.name ? t.you : (decidedBy ?? t.somebody);
  const hint = t.stepWaitingHint(format.exact(expiresAt), format.exact(expiresAt, serviceTimeZone));
  const isUnsent = status === "DECLINED" || status === "EXPIRED";
  return (
    <>
      <Step state="done" text={t.stepProposed}>
        <Time value={submittedAt} />
      </Step>
      {status === "PROPOSED" && (
        <Step state="current" text={t.stepWaiting}>
          {hint}
        </Step>
      )}
      {isUnsent && (
        <Step state="failed" text={status === "EXPIRED" ? t.stepExpired : t.stepDeclined(who)}>
          {declineReason !== null && <p>{t.stepReason(declineReason)}</p>}
          <p>{t.stepUnsent}</p>
        </Step>
      )}
      {status !== "PROPOSED" && !isUnsent && (
        <Step state="done" text={t.stepApproved(who)}>
          <Time value={decidedAt} />
        </Step>
      )}
    </>
  );
}

/** What the service made of it. Nothing while it waits for an approval, and where it got none. */
function AnswerSteps({ sent: { status, taskId } }: { sent: SentTaskFragment }) {
  const t = useTexts(createTexts).steps;
  if (status === "PROPOSED" || status === "DECLINED" || status === "EXPIRED") return null;
  const { state, text, hint } = ANSWERS[status];
  const isFound = status === "RESOLVED";
  return (
    <>
      <Step state={state} text={t[text]}>
        {hint && t[hint]}
      </Step>
      {status !== "REJECTED" && (
        <Step state={isFound ? "done" : "open"} text={isFound ? t.found : t.waiting}>
          {taskId}
        </Step>
      )}
    </>
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
