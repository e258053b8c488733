import { useMemo, type ReactNode } from "react";
import { CallLink } from "../../call/CallLink.tsx";
import { talkMs } from "../../call/talkMs.ts";
import { partyColumns } from "../../call/partyColumns.tsx";
import { useNames, type Names } from "../../data/useNames.ts";
import type { LiveCallFragment } from "../../gql/graphql.ts";
import { useLocale, type Locale } from "../../locale/Locale.tsx";
import type { Column } from "../../ui/columns.ts";
import { Outcome } from "../../ui/Outcome.tsx";
import { Time } from "../../ui/Time.tsx";
import type { LiveItem } from "./useLiveCalls.ts";
import tableStyles from "../../ui/table.module.css";

export function useLiveNames(items: readonly LiveItem[]): Names {
  return useNames(useMemo(() => items.map((item) => (item.type === "call" ? item.call.taskId : null)), [items]));
}

export function useLiveColumns(names: Names): readonly Column<LiveItem>[] {
  const locale = useLocale();
  return useMemo(() => columnsOf(locale, names), [locale, names]);
}

function columnsOf({ t, format }: Locale, names: Names): Column<LiveItem>[] {
  const ofCall = (cell: (call: LiveCallFragment) => ReactNode) => (item: LiveItem) =>
    item.type === "call" ? cell(item.call) : null;
  const { none } = t.format;
  return [
    { id: "call", title: t.call.person, width: 168, cell: ofCall((call) => <CallLink call={call} />) },
    { id: "outcome", title: t.live.columnOutcome, width: 128, cell: ofCall((call) => <OutcomeOf call={call} />) },
    { id: "reason", title: t.live.columnReason, width: 128, cell: ofCall(({ hangupReason }) => hangupReason ?? none) },
    {
      id: "ended",
      title: t.live.columnEnded(format.zone),
      width: 132,
      cell: ofCall(({ endAt, unread }) => (
        <Time value={endAt} unread={unread.find(({ field }) => field === "endAt")?.text} />
      )),
    },
    {
      id: "talk",
      title: t.live.columnTalk,
      width: 88,
      align: "end",
      cell: ofCall((call) => {
        const ms = talkMs(call);
        return ms === null ? none : format.duration(ms);
      }),
    },
    {
      id: "hungUp",
      title: t.live.columnHungUp,
      width: 112,
      cell: ofCall(({ hungUpBy }) =>
        hungUpBy ? t.call[hungUpBy === "ASSISTANT" ? "assistantSide" : "customerSide"] : none,
      ),
    },
    {
      id: "task",
      title: t.live.columnTask,
      width: 170,
      grows: true,
      cell: ofCall(({ taskId }) => names.task(taskId) ?? none),
    },
    {
      id: "assistant",
      title: t.live.columnAssistant,
      width: 140,
      grows: true,
      cell: ofCall(
        ({ assistants }) => assistants.map(({ assistantId }) => names.assistant(assistantId)).join(", ") || none,
      ),
    },
    ...partyColumns(t).map(({ cell, ...column }) => ({ ...column, cell: ofCall(cell) })),
  ];
}

function OutcomeOf({ call }: { call: LiveCallFragment }) {
  return <Outcome answered={call.answered} isReconciled={call.source === "RECONCILED"} />;
}

export function NarrowCall({ call }: { call: LiveCallFragment }) {
  const { format } = useLocale();
  const ms = talkMs(call);
  return (
    <div className={tableStyles["narrow"]}>
      <CallLink call={call} />
      <Time value={call.endAt} />
      <OutcomeOf call={call} />
      <span>{ms === null ? call.hangupReason : format.duration(ms)}</span>
    </div>
  );
}
