import { PhoneIncoming, PhoneOutgoing } from "lucide-react";
import { useMemo } from "react";
import { useQuery } from "../data/useQuery.ts";
import type { ConsoleCallQuery } from "../gql/graphql.ts";
import { useLocale } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import { ErrorBar } from "../ui/ErrorBar.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Outcome } from "../ui/Outcome.tsx";
import { PhoneNumber } from "../ui/PhoneNumber.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { CallFacts } from "./CallFacts.tsx";
import { CallTimeline } from "./CallTimeline.tsx";
import { callDocument } from "./documents.ts";
import { RecordingSection } from "./RecordingSection.tsx";
import { Revisions } from "./Revisions.tsx";
import styles from "./call.module.css";

export type Call = NonNullable<ConsoleCallQuery["callEnded"]>;

export function CallDetails({ sessionId }: { sessionId: string }) {
  const { t } = useLocale();
  const { holds } = useSession();
  const [people, recordings] = [holds("people:read"), holds("recordings:read")];
  const variables = useMemo(() => ({ sessionId, people, recordings }), [sessionId, people, recordings]);
  const { data, error, failedSince, retryAt, isLoading, refetch } = useQuery(callDocument, variables);
  const call = data?.callEnded ?? null;

  if (!call && isLoading) return <Skeleton rows={8} />;
  const retry = { since: failedSince, retryAt, onRetry: refetch };
  if (!call && error) return <ErrorBar code={error.code} {...retry} />;
  if (!call) return <Notice title={t.call.missing}>{t.call.missingHint}</Notice>;
  const isInbound = call.direction === "INBOUND";
  const Icon = isInbound ? PhoneIncoming : PhoneOutgoing;
  return (
    // It scrolls, so the keyboard must reach it.
    <div className={styles["details"]} role="group" aria-label={t.call.title} tabIndex={0}>
      {error && <ErrorBar code={error.code} what={t.call.partly} {...retry} />}
      <div className={styles["summary"]}>
        <p className={styles["who"]}>
          <Icon size={18} role="img" aria-label={isInbound ? t.call.inbound : t.call.outbound} />
          <PhoneNumber value={isInbound ? call.caller : call.callee} />
        </p>
        <Outcome answered={call.answered} isReconciled={call.source === "RECONCILED"} />
      </div>
      <RecordingSection recording={call.recording} onStale={refetch} />
      <CallTimeline call={call} />
      <CallFacts call={call} />
      {call.revision > 1 && <Revisions call={call} />}
    </div>
  );
}
