import { useNavigate, useSearch } from "@tanstack/react-router";
import { Pause, Play } from "lucide-react";
import { memo, useRef, useState } from "react";
import { View } from "../../frame/View.tsx";
import { useShortcuts } from "../../frame/useShortcuts.ts";
import { useGatewayFacts } from "../../gatewayFacts.ts";
import { useLocale } from "../../locale/Locale.tsx";
import { useOld } from "../../state/StateProvider.tsx";
import { Button } from "../../ui/Button.tsx";
import { DataTable } from "../../ui/DataTable.tsx";
import { ErrorBar } from "../../ui/ErrorBar.tsx";
import { lazyPart } from "../../ui/lazyPart.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { SaveCsvButton } from "../../ui/SaveCsvButton.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { secondOf } from "../../ui/timeRange/timeRange.ts";
import { readStatisticsSearch } from "../statistics/statisticsSearch.ts";
import { HistoryHint } from "./HistoryHint.tsx";
import { LiveFilters } from "./LiveFilters.tsx";
import { LiveStatus } from "./LiveStatus.tsx";
import type { CallEndedFilter, LiveSearch } from "./liveFilter.ts";
import { liveTable } from "./liveTable.ts";
import { NarrowCall, useLiveColumns, useLiveNames } from "./liveColumns.tsx";
import { useHeld } from "./useHeld.ts";
import { useLiveCalls, type LiveItem, type LiveList } from "./useLiveCalls.ts";
import { useThrottled } from "./useThrottled.ts";
import styles from "./live.module.css";
import tableStyles from "../../ui/table.module.css";

const LiveCharts = lazyPart(() => import("./LiveCharts.tsx"), "LiveCharts");

interface LiveProps {
  filter: CallEndedFilter;
  search: LiveSearch;
  phone: string | null;
}

/** Many calls may end in a second: the page is drawn for several of them at once. */
const DRAW_MS = 200;

/** `filter` stays: another one is another component. */
export function LiveCalls({ filter: given, search, phone }: LiveProps) {
  const [filter] = useState(given);
  const live = useLiveCalls(filter);
  const items = useThrottled(live.items, DRAW_MS);
  return <LivePage {...{ filter, search, phone, ...live, items }} />;
}

const LivePage = memo(function LivePage(live: LiveProps & LiveList) {
  const { filter, search, phone } = live;
  const { t, format } = useLocale();
  const navigate = useNavigate();
  const { call: openCall } = useSearch({ from: "__root__" });
  const held = useHeld(live.items ?? NONE);
  const names = useLiveNames(held.items);
  const columns = useLiveColumns(names);
  const isOld = useOld(live.error);
  const { hasSandbox } = useGatewayFacts();
  const list = useRef<HTMLDivElement>(null);
  const isPaused = held.reason === "pause";
  const isFiltered = Object.keys(filter).length > 0;
  const fresh = held.freshCount > 0 ? format.number(held.freshCount) : null;

  const togglePause = () => held.setReason("pause", !isPaused);
  function showFresh(): void {
    held.setReason("pause", false);
    held.setReason("pointer", false);
    list.current?.querySelector("[data-rows]")?.scrollTo({ top: 0 });
  }
  function showStatistics(since: number, until: number): void {
    const { direction, task, assistant, reason } = search;
    const given = { direction, task, assistant, reason, since: secondOf(since), until: secondOf(until) };
    void navigate({ to: "/statistics", search: readStatisticsSearch(given) });
  }
  useShortcuts({ p: togglePause });

  return (
    <View
      title={t.live.title}
      actions={
        <>
          <SaveCsvButton
            name="live"
            table={held.items.length > 0 ? () => liveTable(held.items.flatMap(callsIn), names) : null}
          />
          <Button onClick={togglePause} aria-pressed={isPaused}>
            {isPaused ? <Play size={14} aria-hidden="true" /> : <Pause size={14} aria-hidden="true" />}
            {isPaused ? t.live.resume : t.live.pause}
            {isPaused && fresh && <span className={styles["count"]}>{t.live.fresh(fresh)}</span>}
          </Button>
        </>
      }
    >
      {hasSandbox && <p className={styles["sandbox"]}>{t.live.sandbox}</p>}
      <LiveFilters search={search} phone={phone} />
      <section className={styles["charts"]} data-old={isOld} aria-label={t.live.charts} tabIndex={0}>
        {live.items && (
          <LiveCharts
            filter={filter}
            newest={live.items[0]?.cursor ?? ""}
            onChooseReason={(reason) => void navigate({ to: "/live", search: { ...search, reason }, hash: true })}
            onChooseTime={countableBy(search, phone) ? showStatistics : undefined}
          />
        )}
      </section>
      {live.error && (
        <ErrorBar code={live.error.code} since={live.failedSince} retryAt={live.retryAt} onRetry={live.retry} />
      )}
      <LiveStatus items={live.items} held={held} onShowFresh={showFresh} />
      <div ref={list} className={tableStyles["list"]} data-old={isOld} {...held.onPointer}>
        {live.items === null && !live.error && <Skeleton rows={12} />}
        {live.items !== null && held.items.length === 0 && !live.error && (
          <Notice title={isFiltered ? t.live.emptyFiltered : t.live.empty}>
            {isFiltered ? t.live.emptyFilteredHint : t.live.emptyHint}
            {!isFiltered && <HistoryHint />}
          </Notice>
        )}
        {held.items.length > 0 && (
          <DataTable<LiveItem>
            label={t.live.list}
            name="live"
            kind="call"
            columns={columns}
            rows={held.items}
            keyOf={keyOf}
            narrow={(item) => item.type === "call" && <NarrowCall call={item.call} />}
            note={(item) => (item.type === "gap" ? t.live.gap : null)}
            stateOf={(item) => ({
              isSelected: item.type === "call" && item.call.sessionId === openCall,
              isFresh: live.isFresh(item),
            })}
            onOpen={(item) => {
              if (item.type !== "call") return;
              const { sessionId: call } = item.call;
              void navigate({ to: ".", search: (before) => ({ ...before, call, around: undefined }), hash: true });
            }}
            onScrolled={(isScrolled) => held.setReason("scroll", isScrolled)}
            resizeLabel={t.live.resize}
          />
        )}
      </div>
    </View>
  );
});

/** Whether Statistics has all filters that are set. */
const countableBy = ({ outcome, hangup }: LiveSearch, phone: string | null): boolean =>
  outcome === undefined && hangup === undefined && phone === null;

const callsIn = (item: LiveItem) => (item.type === "call" ? [item.call] : []);

const NONE: readonly LiveItem[] = [];
const keyOf = (item: LiveItem): string => item.cursor;
