import {
  gatewayStatus,
  type EventLogStatus as LogStatus,
  type GatewayStatus as Status,
  type RecordingCounts as RecordingCountsData,
} from "../resolvers/gatewayStatus.ts";
import type { GatewayHour as GatewayHourData } from "../resolvers/gatewayHours.ts";
import { AgentUse } from "./agentUse.ts";
import { builder, cursorText, marks, needs, rows, safeText, scans } from "./builder.ts";
import { MAX_EVENT_NAMES, type SeenEventName } from "../store/events/eventNameStore.ts";
import { UpstreamState } from "./enums.ts";
import { WebhookStatus } from "./webhookStatus.ts";

const EventLogStatus = builder.objectRef<LogStatus>("EventLogStatus").implement({
  description: "The contents of the event log.",
  ...needs("admin"),
  fields: (t) => ({
    events: t.float({
      nullable: false,
      description: "Number of entries. Each revision of an event is an entry.",
      ...scans(1),
      resolve: async (log) => (await log.entries()).events,
    }),
    newestCursor: t.string({
      nullable: false,
      description: "The newest place in the log: subscribe after it to get only new events.",
      ...marks(rows(1), cursorText),
      resolve: async (log) => (await log.newest()).cursor,
    }),
    lastReceivedAt: t.field({
      type: "DateTime",
      description: "When the newest entry was received. Null while the log is empty.",
      ...rows(1),
      resolve: async (log) => (await log.newest()).receivedAt,
    }),
    reconciled: t.float({
      nullable: false,
      description: "Number of ended calls that the gateway found in the service's list because no webhook came.",
      ...scans(1),
      resolve: async (log) => (await log.entries()).reconciled,
    }),
  }),
});

const RecordingCounts = builder.objectRef<RecordingCountsData>("RecordingCounts").implement({
  description: "Number of recordings by status.",
  ...needs("admin"),
  fields: (t) => ({
    pending: t.exposeInt("pending", { nullable: false, description: "Recordings that wait for their download." }),
    archived: t.exposeInt("archived", { nullable: false, description: "Recordings that the gateway serves." }),
    lost: t.exposeInt("lost", { nullable: false, description: "Recordings that could not be downloaded." }),
  }),
});

const EventName = builder.objectRef<SeenEventName>("EventName").implement({
  description: "A name of events that the service has sent.",
  ...needs("admin"),
  fields: (t) => ({
    name: t.exposeString("name", {
      description: "As the service wrote it, up to 64 characters, with digits masked. Null: the event had none.",
    }),
    isEnd: t.exposeBoolean("isEnd", {
      nullable: false,
      description: "True: an event with this name ended a call. False: one did not, and is kept aside.",
    }),
    firstReceivedAt: t.expose("firstAt", {
      type: "DateTime",
      nullable: false,
      description: "When the gateway received the first one.",
    }),
  }),
});

const GatewayHour = builder.objectRef<GatewayHourData>("GatewayHour").implement({
  description: "How the calls that ended in an hour became known, and what could not be read in it.",
  ...needs("admin"),
  fields: (t) => ({
    start: t.expose("start", { type: "DateTime", nullable: false, description: "When the hour begins, in UTC." }),
    webhooks: t.exposeFloat("webhooks", { nullable: false, description: "Number of calls that a webhook told first." }),
    reconciled: t.exposeFloat("reconciled", {
      nullable: false,
      description: "Number of calls that the gateway found in the service's list before a webhook came.",
    }),
    unreadable: t.exposeFloat("unreadable", {
      nullable: false,
      description: "Number of deliveries of this hour that are in quarantine, because they could not be read.",
    }),
    meanDelaySeconds: t.exposeFloat("meanDelaySeconds", {
      description:
        "The mean time from the end of a call to its webhook. Calls that ended before the log began do not count. Null: none counts.",
    }),
  }),
});

const GatewayStatus = builder.objectRef<Status>("GatewayStatus").implement({
  description: "The state of the gateway and of the service behind it.",
  ...needs("admin"),
  fields: (t) => ({
    version: t.exposeString("version", {
      nullable: false,
      description: "The version of the gateway.",
      ...safeText("The gateway's own version."),
    }),
    upstream: t.expose("serviceState", {
      type: UpstreamState,
      nullable: false,
      description: "How the calling service responds to this process.",
    }),
    serviceFailingSince: t.expose("serviceFailingSince", {
      type: "DateTime",
      description:
        "When the first of the latest requests of this process to the service failed: the service did not answer in time, could not be reached, or answered 5xx. Null: it answered the latest one.",
    }),
    tokenRefused: t.exposeBoolean("tokenRefused", {
      nullable: false,
      description: "Whether the service's last answer to this process refused UPSTREAM_TOKEN (401).",
    }),
    agentUses: t.expose("agentUses", {
      type: [AgentUse],
      nullable: false,
      description:
        "Which clients used which tools for agents (MCP), the last used first, at most 100. With several gateways, only those of the one that answers.",
    }),
    webhooks: t.expose("webhooks", {
      type: WebhookStatus,
      nullable: false,
      description: "How webhooks fare. With several gateways, only those that came to the one that answers.",
    }),
    timesAheadMinutes: t.exposeInt("timesAheadMinutes", {
      nullable: false,
      description:
        "By how many minutes calls end after their webhooks came, as the last ten show, where only a wrong UPSTREAM_TIME_ZONE explains it; negative: long before. All times of calls are off by it. 0: nothing is known to be wrong.",
    }),
    events: t.expose("events", {
      type: EventLogStatus,
      nullable: false,
      description: "The contents of the event log.",
    }),
    recordings: t.field({
      type: RecordingCounts,
      nullable: false,
      description: "Number of recordings by status.",
      ...scans(1),
      resolve: (status) => status.recordings(),
    }),
    quarantined: t.int({
      nullable: false,
      description: "Number of webhook deliveries in quarantine.",
      ...scans(1),
      resolve: (status) => status.quarantined(),
    }),
    notEnded: t.int({
      nullable: false,
      description:
        "Number of events that are kept aside, because they do not end a call. quarantinedDeliveries(kind: NOT_ENDED) lists them.",
      ...scans(1),
      resolve: (status) => status.notEnded(),
    }),
    eventNames: t.field({
      type: [EventName],
      nullable: false,
      description: "The names of the events that came, at most 50, in the order in which they came first.",
      ...rows(MAX_EVENT_NAMES),
      resolve: (status) => status.eventNames(),
    }),
    lastDay: t.field({
      type: [GatewayHour],
      nullable: false,
      description:
        "How calls became known in the last 24 hours, an hour each, the oldest first. The last one still runs.",
      ...scans(2),
      resolve: (status) => status.lastDay(),
    }),
    lacksHistory: t.boolean({
      nullable: false,
      description:
        "True: the log has only what happened since the install, and calls from before can be imported with importHistory. False also beside the sandbox.",
      ...rows(1),
      resolve: (status) => status.lacksHistory(),
    }),
    subscribers: t.exposeInt("subscribers", {
      nullable: false,
      description:
        "Number of subscriptions that run in this process. Each counts from the moment after which it misses nothing.",
    }),
  }),
});

builder.queryField("gateway", (t) =>
  t.field({
    type: GatewayStatus,
    description: "The state of the gateway and of the service behind it. Needs the scope admin.",
    ...needs("admin"),
    resolve: (_parent, _args, context) => gatewayStatus(context),
  }),
);
