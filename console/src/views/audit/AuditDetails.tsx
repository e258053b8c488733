// One entry: when by both clocks, who, what, and a way to what it is about.
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useQuery } from "../../data/useQuery.ts";
import type { AuditEntryFragment } from "../../gql/graphql.ts";
import { useLocale, useTexts } from "../../locale/Locale.tsx";
import { useSession } from "../../session/SessionProvider.tsx";
import { Fact, Section } from "../../ui/drawer/Facts.tsx";
import { ErrorBar, errorText } from "../../ui/ErrorBar.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useTaskRights } from "../tasks/useTaskRights.ts";
import { auditedCallDocument, auditEntryDocument } from "./documents.ts";
import { isSearchable } from "./auditSearch.ts";
import { texts } from "./texts/texts.ts";

export function AuditDetails({ id }: { id: string }) {
  const t = useTexts(texts);
  const variables = useMemo(() => ({ id }), [id]);
  const { data, error, failedSince, retryAt, answeredAt, refetch } = useQuery(auditEntryDocument, variables);
  const entry = data?.node?.__typename === "AuditEvent" ? data.node : null;
  return (
    <>
      {error && (
        <ErrorBar
          code={error.code}
          what={t.entryFailed}
          since={failedSince}
          retryAt={retryAt}
          asOf={answeredAt}
          onRetry={refetch}
        />
      )}
      {data === undefined && !error && <Skeleton rows={6} />}
      {data && !entry && !error && <Notice title={t.noEntry}>{t.noEntryHint}</Notice>}
      {entry && <EntryFacts entry={entry} />}
    </>
  );
}

function EntryFacts({ entry }: { entry: AuditEntryFragment }) {
  const t = useTexts(texts);
  const { format } = useLocale();
  const { serviceTimeZone, holds } = useSession();
  const { id, at, actor, action, count, subjectId, via, tool, client } = entry;
  return (
    <Section title={t.did[action](format.number(count))}>
      <Fact name={t.who}>
        {actor}{" "}
        {isSearchable(actor, holds("people:read")) && (
          <Link to="/audit" search={{ actor, entry: id }}>
            {t.allOfActor}
          </Link>
        )}
      </Fact>
      {via !== null && (
        <>
          <Fact name={t.through}>{t.byAgent(via, tool ?? via)}</Fact>
          <Fact name={t.client}>{client ?? t.noClient}</Fact>
        </>
      )}
      <Fact name={t.at}>
        <time dateTime={at}>{format.exact(at)}</time>
      </Fact>
      <Fact name={t.serviceTime}>{format.exact(at, serviceTimeZone)}</Fact>
      <Fact name={t.action}>
        <code>{action}</code>
      </Fact>
      <Fact name={t.about}>
        <Subject entry={entry} />{" "}
        {subjectId !== null && (
          <Link to="/audit" search={{ subject: subjectId, entry: id }}>
            {t.allOfSubject}
          </Link>
        )}
      </Fact>
    </Section>
  );
}

function Subject({ entry: { action, subjectId } }: { entry: AuditEntryFragment }) {
  const t = useTexts(texts);
  const { t: shared } = useLocale();
  const { holds } = useSession();
  const { seesSubmissions } = useTaskRights();
  if (subjectId === null) return shared.format.none;
  if (action === "RECORDING_PLAYED" || action === "DELIVERY_SHOWN")
    return holds("calls:read") ? <CallOf subjectId={subjectId} /> : t.needs("calls:read");
  if (!action.startsWith("TASK_")) return t.leftQuarantine;
  if (!seesSubmissions) return t.needs("tasks:create");
  return (
    <Link to="/tasks" search={{ submission: subjectId }}>
      {t.showTask}
    </Link>
  );
}

function CallOf({ subjectId }: { subjectId: string }) {
  const t = useTexts(texts);
  const { t: shared } = useLocale();
  const variables = useMemo(() => ({ id: subjectId }), [subjectId]);
  const { data, error } = useQuery(auditedCallDocument, variables);
  if (error) return errorText(shared, error.code);
  if (!data) return null;
  if (!data.node || !("sessionId" in data.node)) return t.goneCall;
  const { sessionId } = data.node;
  return (
    <Link to="/audit" search={(before) => ({ ...before, entry: undefined, call: sessionId })}>
      {t.showCall}
    </Link>
  );
}
