// The data of the simulated service: assistants, tasks and calls. Instants are simulated epoch ms, lengths are seconds.
export type Language = "zh" | "en" | "jp";
export type TaskStatus = "pending" | "running" | "stop.operate" | "stop.timeout" | "stop.abnormal" | "done";
export type Direction = "inbound" | "outbound";
export type Side = "caller" | "callee";
/** The values of the filter `description`: a phone call or a debug call (service.md 4.1). */
export type CallKind = "phone" | "privateTest";
export type Extra = Record<string, unknown>;

/** Changes that a test makes to the JSON of a call or task: fields to leave out, and fields to add or replace. */
export interface ExactFields {
  omit: readonly string[];
  raw: Readonly<Record<string, unknown>>;
}
export const NO_EXACT_FIELDS: ExactFields = { omit: [], raw: {} };

export interface AssistantVersion {
  vid: bigint;
  welcome: string;
  prompt: string;
  language: Language;
  speakerId: bigint;
  listenerId: number;
  websocketUrl: string;
  websocketToken: string;
  collect: { question?: string; answers: string[] }[];
  knowledge: string;
}

export interface Assistant {
  id: bigint;
  projectId: number;
  name: string;
  scene: string;
  creatorId: number;
  creatorEmail: string;
  createdAt: number;
  updatedAt: number;
  usageCount: number;
  /** Oldest first, at least one. */
  versions: AssistantVersion[];
}

/** One number of a task. */
export interface TaskItem {
  id: bigint;
  number: string;
  extra: Extra;
  attempts: number;
  done: boolean;
}

export interface Task {
  id: bigint;
  name: string;
  status: TaskStatus;
  createdAt: number;
  updatedAt: number;
  total: number;
  /** Percentages, possibly with a fraction; the JSON has integers. */
  progress: number;
  collectionRate: number;
  done: number;
  collected: number;
  /** Column numbers; `remarks` is not in the body of a creation (service.md 4.3 against 2.3). */
  fileMeta: { number: number; remarks: number; name: number };
  lines: bigint[];
  startDate: string;
  startTime: string[][];
  retryCount: number;
  /** Seconds. */
  retryInterval: number;
  summary: string;
  suggestion: string;
  assistantId: bigint;
  assistantVid: bigint;
  /** Emptied when the task ends. */
  items: TaskItem[];
  exact: ExactFields;
}

export interface Call {
  sessionId: string;
  /** Null: no task. */
  taskId: bigint | null;
  taskItemId: bigint | null;
  kind: CallKind;
  direction: Direction;
  caller: string;
  callee: string;
  /** When the row was written: the start, unless a test sets it. */
  createdAt: number;
  startAt: number;
  /** Null: not answered (yet). */
  answerAt: number | null;
  /** Null: not ended. */
  endAt: number | null;
  ringTime: number;
  duration: number;
  billsec: number;
  hangupSide: Side;
  hangupReason: string;
  assistants: { id: bigint; vid: bigint }[];
  extra: Extra;
  /** Whether there is a recording, if it was answered. */
  isRecorded: boolean;
  exact: ExactFields;
}

/** What a history is made from. */
export interface HistoryDeps {
  seed: number;
  now: number;
  timeZone: string;
  assistants: readonly Assistant[];
  inbound: readonly Assistant[];
  session: () => string;
}

export const isOver = (task: Task): boolean => task.status !== "pending" && task.status !== "running";
