// Statistics of the last hour, asked again while calls come: soon where the log answers fast, and seldom where it has to count much.
import { useEffect, useMemo, useRef, useState } from "react";
import { useQuery } from "../../data/useQuery.ts";
import { liveChartsDocument } from "./documents.ts";
import type { CallEndedFilter } from "./liveFilter.ts";
import type { ReasonShare } from "./ReasonBars.tsx";

export interface Minute {
  /** Its start, in epoch milliseconds. */
  at: number;
  calls: number;
  answered: number;
}

const MINUTE_MS = 60_000;
const MINUTES = 60;
const SOONEST_MS = 2000;
/** The window moves without calls, too. */
const LATEST_MS = 30_000;
/** At most this share of the time is spent on counting. */
const SHARE = 20;

export function useLiveStats(filter: CallEndedFilter, newest: string) {
  const variables = useMemo(() => ({ filter: { ...filter, since: sinceOf(Date.now()) }, timeZone: "UTC" }), [filter]);
  const [asked, setAsked] = useState(variables);
  const answer = useQuery(liveChartsDocument, asked);
  const last = useRef<{ newest: string; at: number; tookMs: number }>({ newest, at: Date.now(), tookMs: 0 });

  // How long an answer took, from its question on.
  const wasLoading = useRef(false);
  if (wasLoading.current !== answer.isLoading) {
    wasLoading.current = answer.isLoading;
    if (answer.isLoading) last.current = { ...last.current, at: Date.now() };
    else last.current = { ...last.current, tookMs: Date.now() - last.current.at };
  }
  const { refetch } = answer;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden || wasLoading.current) return;
      const { at, tookMs, newest: shown } = last.current;
      const age = Date.now() - at;
      if (age < Math.max(SOONEST_MS, tookMs * SHARE) || (shown === newest && age < LATEST_MS)) return;
      last.current = { newest, at: Date.now(), tookMs };
      const since = sinceOf(Date.now());
      if (asked.filter.since === since) refetch();
      else setAsked({ ...asked, filter: { ...asked.filter, since } });
    }, 500);
    return () => clearInterval(timer);
  }, [newest, asked, refetch]);

  // The window moves each minute. Its charts stay until those of the next one are here.
  const [shown, setShown] = useState({ data: answer.data, at: 0 });
  if (answer.data && answer.data !== shown.data) setShown({ data: answer.data, at: Date.now() });
  const stats = shown.data?.callStats ?? null;
  const minutes = useMemo(() => (stats ? minutesOf(stats.timeline, Date.now()) : null), [stats]);
  const reasons = useMemo<ReasonShare[]>(
    () =>
      (stats?.byHangupReason ?? []).map(({ reason, calls }) => ({
        reason,
        calls,
        share: calls / Math.max(1, stats?.calls ?? 0),
      })),
    [stats],
  );
  return { minutes, reasons, answer, countedAt: shown.at };
}

/** The start of the oldest minute. */
const sinceOf = (now: number): string =>
  new Date(Math.floor(now / MINUTE_MS) * MINUTE_MS - (MINUTES - 1) * MINUTE_MS).toISOString();

/** Every minute of the hour: the timeline leaves those without calls out. */
function minutesOf(
  timeline: readonly { start: string; calls: number; answered: number }[],
  now: number,
): readonly Minute[] {
  const byStart = new Map(timeline.map((bucket) => [Date.parse(bucket.start), bucket]));
  const newest = Math.max(Math.floor(now / MINUTE_MS) * MINUTE_MS, ...byStart.keys());
  return Array.from({ length: MINUTES }, (_, index) => {
    const at = newest - (MINUTES - 1 - index) * MINUTE_MS;
    const { calls = 0, answered = 0 } = byStart.get(at) ?? {};
    return { at, calls, answered };
  });
}
