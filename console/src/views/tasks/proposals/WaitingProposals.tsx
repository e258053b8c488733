// Proposals that wait for an approval, above the list of tasks, for a viewer that may approve them.
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useSession } from "../../../session/SessionProvider.tsx";
import { useOld } from "../../../state/StateProvider.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { Time } from "../../../ui/Time.tsx";
import { texts as tasksTexts } from "../texts/texts.ts";
import { texts } from "./texts/texts.ts";
import { useProposals } from "./useProposals.ts";
import styles from "./proposals.module.css";

/** `opened`: the submission in the details; what became of it is read again when they close. `isAlone`: no tasks stand below. */
export function WaitingProposals({ opened, isAlone }: { opened: string | null; isAlone: boolean }) {
  const { format } = useLocale();
  const t = useTexts(texts);
  const { people } = useTexts(tasksTexts);
  const { viewer } = useSession();
  const { waiting, isCut, error, refetch } = useProposals();
  useEffect(refetch, [opened, refetch]);
  const isOld = useOld(error);

  return (
    <>
      {error && <ErrorBar code={error.code} what={t.failed} onRetry={refetch} />}
      {isAlone && waiting?.length === 0 && <Notice title={t.none}>{t.noneHint}</Notice>}
      {waiting !== null && waiting.length > 0 && (
        <section className={styles["waiting"]} data-old={isOld} aria-label={t.waiting}>
          <h2>
            {t.waiting} <span>{format.number(waiting.length)}</span>
          </h2>
          <ul>
            {waiting.map(({ id, name, numberCount, submittedAt, submittedBy, proposal }) => (
              <li key={id}>
                <Link to="/tasks" search={{ submission: id }}>
                  {name}
                </Link>
                <span>{people(format.number(numberCount))}</span>
                <span>{submittedBy === viewer.name ? t.byYou : t.by(submittedBy ?? t.somebody)}</span>
                <Time value={submittedAt} />
                <span>
                  {t.until} <time dateTime={proposal.expiresAt}>{format.minute(proposal.expiresAt)}</time> {format.zone}
                </span>
              </li>
            ))}
          </ul>
          {isCut && <p>{t.cut}</p>}
        </section>
      )}
    </>
  );
}
