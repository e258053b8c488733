// The port to the calling service (service.md, section 4): one method per endpoint, and the records they give. Records
// are the service's data read once and for all: ids as exact text, times as instants, nothing that is not named here.
import type { Instant } from "../format/instant.ts";
import type { UnreadField } from "../format/fieldReader.ts";
import type { Steps } from "../util/timeSlices.ts";
import type { Requester } from "./requester.ts";

export interface Upstream extends AsyncDisposable {
  /**
   * One page of the call log, GET /openapi/calllog. Both ends of the range are always sent, in whole seconds of the
   * service's wall clock. Throws UPSTREAM_*, and for this asker alone its signal's reason and what its beforeSend throws;
   * without an asker nobody leaves and nobody pays.
   */
  listCallLogs(query: CallLogQuery, asker?: Requester): Promise<CallLogPage>;
  /** GET /openapi/tasks/{taskID}; null where the service answers 404. Throws as listCallLogs. */
  getTask(taskId: string, asker?: Requester): Promise<TaskRecord | null>;
  /** Writes the body of a task's creation. Throws TypeError for an id that is no decimal. */
  writeTask(request: CreateTaskRequest): Steps<Buffer>;
  /**
   * POST /openapi/tasks with the body that was written, sent once and never again, whatever happens. It never throws for what the service or the
   * network does: the outcome says what is known.
   */
  createTask(body: Buffer): Promise<CreateTaskOutcome>;
  /**
   * To be called when a call of this task has ended (null: of none): what was answered before of the task, of lists that
   * name it and of lists that name none is not used again, nor is what was asked before and is still under way.
   */
  invalidate(taskId: string | null): void;
  /** Of everything: to be called when somebody's number was erased, which an answer or a question may hold. */
  invalidateAll(): void;
  status(): UpstreamStatus;
}

/**
 * HEALTHY; DEGRADED: the newest request, or one of the last ten seconds, failed; DOWN: the circuit is open, and requests
 * fail at once.
 */
export const upstreamStates = ["HEALTHY", "DEGRADED", "DOWN"] as const;
export type UpstreamState = (typeof upstreamStates)[number];

/** Of the requests that read; a task's creation is none of them. Counts are since the start. */
export interface UpstreamStatus {
  state: UpstreamState;
  /** Retries too. */
  requests: number;
  retries: number;
  shared: number;
  cached: number;
  /** Now. */
  underWay: number;
  queued: number;
}

export type Direction = "inbound" | "outbound";
/** The service's `description`: phone call or debug call (section 4.1). */
export type CallKind = "phone" | "privateTest";

export interface CallLogQuery {
  /** At most 10; empty: no filter. */
  taskIds: readonly string[];
  since: Instant;
  until: Instant;
  direction: Direction | null;
  phone: string | null;
  assistantIds: readonly string[];
  kind: CallKind | null;
  /** From 1. */
  pageIndex: number;
  /** 1 to 100. */
  pageSize: number;
}

export interface CallLogPage {
  rows: readonly CallLogRecord[];
  total: number;
  pageIndex: number;
  /** As the service tells it: it may be smaller than what was asked for. */
  pageSize: number;
}

/** Section 2.1. Null: the service left it out, or wrote it empty, zero or unreadably (then it is in `unread`). */
export interface CallLogRecord {
  sessionId: string | null;
  /** Null for 0 too, which is how the service says "none". */
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
  /** Null: a status the document does not name; it is in `unread`. */
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
   * The two parts, of which most who ask for a task want neither: each is read when it is asked for, and once. A part that
   * cannot be read costs only itself: it throws UPSTREAM_CONTRACT.
   */
  option(): TaskOptionRecord | null;
  assistant(): AssistantRecord | null;
  /** The version of its assistant, known without reading the part; null where it has none, or shows no ids. */
  assistantRef: AssistantRef | null;
  /** Of its parts too. */
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
  /** A 2xx, whatever its body: the document's is empty. */
  | { kind: "accepted" }
  /** A 4xx but 408, 429 and 499: nothing was created. */
  | { kind: "rejected"; status: number }
  /** Nothing was sent, or the service had no room (429): nothing was created, and another try is safe. */
  | { kind: "unavailable"; retryAfter: number | undefined }
  /** Something was sent and no clear answer came: the task may exist. */
  | { kind: "unconfirmed" };
