// What a proposal would do, without its phone numbers.
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useSession } from "../../../session/SessionProvider.tsx";
import { Fact, Section } from "../../../ui/drawer/Facts.tsx";
import { Time } from "../../../ui/Time.tsx";
import { LeftOut } from "../LeftOut.tsx";
import { useTaskChoices } from "../useTaskChoices.ts";
import { texts as tasksTexts } from "../texts/texts.ts";
import type { ProposedTask } from "./proposedTask.ts";
import { ProposedPlan } from "./ProposedPlan.tsx";
import { useTaskRights } from "../useTaskRights.ts";
import { texts } from "./texts/texts.ts";

export function ProposalSummary({ sent }: { sent: ProposedTask }) {
  const { format } = useLocale();
  const { viewer } = useSession();
  const { reads } = useTaskRights();
  const t = useTexts(texts);
  const { details, people } = useTexts(tasksTexts);
  const { assistantText, lineText } = useTaskChoices(reads);
  const { proposal, assistantId, submittedBy, leftOutCount, calledAgainFrom: again } = sent;
  const hasLeftOut = again && (again.leftOut.length > 0 || again.withoutVariables > 0);
  const tries = format.number(proposal.retryCount);
  return (
    <Section title={t.summary}>
      <Fact name={t.proposedBy}>{submittedBy === viewer.name ? t.you : (submittedBy ?? t.somebody)}</Fact>
      <Fact name={t.proposedAt}>
        <Time value={sent.submittedAt} />
      </Fact>
      <Fact name={details.numbers}>
        {people(format.number(sent.numberCount))}
        {leftOutCount > 0 && !again && `, ${t.leftOut(format.number(leftOutCount))}`}
      </Fact>
      {hasLeftOut && (
        <Fact name={t.notAgain}>
          <LeftOut of={again} />
        </Fact>
      )}
      <Fact name={details.assistant}>{assistantText(assistantId)}</Fact>
      {proposal.overridesAssistant && <Fact name={t.override}>{t.overrideHint}</Fact>}
      <Fact name={details.lines}>{proposal.lineIds.map(lineText).join(", ")}</Fact>
      <ProposedPlan sent={sent} />
      <Fact name={details.retries}>
        {proposal.retryCount === 0 ? tries : t.retries(tries, format.duration(proposal.retryIntervalSeconds * 1000))}
      </Fact>
      <Fact name={t.neverCall}>{proposal.skipDoNotCall ? t.neverCallSkips : t.neverCallRefuses}</Fact>
    </Section>
  );
}
