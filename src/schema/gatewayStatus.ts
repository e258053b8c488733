import {
  gatewayStatus,
  type EventLogStatus as LogStatus,
  type GatewayStatus as Status,
  type RecordingCounts as RecordingCountsData,
} from "../resolvers/gatewayStatus.ts";
import { builder, cursorText, marks, needs, rows, safeText, scans } from "./builder.ts";
import { UpstreamState } from "./enums.ts";

const EventLogStatus = builder.objectRef<LogStatus>("EventLogStatus").implement({
  ...needs("admin"),
  fields: (t) => ({
    events: t.float({
      nullable: false,
      description: "Entries of the log; a revision is one too.",
      ...scans(1),
      resolve: async (log) => (await log.entries()).events,
    }),
    newestCursor: t.string({
      nullable: false,
      ...marks(rows(1), cursorText),
      resolve: async (log) => (await log.newest()).cursor,
    }),
    lastReceivedAt: t.field({ type: "DateTime", ...rows(1), resolve: async (log) => (await log.newest()).receivedAt }),
    reconciled: t.float({
      nullable: false,
      description: "Ended calls the service's list knows, of which no webhook came.",
      ...scans(1),
      resolve: async (log) => (await log.entries()).reconciled,
    }),
  }),
});

const RecordingCounts = builder.objectRef<RecordingCountsData>("RecordingCounts").implement({
  ...needs("admin"),
  fields: (t) => ({
    pending: t.exposeInt("pending", { nullable: false }),
    archived: t.exposeInt("archived", { nullable: false }),
    lost: t.exposeInt("lost", { nullable: false }),
  }),
});

const GatewayStatus = builder.objectRef<Status>("GatewayStatus").implement({
  ...needs("admin"),
  fields: (t) => ({
    version: t.exposeString("version", { nullable: false, ...safeText("The gateway's own version.") }),
    upstream: t.expose("serviceState", { type: UpstreamState, nullable: false }),
    events: t.expose("events", { type: EventLogStatus, nullable: false }),
    recordings: t.field({
      type: RecordingCounts,
      nullable: false,
      ...scans(1),
      resolve: (status) => status.recordings(),
    }),
    quarantined: t.int({ nullable: false, ...scans(1), resolve: (status) => status.quarantined() }),
    subscribers: t.exposeInt("subscribers", { nullable: false, description: "Of this process." }),
  }),
});

builder.queryField("gateway", (t) =>
  t.field({
    type: GatewayStatus,
    description: "How the gateway and what it stands on are doing. Needs the scope admin.",
    ...needs("admin"),
    resolve: (_parent, _args, context) => gatewayStatus(context),
  }),
);
