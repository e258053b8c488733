// What became of a decision: as it was meant, decided by somebody else before, refused, or without an answer.
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useSession } from "../../../session/SessionProvider.tsx";
import { errorText } from "../../../ui/ErrorBar.tsx";
import type { ProposedTask } from "./proposedTask.ts";
import { texts } from "./texts/texts.ts";
import type { DecisionState } from "./useDecision.ts";

export function DecisionResult({ sent, state }: { sent: ProposedTask; state: DecisionState }) {
  const { t: all, format } = useLocale();
  const t = useTexts(texts);
  const { viewer } = useSession();
  const { status, proposal } = sent;
  const who = proposal.decidedBy === viewer.name ? t.you : (proposal.decidedBy ?? t.somebody);
  const when = proposal.decidedAt === null ? "" : format.exact(proposal.decidedAt);

  // The list of steps shows it, too; this says what it means for the decision of this page.
  if (state.name !== "answered" && state.name !== "unanswered") return null;
  const isReplayed = state.name === "answered" && state.result.replayed;
  const isMine = proposal.decidedBy === viewer.name && !isReplayed;
  if (status === "EXPIRED") return <p>{t.expiredBefore}</p>;
  if (status === "REJECTED") return <p>{t.rejected}</p>;
  if (status === "DECLINED")
    return <p>{isMine && state.kind === "decline" ? t.declined : t.declinedBefore(who, when)}</p>;
  if (status !== "PROPOSED")
    return <p>{isMine && state.kind === "approve" ? t.approved : t.approvedBefore(who, when)}</p>;
  if (state.name === "unanswered") {
    return (
      <>
        <p>
          <strong>{t.unanswered}</strong> {errorText(all, state.code)}
        </p>
        <p>{state.kind === "approve" ? t.unansweredApprove : t.unansweredDecline}</p>
      </>
    );
  }
  const [error] = state.result.errors;
  return error ? <p>{refusal(error)}</p> : null;

  function refusal({ code, message }: { code: string; message: string }): string {
    if (code === "OWN_PROPOSAL") return t.own;
    if (code === "UNAVAILABLE") return t.unavailable;
    if (code === "DO_NOT_CALL") return t.neverCalled;
    return t.refused(message);
  }
}
