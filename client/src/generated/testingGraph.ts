// Written by `npm run schema`: the graph as switchboard-client/testing knows it.

import type * as graph from "./graph.ts";

export interface ObjectTypes {
  AgentUse: graph.AgentUse;
  Alert: graph.Alert;
  AlertConnection: graph.AlertConnection;
  AlertEdge: graph.AlertEdge;
  AlertRule: graph.AlertRule;
  Assistant: graph.Assistant;
  AssistantCount: graph.AssistantCount;
  AssistantOverride: graph.AssistantOverride;
  AuditEvent: graph.AuditEvent;
  AuditEventConnection: graph.AuditEventConnection;
  AuditEventEdge: graph.AuditEventEdge;
  CallAssistant: graph.CallAssistant;
  CallEnded: graph.CallEnded;
  CallEndedConnection: graph.CallEndedConnection;
  CallEndedEdge: graph.CallEndedEdge;
  CallLog: graph.CallLog;
  CallLogConnection: graph.CallLogConnection;
  CallLogEdge: graph.CallLogEdge;
  CallStats: graph.CallStats;
  CalledAgain: graph.CalledAgain;
  CalledHours: graph.CalledHours;
  CallingHours: graph.CallingHours;
  CollectItem: graph.CollectItem;
  CountryCount: graph.CountryCount;
  CreateTaskError: graph.CreateTaskError;
  CreateTaskPayload: graph.CreateTaskPayload;
  DeliveryAnswer: graph.DeliveryAnswer;
  Destination: graph.Destination;
  DestinationLetter: graph.DestinationLetter;
  DiscardQuarantinedPayload: graph.DiscardQuarantinedPayload;
  DoNotCall: graph.DoNotCall;
  DoNotCallPayload: graph.DoNotCallPayload;
  EventLogStatus: graph.EventLogStatus;
  EventName: graph.EventName;
  ForgetPhonePayload: graph.ForgetPhonePayload;
  GatewayHour: graph.GatewayHour;
  GatewayStatus: graph.GatewayStatus;
  HistoryImport: graph.HistoryImport;
  ImportHistoryPayload: graph.ImportHistoryPayload;
  KnownAssistant: graph.KnownAssistant;
  KnownAssistants: graph.KnownAssistants;
  KnownLine: graph.KnownLine;
  KnownLines: graph.KnownLines;
  LeftOutCount: graph.LeftOutCount;
  LimitState: graph.LimitState;
  LimitUse: graph.LimitUse;
  NumberFileColumn: graph.NumberFileColumn;
  OutcomeCount: graph.OutcomeCount;
  PageInfo: graph.PageInfo;
  PhoneWriting: graph.PhoneWriting;
  Projection: graph.Projection;
  QuarantinedDelivery: graph.QuarantinedDelivery;
  QuarantinedDeliveryConnection: graph.QuarantinedDeliveryConnection;
  QuarantinedDeliveryEdge: graph.QuarantinedDeliveryEdge;
  RawDelivery: graph.RawDelivery;
  ReasonCount: graph.ReasonCount;
  Recipient: graph.Recipient;
  RecipientConnection: graph.RecipientConnection;
  RecipientCounts: graph.RecipientCounts;
  RecipientEdge: graph.RecipientEdge;
  Recording: graph.Recording;
  RecordingCounts: graph.RecordingCounts;
  RefusedWebhooks: graph.RefusedWebhooks;
  ReprocessQuarantinedPayload: graph.ReprocessQuarantinedPayload;
  RereadDeliveriesPayload: graph.RereadDeliveriesPayload;
  SideCount: graph.SideCount;
  StatsBucket: graph.StatsBucket;
  StreamCheckpoint: graph.StreamCheckpoint;
  StreamGap: graph.StreamGap;
  Task: graph.Task;
  TaskCheck: graph.TaskCheck;
  TaskConnection: graph.TaskConnection;
  TaskCount: graph.TaskCount;
  TaskDecisionPayload: graph.TaskDecisionPayload;
  TaskEdge: graph.TaskEdge;
  TaskOption: graph.TaskOption;
  TaskPeriod: graph.TaskPeriod;
  TaskProposal: graph.TaskProposal;
  TaskSchedule: graph.TaskSchedule;
  TaskSubmission: graph.TaskSubmission;
  TaskSubmissionConnection: graph.TaskSubmissionConnection;
  TaskSubmissionEdge: graph.TaskSubmissionEdge;
  UnreadField: graph.UnreadField;
  Viewer: graph.Viewer;
  ViewerLimits: graph.ViewerLimits;
  WebhookRefusalCount: graph.WebhookRefusalCount;
  WebhookStatus: graph.WebhookStatus;
  WebhookTest: graph.WebhookTest;
}

export interface MutationFields {
  acknowledgeAlert: {
    args: {
      id: string;
    };
    result: graph.Alert | null;
  };
  addToDoNotCall: {
    args: {
      numbers: (string)[];
    };
    result: graph.DoNotCallPayload | null;
  };
  approveTask: {
    args: {
      id: string;
    };
    result: graph.TaskDecisionPayload | null;
  };
  cancelHistoryImport: {
    args: Record<string, never>;
    result: graph.HistoryImport | null;
  };
  checkTask: {
    args: {
      input: graph.CheckTaskInput;
    };
    result: graph.TaskCheck;
  };
  createTask: {
    args: {
      input: graph.CreateTaskInput;
    };
    result: graph.CreateTaskPayload | null;
  };
  createWebhookTest: {
    args: Record<string, never>;
    result: graph.WebhookTest;
  };
  declineTask: {
    args: {
      id: string;
      reason?: string | null;
    };
    result: graph.TaskDecisionPayload | null;
  };
  discardQuarantined: {
    args: {
      id: string;
    };
    result: graph.DiscardQuarantinedPayload | null;
  };
  forgetPhone: {
    args: {
      addToDoNotCall: boolean;
      dryRun: boolean;
      number: string;
    };
    result: graph.ForgetPhonePayload | null;
  };
  importHistory: {
    args: {
      since: string;
      until?: string | null;
    };
    result: graph.ImportHistoryPayload | null;
  };
  pauseDestination: {
    args: {
      name: string;
    };
    result: graph.Destination | null;
  };
  rebuildProjection: {
    args: {
      name: string;
    };
    result: (graph.Projection)[] | null;
  };
  removeFromDoNotCall: {
    args: {
      numbers: (string)[];
    };
    result: graph.DoNotCallPayload | null;
  };
  reprocessQuarantined: {
    args: {
      charset?: string | null;
      id: string;
    };
    result: graph.ReprocessQuarantinedPayload | null;
  };
  rereadDeliveries: {
    args: {
      after?: string | null;
    };
    result: graph.RereadDeliveriesPayload | null;
  };
  resumeDestination: {
    args: {
      after?: string | null;
      name: string;
      since?: string | null;
    };
    result: graph.Destination | null;
  };
  sendDestinationLetter: {
    args: {
      cursor: string;
      name: string;
    };
    result: boolean | null;
  };
  testDestination: {
    args: {
      name: string;
    };
    result: graph.DeliveryAnswer | null;
  };
}

export interface QueryFields {
  alertRules: {
    args: Record<string, never>;
    result: (graph.AlertRule)[] | null;
  };
  alerts: {
    args: {
      after?: string | null;
      filter?: graph.AlertFilter | null;
      first: number;
    };
    result: graph.AlertConnection | null;
  };
  assistant: {
    args: {
      assistantId: string;
      versionId?: string | null;
    };
    result: graph.Assistant | null;
  };
  assistants: {
    args: {
      first: number;
    };
    result: graph.KnownAssistants | null;
  };
  auditEvents: {
    args: {
      after?: string | null;
      filter?: graph.AuditEventFilter | null;
      first: number;
    };
    result: graph.AuditEventConnection | null;
  };
  callEnded: {
    args: {
      sessionId: string;
    };
    result: graph.CallEnded | null;
  };
  callEndedEvents: {
    args: {
      after?: string | null;
      filter?: graph.CallEndedFilter | null;
      first: number;
      imported: boolean;
      order: graph.EventOrder;
      revisions: boolean;
    };
    result: graph.CallEndedConnection | null;
  };
  callLog: {
    args: {
      around?: string | null;
      sessionId: string;
    };
    result: graph.CallLog | null;
  };
  callLogs: {
    args: {
      after?: string | null;
      filter?: graph.CallLogFilter | null;
      first: number;
    };
    result: graph.CallLogConnection | null;
  };
  callStats: {
    args: {
      filter?: graph.CallEndedFilter | null;
    };
    result: graph.CallStats | null;
  };
  destinationLetters: {
    args: {
      after?: string | null;
      first: number;
      name: string;
    };
    result: (graph.DestinationLetter)[] | null;
  };
  destinations: {
    args: Record<string, never>;
    result: (graph.Destination)[] | null;
  };
  doNotCall: {
    args: Record<string, never>;
    result: graph.DoNotCall | null;
  };
  gateway: {
    args: Record<string, never>;
    result: graph.GatewayStatus | null;
  };
  historyImport: {
    args: Record<string, never>;
    result: graph.HistoryImport | null;
  };
  lines: {
    args: {
      first: number;
    };
    result: graph.KnownLines | null;
  };
  node: {
    args: {
      id: string;
    };
    result: graph.Alert | graph.Assistant | graph.AuditEvent | graph.CallEnded | graph.CallLog | graph.QuarantinedDelivery | graph.Recording | graph.Task | graph.TaskSubmission | null;
  };
  nodes: {
    args: {
      ids: (string)[];
    };
    result: (graph.Alert | graph.Assistant | graph.AuditEvent | graph.CallEnded | graph.CallLog | graph.QuarantinedDelivery | graph.Recording | graph.Task | graph.TaskSubmission | null)[] | null;
  };
  projections: {
    args: Record<string, never>;
    result: (graph.Projection)[] | null;
  };
  quarantinedDeliveries: {
    args: {
      after?: string | null;
      first: number;
      kind: graph.QuarantineKind;
    };
    result: graph.QuarantinedDeliveryConnection | null;
  };
  rawDelivery: {
    args: {
      cursor: string;
    };
    result: graph.RawDelivery | null;
  };
  serviceTimeZone: {
    args: Record<string, never>;
    result: string;
  };
  task: {
    args: {
      taskId: string;
    };
    result: graph.Task | null;
  };
  taskSubmission: {
    args: {
      id: string;
    };
    result: graph.TaskSubmission | null;
  };
  taskSubmissionByKey: {
    args: {
      idempotencyKey: string;
    };
    result: graph.TaskSubmission | null;
  };
  taskSubmissions: {
    args: {
      after?: string | null;
      first: number;
    };
    result: graph.TaskSubmissionConnection | null;
  };
  tasks: {
    args: {
      after?: string | null;
      first: number;
    };
    result: graph.TaskConnection | null;
  };
  tasksByIds: {
    args: {
      taskIds: (string)[];
    };
    result: (graph.Task | null)[] | null;
  };
  viewer: {
    args: Record<string, never>;
    result: graph.Viewer;
  };
}

export interface SubscriptionFields {
  alertRaised: {
    args: {
      after?: string | null;
    };
    result: graph.Alert;
  };
  callEnded: {
    args: {
      after?: string | null;
      filter?: graph.CallEndedFilter | null;
      imported: boolean;
      revisions: boolean;
    };
    result: graph.CallEnded;
  };
  callEndedStream: {
    args: {
      after?: string | null;
      filter?: graph.CallEndedFilter | null;
      imported: boolean;
      revisions: boolean;
    };
    result: graph.CallEnded | graph.StreamCheckpoint | graph.StreamGap;
  };
  recordingSettled: {
    args: {
      filter?: graph.CallEndedFilter | null;
    };
    result: graph.Recording;
  };
  taskProgress: {
    args: {
      taskId: string;
    };
    result: graph.Task | null;
  };
  taskSubmission: {
    args: {
      id: string;
    };
    result: graph.TaskSubmission | null;
  };
}

/** The graph without its descriptions. */
export const sdl = `directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT

directive @stream(if: Boolean! = true, initialCount: Int! = 0, label: String) on FIELD

type AgentUse {
  calls: Int!
  client: String
  failed: Int!
  lastAt: DateTime!
  tool: String!
  viewer: String!
}

type Alert implements Node {
  acknowledgedAt: DateTime
  acknowledgedBy: String
  assistantId: ID
  calls: Float!
  destination: String
  ending: AlertEnding
  id: ID!
  key: String
  kind: AlertKind
  raisedAt: DateTime!
  resolvedAt: DateTime
  rule: String!
  task: Task
  taskId: ID
  text(language: AlertLanguage! = EN): String!
  threshold: Float!
  unit: AlertUnit!
  value: Float!
}

type AlertConnection {
  edges: [AlertEdge!]!
  nodes: [Alert!]!
  pageInfo: PageInfo!
}

type AlertEdge {
  cursor: String!
  node: Alert!
}

enum AlertEnding {
  NOT_RUNNING
  NO_CALLS
  PERIOD_OVER
  RECOVERED
  RULE_CHANGED
}

input AlertFilter {
  assistantIds: [ID!]
  open: Boolean
  taskIds: [ID!]
}

enum AlertKind {
  ANSWER_RATE
  DESTINATION_FAILS
  HANG_UP_REASON
  KEY_LIMIT
  NO_CALLS
  PEOPLE_LEFT
  RECORDINGS_LOST
}

enum AlertLanguage {
  EN
  ZH
}

type AlertRule {
  doubts: [String!]!
  kind: AlertKind
  name: String!
}

enum AlertUnit {
  COUNT
  MINUTES
  SHARE
}

type Assistant implements Node {
  assistantId: ID!
  collect: [CollectItem!]!
  createdAt: DateTime
  creatorEmail: String
  creatorId: ID
  deletedAt: DateTime
  id: ID!
  isOldVersion: Boolean
  knowledge: String
  listenerId: ID
  name: String
  projectId: ID
  prompt: String
  scene: String
  speakerId: ID
  updatedAt: DateTime
  usageCount: Int
  versionId: ID!
  websocketUrl: String
  welcome: String
}

type AssistantCount {
  answered: Int!
  assistantId: ID!
  calls: Int!
}

input AssistantGlobalConfigInput {
  language: Language
  prompt: String
  welcome: String
}

type AssistantOverride {
  changesPrompt: Boolean!
  language: Language
  prompt: String
  speakerId: ID
  welcome: String
}

input AssistantOverrideInput {
  globalConfig: AssistantGlobalConfigInput
  speakerId: ID
}

enum AuditAction {
  ALERT_ACKNOWLEDGED
  DELIVERIES_REREAD
  DELIVERY_DISCARDED
  DELIVERY_REPROCESSED
  DELIVERY_SHOWN
  DESTINATION_CHANGED
  DO_NOT_CALL_ADDED
  DO_NOT_CALL_REMOVED
  HISTORY_IMPORTED
  HISTORY_IMPORT_CANCELLED
  PHONE_FORGOTTEN
  RECORDING_PLAYED
  TASK_APPROVED
  TASK_DECLINED
  TASK_EXPIRED
  TASK_PROPOSED
  TASK_SUBMITTED
}

type AuditEvent implements Node {
  action: AuditAction!
  actor: String!
  at: DateTime!
  client: String
  count: Int!
  id: ID!
  subjectId: ID
  tool: String
  via: AuditWay
}

type AuditEventConnection {
  edges: [AuditEventEdge!]!
  nodes: [AuditEvent!]!
  pageInfo: PageInfo!
}

type AuditEventEdge {
  cursor: String!
  node: AuditEvent!
}

input AuditEventFilter {
  actions: [AuditAction!]
  actors: [String!]
  since: DateTime
  subjectId: ID
  until: DateTime
  via: AuditWay
}

enum AuditWay {
  MCP
}

input CallAgainInput {
  filter: RecipientFilter
  taskId: ID!
}

type CallAssistant {
  assistant: Assistant
  assistantId: ID!
  versionId: ID!
}

enum CallDirection {
  INBOUND
  OUTBOUND
}

type CallEnded implements CallStreamItem & Node {
  answerAt: DateTime
  answered: Boolean
  assistants: [CallAssistant!]!
  attempt: Int
  billsec: Float
  callLog: CallLog
  callee: String
  caller: String
  cursor: String!
  direction: CallDirection
  duration: Float
  endAt: DateTime
  eventName: String
  extra: JSONObject
  hangupReason: String
  hangupSide: HangupSide
  hungUpBy: HungUpBy
  id: ID!
  receivedAt: DateTime!
  recipient: Recipient
  recordUrl: String
  recording: Recording
  revision: Int!
  ringTime: Float
  sessionId: ID!
  source: EventSource!
  startAt: DateTime
  task: Task
  taskId: ID
  taskItemId: ID
  unread: [UnreadField!]!
}

type CallEndedConnection {
  edges: [CallEndedEdge!]!
  headCursor: String!
  nodes: [CallEnded!]!
  pageInfo: PageInfo!
}

type CallEndedEdge {
  cursor: String!
  node: CallEnded!
}

input CallEndedFilter {
  answered: Boolean
  assistantIds: [ID!]
  direction: CallDirection
  hangupReasons: [String]
  hangupSide: HangupSide
  phone: String
  since: DateTime
  taskIds: [ID!]
  until: DateTime
}

enum CallKind {
  PHONE
  PRIVATE_TEST
}

type CallLog implements Node {
  answerAt: DateTime
  answered: Boolean
  assistants: [CallAssistant!]!
  billsec: Float
  callEnded: CallEnded
  callee: String
  caller: String
  direction: CallDirection
  duration: Float
  endAt: DateTime
  id: ID!
  recordFile: String
  recording: Recording
  sessionId: ID
  startAt: DateTime
  task: Task
  taskId: ID
  unread: [UnreadField!]!
}

type CallLogConnection {
  driftDetected: Boolean!
  edges: [CallLogEdge!]!
  headCursor: String!
  nodes: [CallLog!]!
  pageInfo: PageInfo!
  phoneWritings: [PhoneWriting!]
  since: DateTime!
  totalCount: Int!
  until: DateTime!
}

type CallLogEdge {
  cursor: String!
  node: CallLog!
}

input CallLogFilter {
  assistantIds: [ID!]
  direction: CallDirection
  kind: CallKind
  phone: String
  since: DateTime
  taskIds: [ID!]
  until: DateTime
}

type CallStats {
  answered: Int!
  byAssistant(first: Int! = 20): [AssistantCount!]!
  byHangupReason(first: Int! = 20): [ReasonCount!]!
  byHangupSide: [SideCount!]!
  byTask(first: Int! = 20): [TaskCount!]!
  calls: Int!
  numbersCalled: Int!
  numbersReached: Int!
  since: DateTime
  timeline(bucket: TimeBucket! = HOUR, timeZone: String): [StatsBucket!]!
  totalBillsec: Float!
  totalDuration: Float!
  withoutHangup: Int!
}

interface CallStreamItem {
  cursor: String!
}

type CalledAgain {
  leftOut: [LeftOutCount!]!
  task: Task
  taskId: ID!
  withoutVariables: Int!
}

type CalledHours {
  from: String!
  prefix: String!
  timeZone: String!
  to: String!
}

type CallingHours {
  from: String!
  to: String!
}

input CheckTaskInput {
  assistantId: ID!
  assistantOverride: AssistantOverrideInput
  from: CallAgainInput
  name: String!
  numbers: [TaskNumberInput!]
  option: CreateTaskOptionInput!
  skipDoNotCall: Boolean
}

type CollectItem {
  answers: [String!]!
  question: String
}

type CountryCount {
  countryCode: String
  people: Int!
}

input CreateNumberFileMetaInput {
  gender: Int!
  name: Int!
  number: Int!
  salesPersonName: Int!
}

type CreateTaskError {
  code: CreateTaskErrorCode!
  limit: LimitState
  message: String!
  path: [String!]!
}

enum CreateTaskErrorCode {
  APPROVED
  DECLINED
  DO_NOT_CALL
  EXPIRED
  IDEMPOTENCY_CONFLICT
  INVALID_INPUT
  LIMIT_EXCEEDED
  NOBODY_TO_CALL
  NOT_ALLOWED
  NOT_PROPOSED
  OWN_PROPOSAL
  REJECTED
  STILL_CALLING
  TOO_MANY_PROPOSALS
  UNAVAILABLE
}

input CreateTaskInput {
  assistantId: ID!
  assistantOverride: AssistantOverrideInput
  from: CallAgainInput
  idempotencyKey: String!
  name: String!
  numbers: [TaskNumberInput!]
  option: CreateTaskOptionInput!
  skipDoNotCall: Boolean
}

input CreateTaskOptionInput {
  lineIds: [ID!]!
  numberFileMeta: CreateNumberFileMetaInput!
  periods: [[String!]!]!
  retryCount: Int!
  retryIntervalSeconds: Int!
  startDate: String!
}

type CreateTaskPayload {
  errors: [CreateTaskError!]!
  replayed: Boolean!
  submission: TaskSubmission
}

scalar DateTime @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc3339")

type DeliveryAnswer {
  at: DateTime!
  status: Int
  text: String
}

type Destination {
  cursor: String
  deadLetters: Float!
  delivered: Float!
  disabledFor: DestinationDisabledReason
  enabled: Boolean!
  failingSince: DateTime
  failures: Int!
  getsCalls: Boolean!
  kind: String!
  lag: Float!
  lastAnswer: DeliveryAnswer
  name: String!
  order: String!
  secondsToNext: Float
  skipped: Float!
  state: DestinationState
  url: String!
  waitingAlerts: Float
  waitingLetters: Float!
}

enum DestinationDisabledReason {
  FAILING
  GONE
}

type DestinationLetter {
  attempts: Int!
  cursor: String!
  event: CallEnded
  firstAt: DateTime!
  lastAnswer: DeliveryAnswer
  secondsToNext: Float
}

enum DestinationState {
  ACTIVE
  DISABLED
  PAUSED
}

type DiscardQuarantinedPayload {
  delivery: QuarantinedDelivery
}

type DoNotCall {
  contains(number: String!): Boolean!
  count: Int!
}

type DoNotCallPayload {
  changed: Int!
  reasons: [String!]!
  unreadable: [Int!]!
}

type EventLogStatus {
  events: Float!
  lastReceivedAt: DateTime
  newestCursor: String!
  reconciled: Float!
}

type EventName {
  firstReceivedAt: DateTime!
  isEnd: Boolean!
  name: String
}

enum EventOrder {
  NEWEST_FIRST
  OLDEST_FIRST
}

enum EventSource {
  IMPORTED
  RECONCILED
  WEBHOOK
}

type ForgetPhonePayload {
  calls: Int!
  events: Int!
  proposals: Int!
  quarantined: Int!
  rawDeliveries: Int!
  recordings: Int!
  submissions: Int!
}

type GatewayHour {
  meanDelaySeconds: Float
  reconciled: Float!
  start: DateTime!
  unreadable: Float!
  webhooks: Float!
}

type GatewayStatus {
  agentUses: [AgentUse!]!
  eventNames: [EventName!]!
  events: EventLogStatus!
  lacksHistory: Boolean!
  lastDay: [GatewayHour!]!
  notEnded: Int!
  quarantined: Int!
  recordings: RecordingCounts!
  serviceFailingSince: DateTime
  subscribers: Int!
  timesAheadMinutes: Int!
  tokenRefused: Boolean!
  upstream: UpstreamState!
  version: String!
  webhooks: WebhookStatus!
}

enum HangupSide {
  CALLEE
  CALLER
}

type HistoryImport {
  calls: Float!
  endedAt: DateTime
  leftOut: Float!
  problem: String
  progress: Float!
  readThrough: DateTime!
  secondsLeft: Float
  since: DateTime!
  startedAt: DateTime!
  startedBy: String!
  state: HistoryImportState!
  tooOld: Float
  until: DateTime!
  windows: Int!
}

enum HistoryImportState {
  CANCELLED
  DONE
  FAILED
  RUNNING
}

enum HungUpBy {
  ASSISTANT
  CUSTOMER
}

type ImportHistoryPayload {
  import: HistoryImport!
  isNew: Boolean!
}

scalar JSONObject

type KnownAssistant {
  assistantId: ID!
  knownFrom: [KnownFrom!]!
  lastMetAt: DateTime
  latestVersion: Assistant
  name: String
  versionIds: [ID!]!
}

type KnownAssistants {
  hasMore: Boolean!
  nodes: [KnownAssistant!]!
}

enum KnownFrom {
  SETTING
  SUBMISSION
  TASK
}

type KnownLine {
  knownFrom: [KnownFrom!]!
  lastMetAt: DateTime
  lineId: ID!
  name: String
}

type KnownLines {
  hasMore: Boolean!
  nodes: [KnownLine!]!
}

enum Language {
  EN
  JP
  ZH
}

type LeftOutCount {
  people: Int!
  reason: LeftOutReason!
}

enum LeftOutReason {
  ALREADY_BEING_CALLED
  DO_NOT_CALL
  NOT_ALLOWED
  NOT_IN_LOG
  REACHED
  UNREADABLE
}

type LimitState {
  freeAt: DateTime
  left: Int!
  limit: TaskLimit!
  size: Int!
  used: Int!
}

type LimitUse {
  freeAt: DateTime
  left: Int!
  limit: TaskLimit!
  needed: Int!
  size: Int!
}

enum MissingBody {
  IMPORTED
  NOT_KEPT
  RECONCILED
}

type Mutation {
  acknowledgeAlert(id: ID!): Alert
  addToDoNotCall(numbers: [String!]!): DoNotCallPayload
  approveTask(id: ID!): TaskDecisionPayload
  cancelHistoryImport: HistoryImport
  checkTask(input: CheckTaskInput!): TaskCheck!
  createTask(input: CreateTaskInput!): CreateTaskPayload
  createWebhookTest: WebhookTest!
  declineTask(id: ID!, reason: String): TaskDecisionPayload
  discardQuarantined(id: ID!): DiscardQuarantinedPayload
  forgetPhone(addToDoNotCall: Boolean! = false, dryRun: Boolean! = false, number: String!): ForgetPhonePayload
  importHistory(since: DateTime!, until: DateTime): ImportHistoryPayload
  pauseDestination(name: String!): Destination
  rebuildProjection(name: String!): [Projection!]
  removeFromDoNotCall(numbers: [String!]!): DoNotCallPayload
  reprocessQuarantined(charset: String, id: ID!): ReprocessQuarantinedPayload
  rereadDeliveries(after: String): RereadDeliveriesPayload
  resumeDestination(after: String, name: String!, since: DateTime): Destination
  sendDestinationLetter(cursor: String!, name: String!): Boolean
  testDestination(name: String!): DeliveryAnswer
}

interface Node {
  id: ID!
}

type NumberFileColumn {
  key: String!
  value: Int!
}

type OutcomeCount {
  attempts: Int!
  outcome: RecipientOutcome!
  recipients: Int!
  talkTime: Float!
}

type PageInfo {
  endCursor: String
  hasNextPage: Boolean!
  hasPreviousPage: Boolean!
  startCursor: String
}

type PhoneWriting {
  text: String!
  totalCount: Int!
}

type Projection {
  behind: Float!
  build: Int!
  cursor: String
  name: String!
  state: ProjectionState!
  version: String!
}

enum ProjectionState {
  BUILDING
  LIVE
  RETIRED
}

enum QuarantineKind {
  NOT_ENDED
  UNREADABLE
}

type QuarantinedDelivery implements Node {
  body: String!
  charset: String
  id: ID!
  kind: QuarantineKind!
  reason: String!
  receivedAt: DateTime!
}

type QuarantinedDeliveryConnection {
  edges: [QuarantinedDeliveryEdge!]!
  nodes: [QuarantinedDelivery!]!
  pageInfo: PageInfo!
}

type QuarantinedDeliveryEdge {
  cursor: String!
  node: QuarantinedDelivery!
}

type Query {
  alertRules: [AlertRule!]
  alerts(after: String, filter: AlertFilter, first: Int! = 10): AlertConnection
  assistant(assistantId: ID!, versionId: ID): Assistant
  assistants(first: Int! = 100): KnownAssistants
  auditEvents(after: String, filter: AuditEventFilter, first: Int! = 10): AuditEventConnection
  callEnded(sessionId: ID!): CallEnded
  callEndedEvents(after: String, filter: CallEndedFilter, first: Int! = 10, imported: Boolean! = true, order: EventOrder! = OLDEST_FIRST, revisions: Boolean! = false): CallEndedConnection
  callLog(around: DateTime, sessionId: ID!): CallLog
  callLogs(after: String, filter: CallLogFilter, first: Int! = 10): CallLogConnection
  callStats(filter: CallEndedFilter): CallStats
  destinationLetters(after: String, first: Int! = 20, name: String!): [DestinationLetter!]
  destinations: [Destination!]
  doNotCall: DoNotCall
  gateway: GatewayStatus
  historyImport: HistoryImport
  lines(first: Int! = 100): KnownLines
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]
  projections: [Projection!]
  quarantinedDeliveries(after: String, first: Int! = 10, kind: QuarantineKind! = UNREADABLE): QuarantinedDeliveryConnection
  rawDelivery(cursor: String!): RawDelivery
  serviceTimeZone: String!
  task(taskId: ID!): Task
  taskSubmission(id: ID!): TaskSubmission
  taskSubmissionByKey(idempotencyKey: String!): TaskSubmission
  taskSubmissions(after: String, first: Int! = 10): TaskSubmissionConnection
  tasks(after: String, first: Int! = 10): TaskConnection
  tasksByIds(taskIds: [ID!]!): [Task]
  viewer: Viewer!
}

type RawDelivery {
  body: String
  event: CallEnded!
  missing: MissingBody
}

type ReasonCount {
  answered: Int!
  calls: Int!
  reason: String
}

type Recipient {
  attempts: Int!
  calls(first: Int! = 10): [CallEnded!]!
  extra: JSONObject
  firstCallAt: DateTime!
  lastCall: CallEnded
  lastCallAt: DateTime!
  lastReason: String
  outcome: RecipientOutcome!
  phone: String
  talkTime: Float!
}

type RecipientConnection {
  edges: [RecipientEdge!]!
  nodes: [Recipient!]!
  pageInfo: PageInfo!
  upTo: String
}

type RecipientCounts {
  attempts: Int!
  byOutcome: [OutcomeCount!]!
  notCalled: Int
  recipients: Int!
  talkTime: Float!
  upTo: String
}

type RecipientEdge {
  cursor: String!
  node: Recipient!
}

input RecipientFilter {
  maxAttempts: Int
  minAttempts: Int
  minTalkTime: Float
  outcome: [RecipientOutcome!]
  reasons: [String]
  since: DateTime
  until: DateTime
}

enum RecipientOutcome {
  BUSY
  FAILED
  NO_ANSWER
  OTHER
  REACHED
  REJECTED
}

type Recording implements Node {
  archivedAt: DateTime
  bytes: Float
  callEnded: CallEnded
  contentType: String
  failure: String
  id: ID!
  sessionId: ID!
  status: RecordingStatus!
  url: String
  urlExpiresAt: DateTime
}

type RecordingCounts {
  archived: Int!
  lost: Int!
  pending: Int!
}

enum RecordingStatus {
  ARCHIVED
  LOST
  PENDING
}

type RefusedWebhooks {
  count: Float!
  lastAt: DateTime!
  reasons: [WebhookRefusalCount!]!
  since: DateTime!
}

type ReprocessQuarantinedPayload {
  event: CallEnded
  reason: String
}

type RereadDeliveriesPayload {
  changed: Int!
  cursor: String!
  hasNextPage: Boolean!
  read: Int!
  unreadable: Int!
}

type SideCount {
  calls: Int!
  side: HangupSide
}

type StatsBucket {
  answered: Int!
  calls: Int!
  start: DateTime!
}

type StreamCheckpoint implements CallStreamItem {
  cursor: String!
}

type StreamGap implements CallStreamItem {
  after: String!
  cursor: String!
}

enum SubmissionStatus {
  ACCEPTED
  DECLINED
  EXPIRED
  PENDING
  PROPOSED
  REJECTED
  RESOLVED
  UNCONFIRMED
}

type Subscription {
  alertRaised(after: ID): Alert!
  callEnded(after: String, filter: CallEndedFilter, imported: Boolean! = false, revisions: Boolean! = false): CallEnded!
  callEndedStream(after: String, filter: CallEndedFilter, imported: Boolean! = false, revisions: Boolean! = false): CallStreamItem!
  recordingSettled(filter: CallEndedFilter): Recording!
  taskProgress(taskId: ID!): Task
  taskSubmission(id: ID!): TaskSubmission
}

type Task implements Node {
  alerts(first: Int! = 10): [Alert!]!
  assistant: Assistant
  assistantVersionId: ID
  callAgain(first: Int! = 10): [TaskSubmission!]!
  callLogs(after: String, filter: TaskCallLogFilter, first: Int! = 10): CallLogConnection
  callStats: CallStats
  collectionRate: Float
  createdAt: DateTime
  id: ID!
  name: String
  option: TaskOption
  progress: Float
  recipientCounts(waitFor: String): RecipientCounts
  recipients(after: String, filter: RecipientFilter, first: Int! = 10, waitFor: String): RecipientConnection
  status: TaskStatus!
  suggestion: String
  summary: String
  taskId: ID!
  total: Int
  unread: [UnreadField!]!
  updatedAt: DateTime
}

enum TaskBegin {
  AT_ONCE
  LATER
  OVER
}

input TaskCallLogFilter {
  direction: CallDirection
  kind: CallKind
  phone: String
  since: DateTime
  until: DateTime
}

type TaskCheck {
  calledAgainFrom: CalledAgain
  countries: [CountryCount!]!
  errors: [CreateTaskError!]!
  leftOutCount: Int!
  limits: [LimitUse!]!
  people: Int
  schedule: TaskSchedule
}

type TaskConnection {
  edges: [TaskEdge!]!
  nodes: [Task]!
  pageInfo: PageInfo!
}

type TaskCount {
  answered: Int!
  calls: Int!
  task: Task
  taskId: ID
}

enum TaskDays {
  DAILY
  START_DATE
}

type TaskDecisionPayload {
  errors: [CreateTaskError!]!
  replayed: Boolean!
  submission: TaskSubmission
}

type TaskEdge {
  cursor: String!
  node: Task
}

enum TaskLimit {
  NUMBERS_PER_DAY
  NUMBERS_PER_HOUR
  NUMBERS_PER_TASK
  TASKS_PER_DAY
  TASKS_PER_HOUR
}

enum TaskMatch {
  COMPARISON
  MARK
}

input TaskNumberInput {
  extra: JSONObject
  number: String!
}

type TaskOption {
  lineIds: [ID!]!
  numberFileMeta: [NumberFileColumn!]!
  periods: [[String!]!]!
  retryCount: Int
  retryInterval: Int
  startDate: String
}

type TaskPeriod {
  endsAt: DateTime
  from: String
  startsAt: DateTime
  to: String
}

type TaskProposal {
  assistant: Assistant
  assistantOverride: AssistantOverride
  countries: [CountryCount!]
  decidedAt: DateTime
  decidedBy: String
  declineReason: String
  expiresAt: DateTime!
  lineIds: [ID!]!
  overridesAssistant: Boolean!
  periods: [[String!]!]!
  retryCount: Int!
  retryIntervalSeconds: Int!
  schedule: TaskSchedule!
  skipDoNotCall: Boolean!
  startDate: String!
}

type TaskSchedule {
  begin: TaskBegin
  days: TaskDays
  periods: [TaskPeriod!]!
  startDate: String
  startsAt: DateTime
  timeZone: String!
}

enum TaskStatus {
  DONE
  PENDING
  RUNNING
  STOP_ABNORMAL
  STOP_OPERATE
  STOP_TIMEOUT
  UNKNOWN
}

type TaskSubmission implements Node {
  assistantId: ID!
  calledAgainFrom: CalledAgain
  id: ID!
  idempotencyKey: String!
  leftOutCount: Int!
  matchedBy: TaskMatch
  name: String!
  numberCount: Int!
  proposal: TaskProposal
  status: SubmissionStatus!
  submittedAt: DateTime!
  submittedBy: String
  task: Task
  taskId: ID
}

type TaskSubmissionConnection {
  edges: [TaskSubmissionEdge!]!
  nodes: [TaskSubmission!]!
  pageInfo: PageInfo!
}

type TaskSubmissionEdge {
  cursor: String!
  node: TaskSubmission!
}

enum TimeBucket {
  DAY
  HOUR
  MINUTE
}

type UnreadField {
  field: String!
  text: String!
}

enum UpstreamState {
  DEGRADED
  DOWN
  HEALTHY
}

type Viewer {
  limits: ViewerLimits
  name: String!
  scopes: [String!]!
}

type ViewerLimits {
  assistantIds: [ID!]
  calledHours: [CalledHours!]
  callingHours: CallingHours
  counts: [LimitState!]!
  lineIds: [ID!]
  prefixes: [String!]
}

enum WebhookRefusal {
  MISSING_HEADER
  NOT_STORED
  TOO_LARGE
  WRONG_HEADER
  WRONG_HOST
  WRONG_METHOD
  WRONG_PATH
}

type WebhookRefusalCount {
  count: Float!
  reason: WebhookRefusal!
}

type WebhookStatus {
  acceptedLastMinute: Int!
  lastAcceptedAt: DateTime
  refused: RefusedWebhooks
  refusedLastMinute: Int!
  unreadableInARow: Int!
}

type WebhookTest {
  authorization: String!
  bytes: Int!
  expiresAt: DateTime!
  path: String!
}`;
