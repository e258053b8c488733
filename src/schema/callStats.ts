// Counts over the received events: of all of them, and of a task's.
import { callStats, taskCallStats, type CallStats as CallStatsParts } from "../resolvers/callStats.ts";
import { taskOf } from "../resolvers/callLog.ts";
import type { StatsBucket as Bucket, TimeBucket as TimeBucketName } from "../resolvers/timeline.ts";
import type { CallCounts } from "../store/log/statsStore.ts";
import { asks, builder, needs, rows, scans } from "./builder.ts";
import { CallEndedFilter } from "./callEndedFilter.ts";
import { HangupSide, TimeBucket } from "./enums.ts";
import { Task } from "./task.ts";

const NOT_GIVEN = "Null where the event gave none.";
const readable = needs("calls:read");
const scan = scans(1);

/** Its buckets stand for rows: it may have ten thousand of them. */
const timelineRows = rows(({ bucket }: { bucket: TimeBucketName }) => ROWS_OF_TIMELINE[bucket]);
const ROWS_OF_TIMELINE: Record<TimeBucketName, number> = { minute: 100, hour: 50, day: 20 };

const ReasonCount = builder.objectRef<CallCounts & { reason: string | null }>("ReasonCount").implement({
  ...readable,
  fields: (t) => ({
    reason: t.exposeString("reason", { description: NOT_GIVEN }),
    calls: t.exposeInt("calls", { nullable: false }),
    answered: t.exposeInt("answered", { nullable: false }),
  }),
});

const SideCount = builder.objectRef<{ side: "caller" | "callee" | null; calls: number }>("SideCount").implement({
  ...readable,
  fields: (t) => ({
    side: t.expose("side", { type: HangupSide, description: NOT_GIVEN }),
    calls: t.exposeInt("calls", { nullable: false }),
  }),
});

const TaskCount = builder.objectRef<CallCounts & { taskId: string | null }>("TaskCount").implement({
  ...readable,
  fields: (t) => ({
    taskId: t.exposeID("taskId", { description: "Null for calls of no task." }),
    task: t.field({ type: Task, ...asks(1), resolve: (count, _, context) => taskOf(count, context) }),
    calls: t.exposeInt("calls", { nullable: false }),
    answered: t.exposeInt("answered", { nullable: false }),
  }),
});

const AssistantCount = builder.objectRef<CallCounts & { assistantId: string }>("AssistantCount").implement({
  ...readable,
  fields: (t) => ({
    assistantId: t.exposeID("assistantId", { nullable: false }),
    calls: t.exposeInt("calls", { nullable: false }),
    answered: t.exposeInt("answered", { nullable: false }),
  }),
});

const StatsBucket = builder.objectRef<Bucket>("StatsBucket").implement({
  ...readable,
  fields: (t) => ({
    start: t.expose("start", { type: "DateTime", nullable: false }),
    calls: t.exposeInt("calls", { nullable: false }),
    answered: t.exposeInt("answered", { nullable: false }),
  }),
});

const first = builder.args((t) => ({ first: t.int({ required: true, defaultValue: 20 }) }));

const CallStats = builder.objectRef<CallStatsParts>("CallStats").implement({
  description: "Counts over the received events: distinct calls, each by its newest revision, debug calls included.",
  ...readable,
  fields: (t) => ({
    since: t.field({
      type: "DateTime",
      description: "The oldest event counted; null where there is none.",
      ...scan,
      resolve: async (stats) => (await stats.totals()).since,
    }),
    calls: t.int({ nullable: false, ...scan, resolve: async (stats) => (await stats.totals()).calls }),
    answered: t.int({ nullable: false, ...scan, resolve: async (stats) => (await stats.totals()).answered }),
    numbersCalled: t.int({
      nullable: false,
      description: "Distinct numbers of tasks that were called: with retries fewer than calls.",
      ...scan,
      resolve: async (stats) => (await stats.numbers()).called,
    }),
    numbersReached: t.int({ nullable: false, ...scan, resolve: async (stats) => (await stats.numbers()).reached }),
    totalDuration: t.float({ nullable: false, ...scan, resolve: async (stats) => (await stats.totals()).duration }),
    totalBillsec: t.float({ nullable: false, ...scan, resolve: async (stats) => (await stats.totals()).billsec }),
    byHangupReason: t.field({
      type: [ReasonCount],
      nullable: false,
      description: "Most frequent first. first: 1 to 100.",
      ...scan,
      args: first,
      resolve: (stats, args) => stats.byHangupReason(args.first),
    }),
    byHangupSide: t.field({ type: [SideCount], nullable: false, ...scan, resolve: (stats) => stats.byHangupSide() }),
    byTask: t.field({
      type: [TaskCount],
      nullable: false,
      ...scan,
      args: first,
      resolve: (stats, args) => stats.byTask(args.first),
    }),
    byAssistant: t.field({
      type: [AssistantCount],
      nullable: false,
      ...scan,
      args: first,
      resolve: (stats, args) => stats.byAssistant(args.first),
    }),
    timeline: t.field({
      type: [StatsBucket],
      nullable: false,
      description: "In time order; empty buckets left out. timeZone: IANA; default: the service's.",
      ...timelineRows,
      args: {
        bucket: t.arg({ type: TimeBucket, required: true, defaultValue: "hour" }),
        timeZone: t.arg.string(),
      },
      resolve: (stats, { bucket, timeZone }) => stats.timeline(bucket, timeZone ?? null),
    }),
  }),
});

builder.queryField("callStats", (t) =>
  t.field({
    type: CallStats,
    args: { filter: t.arg({ type: CallEndedFilter }) },
    resolve: (_, { filter }, context) => callStats(filter, context),
  }),
);

builder.objectField(Task, "callStats", (t) =>
  t.field({
    type: CallStats,
    description: "What the received events say of this task so far.",
    resolve: (task, _, context) => taskCallStats(task, context),
  }),
);
