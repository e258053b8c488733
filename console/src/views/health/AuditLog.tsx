// The audit log: which key did what, a page at a time, the newest first.
import { Link } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { useEvery } from "../../data/useEvery.ts";
import { useQuery } from "../../data/useQuery.ts";
import type { ConsoleAuditQuery } from "../../gql/graphql.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { useOld } from "../../state/StateProvider.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { auditDocument } from "./documents.ts";
import { Pages } from "./Pages.tsx";
import { en } from "./texts/en.ts";
import { zh } from "./texts/zh.ts";
import styles from "./health.module.css";

type Entry = NonNullable<ConsoleAuditQuery["auditEvents"]>["nodes"][number];

const EVERY_MS = 30_000;

export function AuditLog() {
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const [after, setAfter] = useState<string | null>(null);
  const variables = useMemo(() => ({ after }), [after]);
  const { data, error, failedSince, retryAt, answeredAt, refetch } = useQuery(auditDocument, variables);
  useEvery(EVERY_MS, () => after === null && refetch());
  const isOld = useOld(error);
  const page = data?.auditEvents;
  return (
    <section className={styles["section"]} aria-labelledby="audit">
      <div className={styles["sectionHead"]}>
        <h2 id="audit">{t.audit}</h2>
        <p className={styles["hint"]}>{t.auditHint}</p>
      </div>
      {error && (
        <ErrorBar
          code={error.code}
          what={t.auditFailed}
          since={failedSince}
          retryAt={retryAt}
          asOf={answeredAt}
          onRetry={refetch}
        />
      )}
      {!page && !error && <Skeleton rows={3} />}
      {page?.nodes.length === 0 && !error && <p className={styles["empty"]}>{t.auditEmpty}</p>}
      {page && page.nodes.length > 0 && (
        <table className={styles["audit"]} data-old={isOld} aria-labelledby="audit">
          <thead>
            <tr>
              <th scope="col">{t.auditWhen(format.zone)}</th>
              <th scope="col">{t.auditWho}</th>
              <th scope="col">{t.auditWhat}</th>
            </tr>
          </thead>
          <tbody>
            {page.nodes.map((entry) => (
              <tr key={entry.id}>
                <td>
                  <time dateTime={entry.at}>{format.exact(entry.at)}</time>
                </td>
                <td>{entry.actor}</td>
                <td>
                  <What entry={entry} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <Pages page={page} after={after} onTurn={setAfter} />
    </section>
  );
}

/** A submission can be looked at; the other subjects have no page, or are gone. */
function What({ entry: { action, count, subjectId } }: { entry: Entry }) {
  const t = useTexts({ en, zh });
  const { format } = useLocale();
  const { holds } = useSession();
  const text = t.did[action](format.number(count));
  if (!action.startsWith("TASK_") || subjectId === null || !holds("tasks:create")) return text;
  return (
    <Link to="/tasks" search={{ submission: subjectId }}>
      {text}
    </Link>
  );
}
