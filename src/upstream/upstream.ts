// The port to the calling service (service.md, section 4): one method per endpoint, and the records that they return. In a
// record, ids are exact text and times are instants. Fields that are not named here do not enter the gateway.
import type { Instant } from "../format/instant.ts";
import type { UnreadField } from "../format/fieldReader.ts";
import type { Steps } from "../util/timeSlices.ts";
import type { Requester } from "./requester.ts";

export interface Upstream extends AsyncDisposable {
  /**
   * One page of the call log, GET /openapi/calllog. Both ends of the range are always sent, in whole seconds of the
   * service's wall clock. Throws UPSTREAM_*, the reason of the requester's signal, and errors of its beforeSend. Without a
   * requester the call cannot be cancelled and costs nobody anything.
   */
  listCallLogs(query: CallLogQuery, requester?: Requester): Promise<CallLogPage>;
  /** GET /openapi/tasks/{taskID}; null where the service answers 404. Throws as listCallLogs. */
  getTask(taskId: string, requester?: Requester): Promise<TaskRecord | null>;
  /** Writes the body of POST /openapi/tasks. Throws TypeError for an id that is not decimal. */
  writeTask(request: CreateTaskRequest): Steps<Buffer>;
  /**
   * POST /openapi/tasks with a body from writeTask. It is sent once and never retried. A failure of the service or the
   * network does not throw: the outcome says what is known.
   */
  createTask(body: Buffer): Promise<CreateTaskOutcome>;
  /**
   * gateway/createEvents.ts calls it for each event, with the event's task (null: a call without a task). Responses about the task,
   * about lists that name it, and about lists that name no task are not used again. This covers cached responses and those
   * still in flight.
   */
  invalidate(taskId: string | null): void;
  /** Drops all of them. gateway.ts calls it after a phone number was erased, because a response or a query may hold it. */
  invalidateAll(): void;
  status(): UpstreamStatus;
}

/**
 * DEGRADED: the latest request, or one of the last ten seconds, failed. DOWN: the circuit breaker is open, and requests fail
 * at once.
 */
export const upstreamStates = ["HEALTHY", "DEGRADED", "DOWN"] as const;
export type UpstreamState = (typeof upstreamStates)[number];

/** Counts GETs only, since the start. */
export interface UpstreamStatus {
  state: UpstreamState;
  /** Epoch milliseconds of the first of the latest requests that got no answer or 5xx. Null: the latest one was answered. */
  failingSince: number | null;
  /** Whether its last answer refused the access token. */
  tokenRefused: boolean;
  /** Sent to the service, retries included. */
  requests: number;
  retries: number;
  /** Answered by a request in flight of another caller. */
  shared: number;
  /** Answered from the cache. */
  cached: number;
  /** Requests in flight now. */
  underWay: number;
  /** Requests waiting for a free slot now. */
  queued: number;
}

export type Direction = "inbound" | "outbound";
/** The service's `description`: phone call or debug call (section 4.1). */
export type CallKind = "phone" | "privateTest";

/** The service's limits on a query of the call log (section 4.1). */
export const MAX_TASK_IDS = 10;
export const MAX_PAGE_SIZE = 100;
/** The filters of a CallLogQuery that matches every call. */
export const NO_FILTER = { taskIds: [], assistantIds: [], direction: null, phone: null, kind: null } as const;

export interface CallLogQuery {
  /** At most MAX_TASK_IDS; empty: no filter. */
  taskIds: readonly string[];
  since: Instant;
  until: Instant;
  direction: Direction | null;
  phone: string | null;
  assistantIds: readonly string[];
  kind: CallKind | null;
  /** From 1. */
  pageIndex: number;
  /** 1 to MAX_PAGE_SIZE. */
  pageSize: number;
}

export interface CallLogPage {
  rows: readonly CallLogRecord[];
  total: number;
  pageIndex: number;
  /** As the service reports it: it may be smaller than the requested size. */
  pageSize: number;
}

/** Section 2.1. A field is null if the service left it out, or wrote it empty, zero or unreadably (then it is in `unread`). */
export interface CallLogRecord {
  sessionId: string | null;
  /** Null for 0 too, the service's "no task". */
  taskId: string | null;
  startAt: Instant | null;
  answerAt: Instant | null;
  endAt: Instant | null;
  callee: string | null;
  caller: string | null;
  direction: Direction | null;
  duration: number | null;
  billsec: number | null;
  recordFile: string | null;
  assistants: readonly AssistantRef[];
  unread: readonly UnreadField[];
}

export interface AssistantRef {
  assistantId: string;
  versionId: string;
}

export const taskStatuses = ["pending", "running", "stop.operate", "stop.timeout", "stop.abnormal", "done"] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** Section 2.3. */
export interface TaskRecord {
  taskId: string;
  name: string | null;
  /** Null for a status that the document does not name; then it is in `unread`. */
  status: TaskStatus | null;
  total: number | null;
  progress: number | null;
  collectionRate: number | null;
  summary: string | null;
  suggestion: string | null;
  createdAt: Instant | null;
  updatedAt: Instant | null;
  assistantVersionId: string | null;
  /**
   * The two parts are read on first use, because most queries need neither. A part that cannot be read throws
   * UPSTREAM_CONTRACT, and the rest of the task stays usable.
   */
  option(): TaskOptionRecord | null;
  assistant(): AssistantRecord | null;
  /** The version of its assistant, without reading the part; null where there is none or it has no ids. */
  assistantRef: AssistantRef | null;
  /** Those of the two parts included, which reads them. */
  unread(): UnreadField[];
}

export interface TaskOptionRecord {
  /** In the service's order. */
  numberFileMeta: { key: string; value: number }[];
  lineIds: string[];
  startDate: string | null;
  periods: string[][];
  retryCount: number | null;
  retryInterval: number | null;
}

/** One version of an assistant. `websocketToken` is a secret and is not read. */
export interface AssistantRecord {
  assistantId: string;
  versionId: string;
  name: string | null;
  projectId: string | null;
  scene: string | null;
  speakerId: string | null;
  listenerId: string | null;
  /** Without credentials, query and fragment. */
  websocketUrl: string | null;
  welcome: string | null;
  prompt: string | null;
  knowledge: string | null;
  collect: { question: string | null; answers: string[] }[];
  createdAt: Instant | null;
  updatedAt: Instant | null;
  creatorId: string | null;
  creatorEmail: string | null;
  deletedAt: Instant | null;
  isOldVersion: boolean | null;
  usageCount: number | null;
}

/** Section 4.3, with ids as exact text. */
export interface CreateTaskRequest {
  name: string;
  assistantId: string;
  assistantOverride: {
    globalConfig: { welcome: string | null; prompt: string | null; language: "zh" | "en" | "jp" | null } | null;
    speakerId: string | null;
  } | null;
  option: {
    numberFileMeta: { number: number; name: number; gender: number; salesPersonName: number };
    lineIds: readonly string[];
    periods: readonly (readonly string[])[];
    startDate: string;
    retryCount: number;
    retryIntervalSeconds: number;
  };
  numbers: readonly { number: string; extra: Readonly<Record<string, unknown>> | null }[];
}

export type CreateTaskOutcome =
  /** A 2xx with any body; the document's is empty. */
  | { kind: "accepted" }
  /** A 4xx other than 408, 429 and 499: nothing was created. */
  | { kind: "rejected"; status: number }
  /** Nothing was sent, or the service was busy (429): nothing was created, and another try is safe. */
  | { kind: "unavailable"; retryAfter: number | undefined }
  /** Something was sent and the answer is missing or unclear: the task may exist. */
  | { kind: "unconfirmed" };
