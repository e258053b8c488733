// The state of the gateway. Each part is read when its field is selected.
import type { AgentUse } from "./agentUse.ts";
import type { Context } from "./context.ts";
import { instantOf, type Instant } from "../format/instant.ts";
import type { SeenEventName } from "../store/events/eventNameStore.ts";
import { gatewayHours, type GatewayHour } from "./gatewayHours.ts";
import type { WebhookStatus } from "./webhookStatus.ts";
import type { UpstreamState } from "../upstream/upstream.ts";
import { MINUTE_MS } from "../util/durations.ts";

export interface GatewayStatus {
  version: string;
  /** DEGRADED also while times of calls are known to be wrong. */
  serviceState: UpstreamState;
  /** Null: the service answered the latest request. */
  serviceFailingSince: Instant | null;
  tokenRefused: boolean;
  timesAheadMinutes: number;
  webhooks: WebhookStatus;
  agentUses: AgentUse[];
  events: EventLogStatus;
  recordings(): Promise<RecordingCounts>;
  quarantined(): Promise<number>;
  notEnded(): Promise<number>;
  eventNames(): Promise<readonly SeenEventName[]>;
  lastDay(): Promise<GatewayHour[]>;
  lacksHistory(): Promise<boolean>;
  /** Subscriptions of this process. */
  subscribers: number;
}

export interface RecordingCounts {
  pending: number;
  archived: number;
  lost: number;
}

export interface EventLogStatus {
  /** `events` counts revisions, too. */
  entries(): Promise<{ events: number; reconciled: number }>;
  newest(): Promise<{ cursor: string; receivedAt: Instant | null }>;
}

export function gatewayStatus(context: Context): GatewayStatus {
  const { gateway, stats, events, quarantine, eventNames, recordings, historyImports, queryOwner, queuedRead } =
    context;
  let newest: ReturnType<EventLogStatus["newest"]> | undefined;
  async function readNewest() {
    const page = { first: 1, after: null, filter: {}, order: "newestFirst", revisions: true, queryOwner } as const;
    const { events: found, headCursor } = await events.page(page);
    return { cursor: headCursor, receivedAt: found[0]?.receivedAt ?? null };
  }
  const { state, failingSince, tokenRefused } = gateway.service();
  return {
    version: gateway.version,
    serviceState: gateway.timesAheadMs() !== 0 && state === "HEALTHY" ? "DEGRADED" : state,
    serviceFailingSince: failingSince === null ? null : instantOf(failingSince),
    tokenRefused,
    webhooks: gateway.webhooks(),
    agentUses: gateway.agentUses(),
    timesAheadMinutes: gateway.timesAheadMs() / MINUTE_MS,
    events: { entries: () => stats.entries(queryOwner), newest: () => (newest ??= readNewest()) },
    recordings: () => recordings.counts(queryOwner),
    quarantined: () => quarantine.count("UNREADABLE", queryOwner),
    notEnded: () => quarantine.count("NOT_ENDED", queryOwner),
    eventNames: () => queuedRead(queryOwner, ["event names"], () => eventNames.all()),
    lastDay: () => gatewayHours(context),
    lacksHistory: () => queuedRead(queryOwner, ["lacks history"], () => historyImports.lacksHistory()),
    subscribers: gateway.subscribers(),
  };
}
