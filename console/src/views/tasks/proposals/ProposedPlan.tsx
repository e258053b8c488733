// When a proposal would call, as the gateway says it now, and its people by country.
import { useEffect } from "react";
import { useEvery } from "../../../data/useEvery.ts";
import { useQuery } from "../../../data/useQuery.ts";
import { useTexts } from "../../../locale/Locale.tsx";
import { Fact } from "../../../ui/drawer/Facts.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import { proposedPlanDocument } from "../plan/documents.ts";
import { nextChange } from "../plan/nextChange.ts";
import { CountryCounts, PlanSentence } from "../plan/PlanSentence.tsx";
import { texts } from "../plan/texts/texts.ts";
import type { ProposedTask } from "./proposedTask.ts";

const REFRESH_MS = 30_000;

/** In the question before an approval. */
export function ProposedSentence({ sent }: { sent: ProposedTask }) {
  const { schedule, failure } = useProposedPlan(sent.id);
  return (
    <>
      {failure}
      {schedule && (
        <p>
          <PlanSentence schedule={schedule} written={sent.proposal} />
        </p>
      )}
    </>
  );
}

/** Facts of the summary. */
export function ProposedPlan({ sent }: { sent: ProposedTask }) {
  const t = useTexts(texts);
  const { schedule, countries, failure } = useProposedPlan(sent.id);
  return (
    <>
      {failure}
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

/** `failure`: an error bar where the gateway could not be asked. */
function useProposedPlan(id: string) {
  const t = useTexts(texts);
  const { data, error, failedSince, retryAt, refetch } = useQuery(proposedPlanDocument, { id });
  const { schedule, countries } = data?.taskSubmission?.proposal ?? {};
  // A failed query asks again by itself.
  useEvery(REFRESH_MS, () => error === null && refetch());
  useEffect(() => {
    const next = nextChange(schedule, Date.now());
    if (next === null || next - Date.now() > REFRESH_MS) return undefined;
    const timer = setTimeout(refetch, next - Date.now());
    return () => clearTimeout(timer);
  }, [schedule, refetch]);
  const failure = error && (
    <ErrorBar code={error.code} what={t.checkFailed} since={failedSince} retryAt={retryAt} onRetry={refetch} />
  );
  return { schedule, countries, failure };
}
