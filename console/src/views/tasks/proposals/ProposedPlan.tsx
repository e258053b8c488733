// When a proposal would call, as the gateway says it now, and its people by country.
import { useEvery } from "../../../data/useEvery.ts";
import { useQuery } from "../../../data/useQuery.ts";
import { useTexts } from "../../../locale/Locale.tsx";
import { Fact } from "../../../ui/drawer/Facts.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import { proposedPlanDocument } from "../plan/documents.ts";
import { CountryCounts, PlanSentence } from "../plan/PlanSentence.tsx";
import { texts } from "../plan/texts/texts.ts";
import type { ProposedTask } from "./proposedTask.ts";

const REFRESH_MS = 30_000;

/** In the question before an approval. */
export function ProposedSentence({ sent }: { sent: ProposedTask }) {
  const { data } = useQuery(proposedPlanDocument, { id: sent.id });
  const { schedule } = data?.taskSubmission?.proposal ?? {};
  return schedule ? (
    <p>
      <PlanSentence schedule={schedule} written={sent.proposal} />
    </p>
  ) : null;
}

/** Facts of the summary. */
export function ProposedPlan({ sent }: { sent: ProposedTask }) {
  const t = useTexts(texts);
  const { data, error, refetch } = useQuery(proposedPlanDocument, { id: sent.id });
  useEvery(REFRESH_MS, refetch);
  const { schedule, countries } = data?.taskSubmission?.proposal ?? {};
  return (
    <>
      {error && <ErrorBar code={error.code} what={t.checkFailed} onRetry={refetch} />}
      <Fact name={t.when}>
        {schedule && <PlanSentence schedule={schedule} written={sent.proposal} isPast={sent.status !== "PROPOSED"} />}
      </Fact>
      {countries && (
        <Fact name={t.countries}>
          <CountryCounts countries={countries} />
        </Fact>
      )}
    </>
  );
}
