import { PhoneIncoming, PhoneOutgoing } from "lucide-react";
import { useCallTexts } from "./callTexts.ts";
import { useLocale } from "../locale/Locale.tsx";
import { useOld } from "../state/StateProvider.tsx";
import { ErrorBar } from "../ui/ErrorBar.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Outcome } from "../ui/Outcome.tsx";
import { PhoneNumber } from "../ui/PhoneNumber.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { CallFacts } from "./CallFacts.tsx";
import { CallTimeline } from "./CallTimeline.tsx";
import { RecordingSection } from "./RecordingSection.tsx";
import { Revisions } from "./Revisions.tsx";
import { useCall } from "./useCall.ts";
import styles from "./call.module.css";

export function CallDetails({ sessionId, around }: { sessionId: string; around: string | null }) {
  const own = useCallTexts();
  const { t } = useLocale();
  const { call, error, failedSince, retryAt, answeredAt, isLoading, refetch } = useCall(sessionId, around);
  const isOld = useOld(error);

  if (!call && isLoading) return <Skeleton rows={8} />;
  const retry = { since: failedSince, retryAt, onRetry: refetch };
  if (!call && error) return <ErrorBar code={error.code} {...retry} />;
  if (!call) return <Notice title={own.missing}>{own.missingHint}</Notice>;
  const isInbound = call.direction === "INBOUND";
  const Icon = isInbound ? PhoneIncoming : PhoneOutgoing;
  return (
    // It scrolls, so the keyboard must reach it.
    <div className={styles["details"]} role="group" aria-label={own.title} tabIndex={0} data-old={isOld}>
      {error && <ErrorBar code={error.code} what={own.partly} asOf={answeredAt} {...retry} />}
      <div className={styles["summary"]}>
        <p className={styles["who"]}>
          <Icon size={18} role="img" aria-label={isInbound ? t.call.inbound : t.call.outbound} />
          <PhoneNumber value={isInbound ? call.caller : call.callee} />
        </p>
        <Outcome answered={call.answered} isReconciled={call.event?.source === "RECONCILED"} />
      </div>
      {!call.event && <p className={styles["listed"]}>{own.noEvent}</p>}
      <RecordingSection recording={call.recording} onStale={refetch} />
      <CallTimeline call={call} />
      <CallFacts call={call} />
      {call.event && call.event.revision > 1 && <Revisions event={call.event} />}
    </div>
  );
}
