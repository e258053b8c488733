// Times in rarer forms, and the ends of calendars of languages and databases: the form of the rows is that of times.ts.
import type { TimeSample } from "./times.ts";

const ISSUES = "https://github.com";

export const oddTimes: readonly TimeSample[] = [
  {
    value: "1/1/0001 12:00:00 AM",
    reads: "never",
    source: "https://learn.microsoft.com/dotnet/api/system.datetime.minvalue",
  },
  {
    value: "01/01/0001 00:00:00",
    reads: "never",
    source: "https://learn.microsoft.com/dotnet/api/system.datetime.minvalue",
  },
  {
    value: "01.01.0001 00:00:00",
    reads: "never",
    source: "https://learn.microsoft.com/dotnet/api/system.datetime.minvalue",
  },
  { value: "1754-08-30T22:43:41.128654848Z", reads: "never", source: "https://pkg.go.dev/time#Time.UnixNano" },
  { value: -6_795_364_578_871, reads: "never", source: "https://pkg.go.dev/time#Time.UnixNano" },
  {
    value: "1677-09-21T00:12:43.145224193",
    reads: "never",
    source: "https://pandas.pydata.org/docs/reference/api/pandas.Timestamp.min.html",
  },
  { value: "1901-12-13T20:45:52Z", reads: "never", source: "https://en.wikipedia.org/wiki/Year_2038_problem" },
  { value: "1858-11-17 00:00:00", reads: "never", source: "https://en.wikipedia.org/wiki/Epoch_(computing)" },
  {
    value: "-292275055-05-16T16:47:04.192Z",
    reads: "never",
    source: "https://docs.oracle.com/javase/8/docs/api/java/time/Instant.html",
  },
  {
    value: "+292278994-08-17T07:12:55.807Z",
    reads: "never",
    source: "https://docs.oracle.com/javase/8/docs/api/java/time/Instant.html",
  },
  {
    value: "-1000000000-01-01T00:00Z",
    reads: "never",
    source: "https://docs.oracle.com/javase/8/docs/api/java/time/Instant.html",
  },
  {
    value: "+275760-09-13T00:00:00.000Z",
    reads: "never",
    source: "https://tc39.es/ecma262/#sec-time-values-and-time-range",
  },
  {
    value: "-271821-04-20T00:00:00.000Z",
    reads: "never",
    source: "https://tc39.es/ecma262/#sec-time-values-and-time-range",
  },
  {
    value: "294276-12-31 23:59:59.999999",
    reads: "never",
    source: "https://www.postgresql.org/docs/current/datatype-datetime.html",
  },
  {
    value: "4714-11-24 00:00:00+00 BC",
    reads: "never",
    source: "https://www.postgresql.org/docs/current/datatype-datetime.html",
  },
  {
    value: "0001-01-01 00:00:00 BC",
    reads: "never",
    source: "https://www.postgresql.org/docs/current/datatype-datetime.html",
  },
  {
    value: "1900-01-00",
    reads: "never",
    source: "https://learn.microsoft.com/openspecs/office_standards/ms-oe376/6a085bac-bc12-4a5f-a8d1-bf6bfb44ac92",
  },
  { value: "1/0/1900 0:00:00", reads: "never", source: "own" },
  { value: "00/00/0000", reads: "never", source: "own" },
  { value: "0000/00/00 00:00:00", reads: "never", source: "own" },
  { value: "--/--/----", reads: "never", source: "own" },
  { value: "----", reads: "never", source: "own" },
  { value: "--:--", reads: "never", source: "own" },
  { value: "(nil)", reads: "never", source: "own" },
  { value: "空", reads: "never", source: "own" },
  { value: "Jan 1, 1970", reads: "never", source: "own" },
  { value: "Jan 1, 1970 12:00:00 AM", reads: "never", source: "own" },
  {
    value: "2026-11-20T09:30:00,5Z",
    reads: "2026-11-20T09:30:00.500Z",
    source: `${ISSUES}/dotnet/coreclr/issues/15316`,
  },
  {
    value: "2026-11-20 09:30:00,123",
    zone: "UTC",
    reads: "2026-11-20T09:30:00.123Z",
    source: "https://docs.python.org/3/library/logging.html",
  },
  { value: "2026-11-20T09:30:00t", reads: "unread", source: "own" },
  { value: "2026-11-20t09:30:00z", reads: "2026-11-20T09:30:00.000Z", source: `${ISSUES}/wanasit/chrono/issues/60` },
  {
    value: "2026-11-20T09:30:00+08:00[Asia/Shanghai]",
    reads: "2026-11-20T01:30:00.000Z",
    source: "https://docs.oracle.com/javase/8/docs/api/java/time/ZonedDateTime.html",
  },
  { value: "2026-11-20T09:30:00.5[America/New_York]", reads: "unread", source: "own" },
  { value: "2026-11-20T09:30:00[America/New_York]", reads: "unread", source: "own" },
  {
    value: "2026-11-20T09:30:00Z[Etc/UTC]",
    reads: "2026-11-20T09:30:00.000Z",
    source: "https://docs.oracle.com/javase/8/docs/api/java/time/ZonedDateTime.html",
  },
  {
    value: "2026-11-20T09:30:00+0800",
    reads: "2026-11-20T01:30:00.000Z",
    source: `${ISSUES}/colinhacks/zod/pull/1749`,
  },
  { value: "2026-11-20 09:30:00 GMT", reads: "2026-11-20T09:30:00.000Z", source: "own" },
  {
    value: "2026-11-20T09:30:00\u221208:00",
    reads: "2026-11-20T17:30:00.000Z",
    source: "https://en.wikipedia.org/wiki/ISO_8601#Time_offsets_from_UTC",
  },
  { value: " 2026-11-20 09:30:00 ", zone: "UTC", reads: "2026-11-20T09:30:00.000Z", source: "own" },
  { value: "2026-11-20 09:30:00\u200b\n", zone: "UTC", reads: "2026-11-20T09:30:00.000Z", source: "own" },
  { value: "２０２６-11-20 09:30:00", zone: "UTC", reads: "2026-11-20T09:30:00.000Z", source: "own" },
  { value: "2007-04-05T24:00:00", reads: "unread", source: `${ISSUES}/dateutil/dateutil/issues/531` },
  { value: "2026-11-20T24:00Z", reads: "unread", source: `${ISSUES}/hapi-server/data-specification/issues/66` },
  { value: "2016-12-31T23:59:60Z", reads: "unread", source: `${ISSUES}/ethlo/itu/pull/5` },
  { value: "20260615T134530+1100", reads: "unread", source: `${ISSUES}/dotnet/coreclr/issues/15316` },
  { value: "2026-W48-4", reads: "unread", source: `${ISSUES}/dotnet/coreclr/issues/15316` },
  { value: "2026-334", reads: "unread", source: `${ISSUES}/dotnet/coreclr/issues/15316` },
  { value: "August 14, 2026 10:00:00", reads: "unread", source: `${ISSUES}/elizaOS/eliza/pull/20532` },
  { value: "2010-02-18T16.2", reads: "unread", source: `${ISSUES}/dateutil/dateutil/issues/531` },
];
