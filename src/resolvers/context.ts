// What a resolver may see. Types only: gateway.ts makes the services, graphql/pipeline.ts a context for each execution.
import type { Viewer } from "../auth/scopes.ts";
import type { CallEndedEvent } from "../events/callEndedEvent.ts";
import type { EventLog, FollowRequest } from "../events/eventLog.ts";
import type { Loaders } from "../loaders/loaders.ts";
import type { Loader } from "../loaders/keyedLoader.ts";
import type { ForgetPhone } from "../privacy/erasePhone.ts";
import type { Signer } from "../util/hmac.ts";
import type { TimeSlices } from "../util/timeSlices.ts";
import type { RecordingGrant } from "../recordings/recordingAddress.ts";
import type { RecordingRow, RecordingStore } from "../store/recordings/recordingStore.ts";
import type { QuarantineStore } from "../store/log/quarantineStore.ts";
import type { QueryOwner } from "../store/scheduling/queryOwner.ts";
import type { Read } from "../store/database.ts";
import type { StatsStore } from "../store/log/statsStore.ts";
import type { TaskRegistry } from "../tasks/taskRegistry.ts";
import type { AssistantRegistry } from "../tasks/assistantRegistry.ts";
import type { SubmissionService } from "../tasks/submissionService.ts";
import type { SubmitTask } from "../tasks/submitTask.ts";
import type { TaskProgress } from "../tasks/taskProgress.ts";
import type { AssistantRecord, AssistantRef, UpstreamState } from "../upstream/upstream.ts";

/** The same for the gateway's whole life. */
export interface Services {
  events: EventLog;
  stats: StatsStore;
  quarantine: Pick<QuarantineStore, "count" | "page" | "byId">;
  /** Reads a quarantined delivery again, by its place; it stays where it is, for a reason, or is in the log. */
  reprocess: (id: number) => Promise<{ event: CallEndedEvent | null; reason: string | null }>;
  recordings: RecordingsService;
  /** Null: the text is no number. */
  forgetPhone: ForgetPhone;
  gateway: GatewayFacts;
  submitTask: SubmitTask;
  knownTasks: Pick<TaskRegistry, "page">;
  assistants: Pick<AssistantRegistry, "latest">;
  submissions: Omit<SubmissionService, "whileSending">;
  /** A task as it goes on, by its ID. */
  taskProgress: TaskProgress;
  seal: Signer;
  /** A short read of the database, in the reader's turn; equal ones of a reader, and of those who wait, are one. */
  inTurn: Read;
  /** For work that would hold the event loop. */
  slices: Pick<TimeSlices, "run">;
  /** IANA: the zone of the service's wall clock. */
  serviceTimeZone: string;
  /** Epoch milliseconds. */
  clock: () => number;
}

export interface RecordingsService extends Pick<RecordingStore, "counts"> {
  /** What settles from now on, on any gateway. */
  followSettled: () => AsyncIterableIterator<RecordingRow>;
  /** Where the viewer may hear it: a path on the gateway. */
  address: (grant: RecordingGrant) => string;
}

/** What a process knows of itself. */
export interface GatewayFacts {
  version: string;
  /** Subscriptions that run now. */
  subscribers: () => number;
  /** Of the service behind it. */
  serviceState: () => UpstreamState;
}

/** Where a subscription reads the log. A resolver that follows the log must use both members. */
export interface SubscriptionSource {
  /** The cursor behind which to resume, in place of the argument `after`; null: as the argument says. */
  after: string | null;
  /** To be called with the cursor of the log's head when the reader is about to wait. The call may end the reader. */
  onHead: ((cursor: string, request: FollowRequest) => void) | null;
}

/** One request's, or one event's inside a subscription: what was loaded for one is never used for another. */
export interface Context extends Services {
  viewer: Viewer;
  /** For the root fields of subscriptions. */
  source: SubscriptionSource;
  /** Of the service. */
  loaders: Loaders;
  known: KnownLoaders;
  /** On whose behalf the database is read. */
  reader: QueryOwner;
  /** To be called when the long lists of the input are used no more: the next large body of the viewer may be parsed. */
  inputUsed: () => void;
}

/** Of the gateway's own memory: the service is not asked. */
export interface KnownLoaders {
  /** The newest event of a call by its session id. Throws STORE_UNAVAILABLE. */
  newestEvent: Loader<string, CallEndedEvent | null>;
  /** The same of many calls: at once, where all of them are remembered. */
  newestEvents: EventLog["newestOf"];
  /** A version of an assistant as it was last seen. Throws STORE_UNAVAILABLE. */
  assistant: Loader<AssistantRef, AssistantRecord | null>;
  /** By session id; null where no recording was ever told of. Throws STORE_UNAVAILABLE. */
  recording: Loader<string, RecordingRow | null>;
}
