// Statistics over the received events, of all calls or of a task.
import { callStats, type CallStats as CallStatsParts } from "../resolvers/callStats.ts";
import { taskOf } from "../resolvers/callLog.ts";
import type { StatsBucket as Bucket, TimeBucket as TimeBucketName } from "../resolvers/timeline.ts";
import type { CallCounts } from "../store/events/statsStore.ts";
import { requests, builder, needs, rows, scans } from "./builder.ts";
import { CallEndedFilter } from "./callEndedFilter.ts";
import { ANSWERED_COUNT, CALL_COUNT, FIRST } from "./descriptions.ts";
import { HangupSide, TimeBucket } from "./enums.ts";
import { Task } from "./task.ts";

const NOT_GIVEN = "Null for calls whose event does not state it.";
const readable = needs("calls:read");
const scan = scans(1);

/** A timeline of short buckets may have ten thousand of them, so it costs more than a scan. */
const timelineRows = rows(({ bucket }: { bucket: TimeBucketName }) => ROWS_OF_TIMELINE[bucket]);
const ROWS_OF_TIMELINE: Record<TimeBucketName, number> = { minute: 100, hour: 50, day: 20 };

const ReasonCount = builder.objectRef<CallCounts & { reason: string | null }>("ReasonCount").implement({
  description: "The calls with one hang-up reason.",
  ...readable,
  fields: (t) => ({
    reason: t.exposeString("reason", { description: `The hang-up reason, as the service writes it. ${NOT_GIVEN}` }),
    calls: t.exposeInt("calls", { nullable: false, description: CALL_COUNT }),
    answered: t.exposeInt("answered", { nullable: false, description: ANSWERED_COUNT }),
  }),
});

const SideCount = builder.objectRef<{ side: "caller" | "callee" | null; calls: number }>("SideCount").implement({
  description: "The calls that one end of the line hung up.",
  ...readable,
  fields: (t) => ({
    side: t.expose("side", { type: HangupSide, description: `The end that hung up. ${NOT_GIVEN}` }),
    calls: t.exposeInt("calls", { nullable: false, description: CALL_COUNT }),
  }),
});

const TaskCount = builder.objectRef<CallCounts & { taskId: string | null }>("TaskCount").implement({
  description: "The calls of one task.",
  ...readable,
  fields: (t) => ({
    taskId: t.exposeID("taskId", { description: "The service's ID of the task. Null for calls without a task." }),
    task: t.field({
      type: Task,
      description: "The task. Null for calls without a task, and where the service has it no longer.",
      ...requests(1),
      resolve: (count, _, context) => taskOf(count, context),
    }),
    calls: t.exposeInt("calls", { nullable: false, description: CALL_COUNT }),
    answered: t.exposeInt("answered", { nullable: false, description: ANSWERED_COUNT }),
  }),
});

const AssistantCount = builder.objectRef<CallCounts & { assistantId: string }>("AssistantCount").implement({
  description: "The calls that one assistant handled. A call of several assistants counts for each.",
  ...readable,
  fields: (t) => ({
    assistantId: t.exposeID("assistantId", { nullable: false, description: "The service's ID of the assistant." }),
    calls: t.exposeInt("calls", { nullable: false, description: CALL_COUNT }),
    answered: t.exposeInt("answered", { nullable: false, description: ANSWERED_COUNT }),
  }),
});

const StatsBucket = builder.objectRef<Bucket>("StatsBucket").implement({
  description: "The calls of one bucket of a timeline.",
  ...readable,
  fields: (t) => ({
    start: t.expose("start", { type: "DateTime", nullable: false, description: "When the bucket begins." }),
    calls: t.exposeInt("calls", { nullable: false, description: CALL_COUNT }),
    answered: t.exposeInt("answered", { nullable: false, description: ANSWERED_COUNT }),
  }),
});

const first = builder.args((t) => ({ first: t.int({ required: true, defaultValue: 20, description: FIRST }) }));

const CallStats = builder.objectRef<CallStatsParts>("CallStats").implement({
  description:
    "Statistics over the received events. Each call counts once, by its newest revision; debug calls are included. Each field is counted when it is selected.",
  ...readable,
  fields: (t) => ({
    since: t.field({
      type: "DateTime",
      description: "When the oldest counted call ended. Null where no call is counted.",
      ...scan,
      resolve: async (stats) => (await stats.totals()).since,
    }),
    calls: t.int({
      nullable: false,
      description: CALL_COUNT,
      ...scan,
      resolve: async (stats) => (await stats.totals()).calls,
    }),
    answered: t.int({
      nullable: false,
      description: ANSWERED_COUNT,
      ...scan,
      resolve: async (stats) => (await stats.totals()).answered,
    }),
    withoutHangup: t.int({
      nullable: false,
      description:
        "Number of calls of which neither the side nor the reason of the hang-up is known, such as imported and reconciled ones.",
      ...scan,
      resolve: async (stats) => (await stats.totals()).withoutHangup,
    }),
    numbersCalled: t.int({
      nullable: false,
      description:
        "Number of phone numbers that tasks called, each counted once per task. With retries it is less than calls.",
      ...scan,
      resolve: async (stats) => (await stats.numbers()).called,
    }),
    numbersReached: t.int({
      nullable: false,
      description: "Number of those phone numbers with an answered call.",
      ...scan,
      resolve: async (stats) => (await stats.numbers()).reached,
    }),
    totalDuration: t.float({
      nullable: false,
      description: "Sum of duration, in the same unit.",
      ...scan,
      resolve: async (stats) => (await stats.totals()).duration,
    }),
    totalBillsec: t.float({
      nullable: false,
      description: "Sum of billsec, in the same unit.",
      ...scan,
      resolve: async (stats) => (await stats.totals()).billsec,
    }),
    byHangupReason: t.field({
      type: [ReasonCount],
      nullable: false,
      description: "Calls by hang-up reason, the most frequent first.",
      ...scan,
      args: first,
      resolve: (stats, args) => stats.byHangupReason(args.first),
    }),
    byHangupSide: t.field({
      type: [SideCount],
      nullable: false,
      description: "Calls by the end of the line that hung up, the most frequent first.",
      ...scan,
      resolve: (stats) => stats.byHangupSide(),
    }),
    byTask: t.field({
      type: [TaskCount],
      nullable: false,
      description: "Calls by task, the most frequent first.",
      ...scan,
      args: first,
      resolve: (stats, args) => stats.byTask(args.first),
    }),
    byAssistant: t.field({
      type: [AssistantCount],
      nullable: false,
      description: "Calls by assistant, the most frequent first.",
      ...scan,
      args: first,
      resolve: (stats, args) => stats.byAssistant(args.first),
    }),
    timeline: t.field({
      type: [StatsBucket],
      nullable: false,
      description: "Calls by the time of their end, in order. Buckets without calls are left out.",
      ...timelineRows,
      args: {
        bucket: t.arg({
          type: TimeBucket,
          required: true,
          defaultValue: "hour",
          description: "The length of a bucket.",
        }),
        timeZone: t.arg.string({
          description: "The IANA time zone of hours and days, such as Europe/Berlin. Default: the service's.",
        }),
      },
      resolve: (stats, { bucket, timeZone }) => stats.timeline(bucket, timeZone ?? null),
    }),
  }),
});

builder.queryField("callStats", (t) =>
  t.field({
    type: CallStats,
    description: "Statistics over the received events.",
    args: { filter: t.arg({ type: CallEndedFilter, description: "Which events. Null: all." }) },
    resolve: (_, { filter }, context) => callStats(filter, context),
  }),
);

builder.objectField(Task, "callStats", (t) =>
  t.field({
    type: CallStats,
    description: "Statistics over the received events of this task.",
    resolve: ({ taskId }, _, context) => callStats({ taskIds: [taskId] }, context),
  }),
);
