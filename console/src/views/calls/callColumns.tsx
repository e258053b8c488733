import { useMemo } from "react";
import { CallLink } from "../../call/CallLink.tsx";
import { talkMs } from "../../call/talkMs.ts";
import { partyColumns } from "../../call/partyColumns.tsx";
import { useNames, type Names } from "../../data/useNames.ts";
import type { ListedCallFragment } from "../../gql/graphql.ts";
import { useLocale, type Locale } from "../../locale/Locale.tsx";
import type { Column } from "../../ui/columns.ts";
import { Outcome } from "../../ui/Outcome.tsx";
import { Time } from "../../ui/Time.tsx";
import { useCallsTexts } from "./callsTexts.ts";
import type { en } from "./texts/en.ts";
import styles from "./calls.module.css";
import tableStyles from "../../ui/table.module.css";

export type ListedCall = ListedCallFragment;
export const NO_CALLS: readonly ListedCall[] = [];

export function useCallColumns(calls: readonly ListedCall[]): readonly Column<ListedCall>[] {
  const locale = useLocale();
  const t = useCallsTexts();
  const taskIds = useMemo(() => calls.map(({ taskId }) => taskId), [calls]);
  const names = useNames(taskIds);
  return useMemo(() => columnsOf(t, locale, names), [t, locale, names]);
}

function columnsOf(own: typeof en, { t, format }: Locale, names: Names): Column<ListedCall>[] {
  const { none } = t.format;
  return [
    { id: "call", title: t.call.person, width: 168, cell: (call) => <CallLink call={call} around={timeOf(call)} /> },
    { id: "outcome", title: own.columnOutcome, width: 128, cell: (call) => <OutcomeOf call={call} /> },
    { id: "reason", title: own.columnReason, width: 128, cell: ({ callEnded }) => callEnded?.hangupReason ?? none },
    {
      id: "started",
      title: own.columnStarted(format.zone),
      width: 132,
      cell: (call) => <StartOf call={call} />,
    },
    {
      id: "talk",
      title: own.columnTalk,
      width: 88,
      align: "end",
      cell: (call) => {
        const ms = talkMs(call);
        return ms === null ? none : format.duration(ms);
      },
    },
    {
      id: "hungUp",
      title: own.columnHungUp,
      width: 104,
      cell: ({ callEnded }) =>
        callEnded?.hungUpBy ? t.call[callEnded.hungUpBy === "ASSISTANT" ? "assistantSide" : "customerSide"] : none,
    },
    {
      id: "task",
      title: own.task,
      width: 150,
      grows: true,
      cell: ({ taskId }) => names.task(taskId) ?? none,
    },
    {
      id: "assistant",
      title: own.assistant,
      width: 128,
      grows: true,
      cell: ({ assistants }) => assistants.map(({ assistantId }) => names.assistant(assistantId)).join(", ") || none,
    },
    ...partyColumns(t),
  ];
}

function StartOf({ call: { startAt, unread } }: { call: ListedCall }) {
  return <Time value={startAt} unread={unread.find(({ field }) => field === "startAt")?.text} />;
}

/** A call without an end is in progress, unless its end could not be read. */
function OutcomeOf({ call }: { call: ListedCall }) {
  const t = useCallsTexts();
  const { endAt, unread, callEnded, answered } = call;
  const isRunning = endAt === null && callEnded === null && unread.every(({ field }) => field !== "endAt");
  if (isRunning) return <span className={styles["running"]}>{t.inProgress}</span>;
  return <Outcome answered={answered} isReconciled={callEnded?.source === "RECONCILED"} />;
}

export function NarrowCall({ call }: { call: ListedCall }) {
  const { format } = useLocale();
  const ms = talkMs(call);
  return (
    <div className={tableStyles["narrow"]}>
      <CallLink call={call} around={timeOf(call)} />
      <StartOf call={call} />
      <OutcomeOf call={call} />
      <span>{ms === null ? call.callEnded?.hangupReason : format.duration(ms)}</span>
    </div>
  );
}

const timeOf = ({ startAt, endAt }: ListedCall): string | null => startAt ?? endAt;
