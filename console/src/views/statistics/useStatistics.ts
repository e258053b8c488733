import { useMemo, useState } from "react";
import { useQuery } from "../../data/useQuery.ts";
import type { ConsoleStatisticsQuery } from "../../gql/graphql.ts";
import { useTimeSpan } from "../../ui/timeRange/useTimeSpan.ts";
import { bucketSizeOf, bucketsOf, type Bucket, type BucketSize } from "./buckets.ts";
import { statisticsDocument } from "./documents.ts";
import { comparedSpans, FALLBACK, filterOf, type ClosedSpan, type StatisticsSearch } from "./statisticsSearch.ts";

export interface Statistics {
  stats: NonNullable<ConsoleStatisticsQuery["callStats"]>;
  /** Null where it could not be counted. */
  before: ConsoleStatisticsQuery["before"];
  span: ClosedSpan;
  beforeSpan: ClosedSpan;
  size: BucketSize;
  buckets: readonly Bucket[];
  /** When the oldest call of the log ended, if that is after the start of the range before. */
  logBegins: string | null;
}

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

export function useStatistics(search: StatisticsSearch) {
  const { span, renew } = useTimeSpan(search, FALLBACK);
  const variables = useMemo(() => {
    const { current, before } = comparedSpans(search, span, Date.now());
    const filter = filterOf(search);
    const bucket = bucketSizeOf(current);
    return { filter: { ...filter, ...current }, before: { ...filter, ...before }, bucket, timeZone };
  }, [search, span]);
  const { data, ...query } = useQuery(statisticsDocument, variables);
  const counted = useMemo(() => (data ? statisticsOf(data, variables) : null), [data, variables]);
  // What was counted last stays until the next answer is here.
  const [shown, setShown] = useState(counted);
  if (counted && counted !== shown) setShown(counted);
  return { ...query, statistics: counted ?? shown, renew };
}

type Asked = { filter: ClosedSpan; before: ClosedSpan; bucket: BucketSize };

function statisticsOf({ callStats, before, log }: ConsoleStatisticsQuery, asked: Asked): Statistics | null {
  if (!callStats) return null;
  const begins = log?.since ?? null;
  return {
    stats: callStats,
    before,
    span: { since: asked.filter.since, until: asked.filter.until },
    beforeSpan: { since: asked.before.since, until: asked.before.until },
    size: asked.bucket,
    buckets: bucketsOf(asked.bucket, asked.filter, callStats.timeline),
    logBegins: begins !== null && Date.parse(begins) > Date.parse(asked.before.since) ? begins : null,
  };
}
