import { Link } from "@tanstack/react-router";
import { PhoneIncoming, PhoneOutgoing } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import type { LiveCallFragment } from "../../gql/graphql.ts";
import { useLocale, type Locale } from "../../locale/Locale.tsx";
import type { Column } from "../../ui/DataTable.tsx";
import { Outcome } from "../../ui/Outcome.tsx";
import { PhoneNumber } from "../../ui/PhoneNumber.tsx";
import { Time } from "../../ui/Time.tsx";
import type { LiveItem } from "./useLiveCalls.ts";
import { useNames, type Names } from "./useNames.ts";
import styles from "./live.module.css";

export function useLiveColumns(items: readonly LiveItem[]): readonly Column<LiveItem>[] {
  const locale = useLocale();
  const names = useNames(items);
  return useMemo(() => columnsOf(locale, names), [locale, names]);
}

function columnsOf({ t, format }: Locale, names: Names): Column<LiveItem>[] {
  const ofCall = (cell: (call: LiveCallFragment) => ReactNode) => (item: LiveItem) =>
    item.type === "call" ? cell(item.call) : null;
  const { none } = t.format;
  return [
    { id: "call", title: t.live.columnCall, width: 190, cell: ofCall((call) => <CallLink call={call} />) },
    { id: "outcome", title: t.live.columnOutcome, width: 140, cell: ofCall((call) => <OutcomeOf call={call} />) },
    {
      id: "hungUp",
      title: t.live.columnHungUp,
      width: 120,
      cell: ofCall(({ hungUpBy }) =>
        hungUpBy ? t.call[hungUpBy === "ASSISTANT" ? "assistantSide" : "customerSide"] : none,
      ),
    },
    { id: "reason", title: t.live.columnReason, width: 150, cell: ofCall(({ hangupReason }) => hangupReason ?? none) },
    {
      id: "talk",
      title: t.live.columnTalk,
      width: 100,
      align: "end",
      cell: ofCall((call) => {
        const ms = talkMs(call);
        return ms === null ? none : format.duration(ms);
      }),
    },
    {
      id: "task",
      title: t.live.columnTask,
      width: 180,
      grows: true,
      cell: ofCall(({ taskId }) => names.task(taskId) ?? none),
    },
    {
      id: "assistant",
      title: t.live.columnAssistant,
      width: 150,
      grows: true,
      cell: ofCall(
        ({ assistants }) => assistants.map(({ assistantId }) => names.assistant(assistantId)).join(", ") || none,
      ),
    },
    {
      id: "ended",
      title: t.live.columnEnded(format.zone),
      width: 130,
      align: "end",
      cell: ofCall(({ endAt, unread }) => (
        <Time value={endAt} unread={unread.find(({ field }) => field === "endAt")?.text} />
      )),
    },
  ];
}

/** The customer's number: what people call the call. */
export function CallLink({ call }: { call: LiveCallFragment }) {
  const { t } = useLocale();
  const isInbound = call.direction === "INBOUND";
  const Icon = isInbound ? PhoneIncoming : PhoneOutgoing;
  return (
    <Link
      to="."
      search={(before) => ({ ...before, call: call.sessionId })}
      hash={true}
      activeOptions={{ includeSearch: true }}
      className={styles["call"]}
      onClick={(event) => event.stopPropagation()}
    >
      <Icon size={14} role="img" aria-label={isInbound ? t.call.inbound : t.call.outbound} />
      <PhoneNumber value={isInbound ? call.caller : call.callee} />
    </Link>
  );
}

function OutcomeOf({ call }: { call: LiveCallFragment }) {
  return <Outcome answered={call.answered} isReconciled={call.source === "RECONCILED"} />;
}

export function NarrowCall({ call }: { call: LiveCallFragment }) {
  const { format } = useLocale();
  const ms = talkMs(call);
  return (
    <div className={styles["narrow"]}>
      <CallLink call={call} />
      <Time value={call.endAt} />
      <OutcomeOf call={call} />
      <span>{ms === null ? call.hangupReason : format.duration(ms)}</span>
    </div>
  );
}

/** Of the times of the call: the service's own durations have no known unit. */
function talkMs({ answerAt, endAt }: LiveCallFragment): number | null {
  return answerAt && endAt ? Math.max(0, Date.parse(endAt) - Date.parse(answerAt)) : null;
}
