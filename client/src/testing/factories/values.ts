// Factories of values that lead to no entity.
import type {
  AgentUse,
  AssistantCount,
  CalledHours,
  CallingHours,
  CollectItem,
  CountryCount,
  CreateTaskError,
  EventLogStatus,
  EventName,
  GatewayHour,
  GatewayStatus,
  LimitState,
  LimitUse,
  NumberFileColumn,
  PageInfo,
  ReasonCount,
  RecordingCounts,
  RefusedWebhooks,
  SideCount,
  StatsBucket,
  StreamCheckpoint,
  StreamGap,
  TaskCheck,
  TaskOption,
  TaskPeriod,
  TaskSchedule,
  UnreadField,
  Viewer,
  ViewerLimits,
  WebhookRefusalCount,
  WebhookStatus,
  WebhookTest,
} from "../../generated/graph.ts";
import { createFactory } from "./factory.ts";

export const pageInfo = createFactory<PageInfo>("PageInfo", {
  hasNextPage: false,
  hasPreviousPage: false,
  startCursor: "cursor-1",
  endCursor: "cursor-1",
});
export const unreadField = createFactory<UnreadField>("UnreadField", { field: "status", text: "paused" });
export const viewer = createFactory<Viewer>("Viewer", {
  name: "web",
  scopes: () => ["calls:read", "people:read", "recordings:read", "tasks:create"],
  limits: null,
});

export const streamCheckpoint = createFactory<StreamCheckpoint>("StreamCheckpoint", { cursor: "event-0" });
export const streamGap = createFactory<StreamGap>("StreamGap", { after: "event-0", cursor: "event-5" });

export const collectItem = createFactory<CollectItem>("CollectItem", {
  question: "Will you come?",
  answers: () => ["yes", "no"],
});
export const numberFileColumn = createFactory<NumberFileColumn>("NumberFileColumn", { key: "号码", value: 0 });
export const taskOption = createFactory<TaskOption>("TaskOption", {
  numberFileMeta: () => [numberFileColumn(), numberFileColumn({ key: "姓名", value: 1 })],
  lineIds: () => ["60"],
  startDate: "2026-11-20",
  periods: () => [["09:00", "18:00"]],
  retryCount: 2,
  retryInterval: 600,
});
export const createTaskError = createFactory<CreateTaskError>("CreateTaskError", {
  code: "INVALID_INPUT",
  message: "must not be empty",
  path: () => ["numbers"],
  limit: null,
});
export const limitState = createFactory<LimitState>("LimitState", {
  limit: "NUMBERS_PER_DAY",
  size: 1000,
  used: 200,
  left: 800,
  freeAt: "2026-11-20T16:00:00.000Z",
});
export const callingHours = createFactory<CallingHours>("CallingHours", { from: "09:00", to: "20:00" });
export const calledHours = createFactory<CalledHours>("CalledHours", {
  prefix: "+1",
  timeZone: "America/New_York",
  from: "09:00",
  to: "20:00",
});
export const viewerLimits = createFactory<ViewerLimits>("ViewerLimits", {
  lineIds: null,
  assistantIds: null,
  prefixes: () => ["+86"],
  callingHours: () => callingHours(),
  calledHours: () => null,
  counts: () => [limitState()],
});
export const limitUse = createFactory<LimitUse>("LimitUse", {
  limit: "NUMBERS_PER_DAY",
  size: 1000,
  left: 800,
  needed: 10,
  freeAt: "2026-11-20T16:00:00.000Z",
});
export const taskPeriod = createFactory<TaskPeriod>("TaskPeriod", {
  from: "09:00",
  to: "18:00",
  startsAt: "2026-11-20T01:00:00.000Z",
  endsAt: "2026-11-20T10:00:00.000Z",
});
export const taskSchedule = createFactory<TaskSchedule>("TaskSchedule", {
  timeZone: "Asia/Shanghai",
  startDate: "2026-11-20",
  days: "START_DATE",
  periods: () => [taskPeriod()],
  begin: "LATER",
  startsAt: "2026-11-20T01:00:00.000Z",
});
export const countryCount = createFactory<CountryCount>("CountryCount", { countryCode: "86", people: 10 });
export const taskCheck = createFactory<TaskCheck>("TaskCheck", {
  errors: () => [],
  people: 10,
  leftOutCount: 0,
  countries: () => [countryCount()],
  schedule: () => taskSchedule(),
  limits: () => [],
  calledAgainFrom: null,
});

export const assistantCount = createFactory<AssistantCount>("AssistantCount", {
  assistantId: "11",
  calls: 2,
  answered: 1,
});
export const reasonCount = createFactory<ReasonCount>("ReasonCount", {
  reason: "NORMAL_CLEARING",
  calls: 2,
  answered: 1,
});
export const sideCount = createFactory<SideCount>("SideCount", { side: "CALLEE", calls: 2 });
export const statsBucket = createFactory<StatsBucket>("StatsBucket", {
  start: "2026-11-20T01:00:00.000Z",
  calls: 2,
  answered: 1,
});

export const eventLogStatus = createFactory<EventLogStatus>("EventLogStatus", {
  events: 2,
  newestCursor: "event-2",
  lastReceivedAt: "2026-11-20T01:31:01.000Z",
  reconciled: 0,
});
export const recordingCounts = createFactory<RecordingCounts>("RecordingCounts", { pending: 0, archived: 2, lost: 0 });
export const eventName = createFactory<EventName>("EventName", {
  name: "call_ended",
  isEnd: true,
  firstReceivedAt: "2026-11-20T01:31:01.000Z",
});
export const webhookRefusalCount = createFactory<WebhookRefusalCount>("WebhookRefusalCount", {
  reason: "WRONG_HEADER",
  count: 1,
});
export const refusedWebhooks = createFactory<RefusedWebhooks>("RefusedWebhooks", {
  since: "2026-11-20T01:31:01.000Z",
  lastAt: "2026-11-20T01:31:01.000Z",
  count: 1,
  reasons: () => [webhookRefusalCount()],
});
export const webhookStatus = createFactory<WebhookStatus>("WebhookStatus", {
  lastAcceptedAt: "2026-11-20T01:31:01.000Z",
  acceptedLastMinute: 1,
  refusedLastMinute: 0,
  unreadableInARow: 0,
  refused: null,
});
export const webhookTest = createFactory<WebhookTest>("WebhookTest", {
  authorization: "Webhook-Test example",
  path: "/calllog",
  bytes: 262_144,
  expiresAt: "2026-11-20T01:36:01.000Z",
});
export const agentUse = createFactory<AgentUse>("AgentUse", {
  viewer: "assistant",
  client: "test-agent",
  tool: "find_calls",
  calls: 1,
  failed: 0,
  lastAt: "2026-11-20T01:31:01.000Z",
});
export const gatewayHour = createFactory<GatewayHour>("GatewayHour", {
  start: "2026-11-20T01:00:00.000Z",
  webhooks: 2,
  reconciled: 0,
  unreadable: 0,
  meanDelaySeconds: 0.4,
});
export const gatewayStatus = createFactory<GatewayStatus>("GatewayStatus", {
  version: "0.1.0",
  upstream: "HEALTHY",
  serviceFailingSince: null,
  tokenRefused: false,
  agentUses: () => [agentUse()],
  webhooks: () => webhookStatus(),
  timesAheadMinutes: 0,
  events: () => eventLogStatus(),
  recordings: () => recordingCounts(),
  quarantined: 0,
  notEnded: 0,
  eventNames: () => [eventName()],
  lacksHistory: false,
  lastDay: () => [gatewayHour()],
  subscribers: 1,
});
