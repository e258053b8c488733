// Earlier calls of the task to the same number. The log finds them by number, which needs people:read.
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useQuery } from "../data/useQuery.ts";
import { useLocale } from "../locale/Locale.tsx";
import { Section } from "../ui/drawer/Facts.tsx";
import { Outcome } from "../ui/Outcome.tsx";
import { Time } from "../ui/Time.tsx";
import { useCallTexts } from "./callTexts.ts";
import { attemptsDocument } from "./documents.ts";
import type { Call } from "./useCall.ts";
import { whatHappened } from "./whatHappened.ts";
import styles from "./call.module.css";

export function Attempts({ call }: { call: Call }) {
  const own = useCallTexts();
  const locale = useLocale();
  const { format } = locale;
  const { sessionId, direction, taskId, callee: phone, startAt, endAt } = call;
  const until = endAt ?? startAt;
  const variables = useMemo(() => {
    if (direction !== "OUTBOUND" || taskId === null || phone === null || until === null) return null;
    return { filter: { taskIds: [taskId], phone, until } };
  }, [direction, taskId, phone, until]);
  const { data, error } = useQuery(attemptsDocument, variables);
  const { nodes = [], pageInfo } = data?.callEndedEvents ?? {};
  // The log has an imported call at the place where it was imported.
  const earlier = nodes
    .filter((each) => each.sessionId !== sessionId)
    .toSorted((a, b) => (b.endAt ?? "").localeCompare(a.endAt ?? ""));
  if (earlier.length === 0 && !error) return null;
  const count = format.number(earlier.length);
  return (
    <Section title={own.attempts} hint={pageInfo?.hasNextPage ? own.newestAttempts(count) : count}>
      {error && <p className={styles["none"]}>{own.attemptsFailed}</p>}
      <ol className={styles["attempts"]}>
        {earlier.map((each) => (
          <li key={each.sessionId}>
            <Link
              to="."
              search={(before) => ({ ...before, call: each.sessionId, around: undefined })}
              hash={true}
              state={true}
              title={whatHappened({ ...each, event: each }, own, locale)}
            >
              <Time value={each.endAt} />
            </Link>
            <Outcome answered={each.answered} isReconciled={each.source === "RECONCILED"} />
            <span>{each.hangupReason}</span>
          </li>
        ))}
      </ol>
    </Section>
  );
}
