// What resolvers can use. Types only: the composition root makes the services, graphql/pipeline.ts a context per execution.
import type { AlertedTask, AlertService } from "../alerts/alertService.ts";
import type { AgentUse } from "./agentUse.ts";
import type { NamedConfig } from "../config/namedIds.ts";
import type { Viewer } from "../auth/scopes.ts";
import type { WebhookStatus, WebhookTest } from "./webhookStatus.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog, FollowRequest } from "../events/eventLog.ts";
import type { RereadDeliveries } from "../events/rereadDeliveries.ts";
import type { ShowDelivery } from "../events/showDelivery.ts";
import type { Loaders } from "../loaders/loaders.ts";
import type { Loader } from "../loaders/keyedLoader.ts";
import type { DestinationService } from "../destinations/destinationService.ts";
import type { HistoryImports } from "../history/historyImports.ts";
import type { RecipientService } from "../projections/recipientService.ts";
import type { Projections } from "../projections/startProjections.ts";
import type { Recipient } from "../store/projections/recipientStore.ts";
import type { ForgetPhone } from "../privacy/erasePhone.ts";
import type { CursorView } from "../events/cursorView.ts";
import type { Signer } from "../util/hmac.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import type { RecordedCall } from "../recordings/findRecordings.ts";
import type { RecordingGrant } from "../recordings/recordingAddress.ts";
import type { RecordingRow, RecordingStore } from "../store/recordings/recordingStore.ts";
import type { Alert } from "../store/alerts/alertRows.ts";
import type { AuditStore } from "../store/audit/auditStore.ts";
import type { EventNameStore } from "../store/events/eventNameStore.ts";
import type { QuarantineStore } from "../store/events/quarantineStore.ts";
import type { QueryOwner } from "../store/scheduling/queryOwner.ts";
import type { Read } from "../store/scheduling/viewerReads.ts";
import type { StatsStore } from "../store/events/statsStore.ts";
import type { TaskRegistry } from "../tasks/taskRegistry.ts";
import type { AssistantRegistry } from "../tasks/assistantRegistry.ts";
import type { LineRegistry } from "../tasks/lineRegistry.ts";
import type { SubmittedTasks } from "../tasks/submittedTasks.ts";
import type { SubmissionService } from "../tasks/submissionService.ts";
import type { CheckTask } from "../tasks/check/taskCheck.ts";
import type { DoNotCallList } from "../tasks/doNotCallList.ts";
import type { TaskRules } from "../tasks/taskRules.ts";
import type { DescribeSchedule } from "../tasks/check/describeSchedule.ts";
import type { SubmitTask } from "../tasks/submitTask.ts";
import type { ApproveTask } from "../tasks/proposals/approveTask.ts";
import type { DeclineTask } from "../tasks/proposals/declineTask.ts";
import type { ProposeTask } from "../tasks/proposals/proposeTask.ts";
import type { TaskProgress } from "../tasks/taskProgress.ts";
import type { AssistantRecord, AssistantRef, UpstreamStatus } from "../upstream/upstream.ts";

/** They live as long as the gateway. */
export interface Services {
  events: Pick<EventLog, "page" | "follow" | "bySession" | "byRevision" | "checkRetained">;
  stats: StatsStore;
  quarantine: Pick<QuarantineStore, "count" | "page" | "byId" | "remove">;
  /** Reads a quarantined delivery again. It moves to the log, or stays in quarantine for a reason. */
  reprocess: (
    id: number,
    actor: string,
    charset?: string | null,
  ) => Promise<{ event: CallEndedEvent | null; reason: string | null }>;
  eventNames: Pick<EventNameStore, "all">;
  rawDeliveries: RawDeliveriesService;
  audit: Pick<AuditStore, "page" | "byId" | "search">;
  recordings: RecordingsService;
  /** Null: the text is not a phone number. */
  forgetPhone: ForgetPhone;
  gateway: GatewayFacts;
  historyImports: HistoryImports;
  destinations: DestinationService;
  alerts: AlertService;
  submitTask: SubmitTask;
  proposeTask: ProposeTask;
  approveTask: ApproveTask;
  declineTask: DeclineTask;
  checkTask: CheckTask;
  describeSchedule: DescribeSchedule;
  /** How much of its limits a viewer has used. */
  taskLimits: TaskRules["limits"];
  knownTasks: Pick<TaskRegistry, "page">;
  assistants: Pick<AssistantRegistry, "latest" | "list">;
  lines: Pick<LineRegistry, "list">;
  /** What the operator named. */
  named: NamedConfig;
  submissions: Omit<SubmissionService, "whileSending">;
  /** For viewers that see only what they submitted. */
  submittedTasks: SubmittedTasks;
  doNotCall: DoNotCallList;
  /** The people whom tasks have called. */
  recipients: RecipientService;
  projections: Pick<Projections, "builds" | "rebuild">;
  /** Watches a task by its ID. */
  taskProgress: TaskProgress;
  signer: Signer;
  /** How the viewer sees the cursors of the log: what shows or reports one passes it through here. */
  cursors: CursorView;
  /** `cursors` of viewers that see some rows only. */
  hiddenCursors: CursorView;
  /** A short read of the database in the owner's turn. Equal reads that wait at the same time are one. */
  queuedRead: Read;
  /** For long work, which would block the event loop. */
  slices: Pick<TimeSlices, "run">;
  /** The IANA time zone of the service's wall clock. */
  serviceTimeZone: string;
  /** Epoch milliseconds. */
  clock: () => number;
}

/** Accepted deliveries as they came. */
export interface RawDeliveriesService {
  show: ShowDelivery;
  reread: RereadDeliveries;
}

export interface RecordingsService extends Pick<RecordingStore, "counts"> {
  /** Recordings that become ARCHIVED or LOST from when it resolves, on any gateway. Throws STORE_UNAVAILABLE. */
  followSettled: () => Promise<AsyncIterableIterator<RecordingRow>>;
  /** The signed path on the gateway at which the viewer may play it. */
  address: (grant: RecordingGrant) => string;
}

/** Facts about this process. */
export interface GatewayFacts {
  version: string;
  /** Number of active subscriptions. */
  subscribers: () => number;
  /** How the service responds. */
  service: () => Pick<UpstreamStatus, "state" | "failingSince" | "tokenRefused">;
  /** How webhooks fare. */
  webhooks: () => WebhookStatus;
  issueWebhookTest: () => WebhookTest;
  /** Which agents used which tools, the last first. */
  agentUses: () => AgentUse[];
  /** By how many milliseconds ends of calls are ahead of their webhooks, if UPSTREAM_TIME_ZONE seems to be wrong; else 0. */
  timesAheadMs: () => number;
}

/**
 * A request for server-sent events, or of a reader that collects results and goes on later. Subscribers to events get the checkpoints of
 * the log, too, for the ID of the last event.
 */
export interface EventStreamSource {
  /** It wins over the argument `after`, because a browser that reconnects repeats its URL. */
  lastEventId: string | null;
  /** As in FollowRequest. */
  checkpointMs?: number;
}

/** Where a subscription reads the log. A resolver that follows the log must use all members. */
export interface SubscriptionSource {
  /** The cursor after which to resume, in place of the argument `after`; null: as the argument says. */
  after: string | null;
  /** For server-sent events, and results that are collected. Null: another transport. */
  eventStream: EventStreamSource | null;
  /** To be called with the cursor of the log's head when the reader is about to wait. The call may end the reader. */
  onHead: ((cursor: string, request: FollowRequest) => void) | null;
}

/** For one request, or for one event of a subscription: loaded data is never shared between them. */
export interface Context extends Services {
  viewer: Viewer;
  /** For the root fields of subscriptions. */
  source: SubscriptionSource;
  /** Load from the service. */
  loaders: Loaders;
  known: KnownLoaders;
  /** On whose behalf the database is read; it schedules and cancels the reads. */
  queryOwner: QueryOwner;
}

/** Load from the gateway's own database and caches, never from the service. */
export interface KnownLoaders {
  /** The newest place in the log when the operation began: no list that the operation asks of the service is older. */
  headCursor: () => string;
  /** The newest event of a call, by session ID. Throws STORE_UNAVAILABLE. */
  newestEvent: Loader<string, CallEndedEvent | null>;
  /** The same for many calls: synchronous where all of them are cached. */
  newestEvents: EventLog["newestOf"];
  /** A version of an assistant as it was last seen. Throws STORE_UNAVAILABLE. */
  assistant: Loader<AssistantRef, AssistantRecord | null>;
  /** Null where no event gave the URL of a recording. Throws STORE_UNAVAILABLE. */
  recording: Loader<RecordedCall, RecordingRow | null>;
  /** The recipient of a call, by session ID. Null where recipients do not show the call. Throws STORE_UNAVAILABLE. */
  recipient: Loader<string, (Recipient & { attempt: number | null }) | null>;
  /** The newest open alerts about a task. Throws STORE_UNAVAILABLE. */
  openAlerts: Loader<AlertedTask, Alert[] | null>;
}
