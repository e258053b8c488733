import { Link } from "@tanstack/react-router";
import { PhoneIncoming, PhoneOutgoing } from "lucide-react";
import { useCallTexts } from "./callTexts.ts";
import { hashOf } from "../data/filterSearch.ts";
import { useLocale } from "../locale/Locale.tsx";
import { useSession } from "../session/SessionProvider.tsx";
import { useOld } from "../state/StateProvider.tsx";
import { CopyButton } from "../ui/CopyButton.tsx";
import { ErrorBar } from "../ui/ErrorBar.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Outcome } from "../ui/Outcome.tsx";
import { PhoneNumber } from "../ui/PhoneNumber.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Attempts } from "./Attempts.tsx";
import { CallFacts } from "./CallFacts.tsx";
import { CallTimeline } from "./CallTimeline.tsx";
import { RecordingSection } from "./RecordingSection.tsx";
import { Revisions } from "./Revisions.tsx";
import { useCall } from "./useCall.ts";
import { whatHappened } from "./whatHappened.ts";
import styles from "./call.module.css";

export function CallDetails({ sessionId, around }: { sessionId: string; around: string | null }) {
  const own = useCallTexts();
  const locale = useLocale();
  const { t } = locale;
  const { holds } = useSession();
  const { call, error, failedSince, retryAt, answeredAt, isLoading, refetch } = useCall(sessionId, around);
  const isOld = useOld(error);

  if (!call && isLoading) return <Skeleton rows={8} />;
  const retry = { since: failedSince, retryAt, onRetry: refetch };
  if (!call && error) return <ErrorBar code={error.code} {...retry} />;
  if (!call) return <Notice title={own.missing}>{own.missingHint}</Notice>;
  const isInbound = call.direction === "INBOUND";
  const person = isInbound ? call.caller : call.callee;
  const reads = holds("people:read");
  const Icon = isInbound ? PhoneIncoming : PhoneOutgoing;
  return (
    // It scrolls, so the keyboard must reach it.
    <div className={styles["details"]} role="group" aria-label={own.title} tabIndex={0} data-old={isOld}>
      {error && <ErrorBar code={error.code} what={own.partly} asOf={answeredAt} {...retry} />}
      <p className={styles["happened"]}>{whatHappened(call, own, locale)}</p>
      <div className={styles["summary"]}>
        <p className={styles["who"]}>
          <Icon size={18} role="img" aria-label={isInbound ? t.call.inbound : t.call.outbound} />
          <PhoneNumber value={person} />
          {person !== null && reads && <CopyButton value={person} label={own.copyNumber} />}
        </p>
        <Outcome answered={call.answered} isReconciled={call.event?.source === "RECONCILED"} />
        {person !== null && reads && (
          <Link to="/calls" search={{ range: "30d" }} hash={hashOf(person)} className={styles["allCalls"]}>
            {own.allCalls}
          </Link>
        )}
      </div>
      {!call.event && <p className={styles["listed"]}>{own.noEvent}</p>}
      <RecordingSection recording={call.recording} onStale={refetch} />
      <CallTimeline call={call} />
      {reads && <Attempts call={call} />}
      <CallFacts call={call} />
      {call.event && call.event.revision > 1 && <Revisions event={call.event} />}
    </div>
  );
}
