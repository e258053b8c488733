// Tasks that were sent and that the gateway cannot name yet, above the list of those that it can.
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { useQuery } from "../../../data/useQuery.ts";
import { useLocale, useTexts } from "../../../locale/Locale.tsx";
import { useOld } from "../../../state/StateProvider.tsx";
import { Button } from "../../../ui/Button.tsx";
import { ErrorBar } from "../../../ui/ErrorBar.tsx";
import { Time } from "../../../ui/Time.tsx";
import { sentTasksDocument } from "../documents.ts";
import { texts } from "../texts/texts.ts";
import { useTaskRights } from "../useTaskRights.ts";
import { readAside, setAside } from "./putAside.ts";
import styles from "./sent.module.css";

const NO_VARIABLES = {};
const REFRESH_MS = 5000;
const SHOWN = 3;
/** Known as a task, or over without one. */
const SETTLED: ReadonlySet<string> = new Set(["RESOLVED", "REJECTED", "DECLINED", "EXPIRED"]);

/** Sent, and the service names no task: some never get one. */
const WAITS_FOR_TASK: ReadonlySet<string> = new Set(["ACCEPTED", "UNCONFIRMED"]);

/** `known`: changes when a task became known. `isAlone`: no other list stands below, which tells what could not be read. */
export function SentTasks({ known, isAlone = false }: { known: number; isAlone?: boolean }) {
  const { format } = useLocale();
  const t = useTexts(texts);
  const { data, error, failedSince, retryAt, answeredAt, refetch } = useQuery(sentTasksDocument, NO_VARIABLES);
  const isOld = useOld(error);
  const { approves } = useTaskRights();
  // An approver sees those that wait in a list of their own.
  const isOpen = (status: string): boolean => !SETTLED.has(status) && !(approves && status === "PROPOSED");
  const open = (data?.taskSubmissions?.nodes ?? []).filter(({ status }) => isOpen(status));
  const [aside, setAsideIds] = useState(readAside);
  const [showsAside, setShowsAside] = useState(false);
  const listed = open.filter(({ id }) => !aside.has(id));
  const hidden = open.filter(({ id }) => aside.has(id));
  useEffect(refetch, [known, refetch]);
  useEffect(() => {
    if (open.length === 0) return undefined;
    const timer = setInterval(() => !document.hidden && refetch(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [open.length, refetch]);

  const bar = isAlone && error && (
    <ErrorBar
      code={error.code}
      what={t.failed}
      since={failedSince}
      retryAt={retryAt}
      asOf={answeredAt}
      onRetry={refetch}
    />
  );
  if (open.length === 0) return bar;
  return (
    <>
      {bar}
      <section className={styles["open"]} data-old={isOld} aria-label={t.sent}>
        <h2>{t.sent}</h2>
        <ul>
          {[...listed.slice(0, SHOWN), ...(showsAside ? hidden : [])].map((each) => (
            <li key={each.id} data-aside={aside.has(each.id) || undefined}>
              <Link to="/tasks" search={{ submission: each.id }}>
                {each.name}
              </Link>
              <span>{t.people(format.number(each.numberCount))}</span>
              <span data-status={each.status}>{t.sentStatus[each.status]}</span>
              <Time value={each.submittedAt} />
              {WAITS_FOR_TASK.has(each.status) && (
                <Button
                  kind="quiet"
                  aria-label={aside.has(each.id) ? t.aside.backNamed(each.name) : t.aside.putNamed(each.name)}
                  onClick={() => setAsideIds(setAside(each.id, !aside.has(each.id)))}
                >
                  {aside.has(each.id) ? t.aside.back : t.aside.put}
                </Button>
              )}
            </li>
          ))}
          {listed.length > SHOWN && <li>{t.moreSent(format.number(listed.length - SHOWN))}</li>}
        </ul>
        {hidden.length > 0 && (
          <p className={styles["aside"]}>
            <Button kind="quiet" aria-expanded={showsAside} onClick={() => setShowsAside(!showsAside)}>
              {showsAside ? t.aside.hide : t.aside.show(format.number(hidden.length))}
            </Button>
            {showsAside && t.aside.hint}
          </p>
        )}
      </section>
    </>
  );
}
