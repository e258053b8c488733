/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A language of texts of alerts. */
export type AlertLanguage =
  /** English. */
  | 'EN'
  /** Chinese. */
  | 'ZH';

/** Settings of the new version of the assistant. A field that is null keeps the assistant's own setting. */
export type AssistantGlobalConfigInput = {
  /** The language it speaks. */
  language?: Language | null | undefined;
  /** The system prompt. */
  prompt?: string | null | undefined;
  /** The opening line. */
  welcome?: string | null | undefined;
};

/** Creates a new version of the assistant for this task. A field that is null keeps the assistant's own. */
export type AssistantOverrideInput = {
  /** Other settings. */
  globalConfig?: AssistantGlobalConfigInput | null | undefined;
  /** The service's ID of another voice. */
  speakerId?: string | number | null | undefined;
};

/** What a viewer did. New values may be added. */
export type AuditAction =
  /** The viewer said with acknowledgeAlert to have seen to an alert. */
  | 'ALERT_ACKNOWLEDGED'
  /** The viewer read accepted deliveries again with rereadDeliveries. There is one entry per viewer and hour (UTC). */
  | 'DELIVERIES_REREAD'
  /** The viewer removed a delivery from quarantine with discardQuarantined. */
  | 'DELIVERY_DISCARDED'
  /** The viewer moved a delivery from quarantine to the event log with reprocessQuarantined. */
  | 'DELIVERY_REPROCESSED'
  /** The viewer was shown an accepted delivery as it came, with rawDelivery. */
  | 'DELIVERY_SHOWN'
  /** The viewer paused or resumed a destination, or set its place in the log. */
  | 'DESTINATION_CHANGED'
  /** The viewer added numbers to the never-call list. */
  | 'DO_NOT_CALL_ADDED'
  /** The viewer removed numbers from the never-call list. */
  | 'DO_NOT_CALL_REMOVED'
  /** The viewer started an import of earlier calls with importHistory. */
  | 'HISTORY_IMPORTED'
  /** The viewer ended an import with cancelHistoryImport. */
  | 'HISTORY_IMPORT_CANCELLED'
  /** The viewer erased a phone number with forgetPhone. */
  | 'PHONE_FORGOTTEN'
  /** The viewer asked for the sound of a recording. There is one entry per viewer, recording and hour (UTC). */
  | 'RECORDING_PLAYED'
  /** The viewer approved a proposed task, and the gateway sent it to the service. */
  | 'TASK_APPROVED'
  /** The viewer declined a proposed task, or erased a phone number of it. */
  | 'TASK_DECLINED'
  /** Nobody approved the task that the viewer had proposed. */
  | 'TASK_EXPIRED'
  /** The viewer proposed a task with createTask. */
  | 'TASK_PROPOSED'
  /** The viewer sent a task to the service with createTask. */
  | 'TASK_SUBMITTED';

/** An entry must match every given field; null matches all entries. */
export type AuditEventFilter = {
  /** Entries of one of these actions. At most 100; an empty list matches nothing. */
  actions?: Array<AuditAction> | null | undefined;
  /** Entries of one of these viewers, by their whole names. At most 100; an empty list matches nothing. A name with a number in it needs the scope people:read. */
  actors?: Array<string> | null | undefined;
  /** Entries at or after this instant. */
  since?: string | null | undefined;
  /** Entries about this TaskSubmission, QuarantinedDelivery, Recording, CallEnded or Alert. The id of a call's event and of its recording give the entries of both. */
  subjectId?: string | number | null | undefined;
  /** Entries before this instant. */
  until?: string | null | undefined;
  /** Entries of what was done in this way, such as by agents. */
  via?: AuditWay | null | undefined;
};

/** In which way a viewer did something. New values may be added. */
export type AuditWay =
  /** By a tool of /mcp: an agent did it with the viewer's key or token. */
  | 'MCP';

/** People of a task who were not reached, in the place of numbers: the gateway takes their numbers and variables from the log. Needs the scope calls:read, but not people:read. */
export type CallAgainInput = {
  /** Which people. Null: all who were not reached. REACHED alone is refused, because nobody who was reached is called again. */
  filter?: RecipientFilter | null | undefined;
  /** The service's ID of the task, which must be over: done, or stopped for 15 minutes without calls. The service may still call people of another one. */
  taskId: string | number;
};

/** Whether the call came in or went out. */
export type CallDirection =
  /** A customer called the service. */
  | 'INBOUND'
  /** The service called a customer. */
  | 'OUTBOUND';

/** An event must match every given field; null matches all events. Where a list or a stream has each call once, it has the first revision of the call that matches. A reconciled event has no hangupSide. */
export type CallEndedFilter = {
  /** Answered or unanswered calls. A call of which this is unknown counts as unanswered. */
  answered?: boolean | null | undefined;
  /** Calls that one of these assistants handled. At most 100 IDs; an empty list matches nothing. */
  assistantIds?: Array<string | number> | null | undefined;
  /** Calls of this direction. */
  direction?: CallDirection | null | undefined;
  /** Calls with one of these hang-up reasons, as they are written; null in the list: calls without a reason. At most 100; an empty list matches nothing. */
  hangupReasons?: Array<string | null | undefined> | null | undefined;
  /** Calls that this end hung up. */
  hangupSide?: HangupSide | null | undefined;
  /** Calls whose caller or callee is this phone number, in whatever writing, or this label of a line. Needs the scope people:read. */
  phone?: string | null | undefined;
  /** Calls whose endAt is at or after this instant; receivedAt counts where endAt is null. */
  since?: string | null | undefined;
  /** Calls of one of these tasks. At most 100 IDs; an empty list matches nothing. */
  taskIds?: Array<string | number> | null | undefined;
  /** Calls before this instant, by the same time. */
  until?: string | null | undefined;
};

/** Whether a call was real. */
export type CallKind =
  /** A phone call. */
  | 'PHONE'
  /** A debug call. */
  | 'PRIVATE_TEST';

/** A call must match every given field; null matches all calls. Times are cut to whole seconds, and the service decides which of a call's times they apply to. */
export type CallLogFilter = {
  /** Calls that one of these assistants handled. At most 100 IDs; an empty list matches nothing. */
  assistantIds?: Array<string | number> | null | undefined;
  /** Calls of this direction. */
  direction?: CallDirection | null | undefined;
  /** Real calls or debug calls. */
  kind?: CallKind | null | undefined;
  /** Calls whose caller or callee is this phone number, or this label of a line. The service is asked in several writings of a number (phoneWritings). Needs the scope people:read. */
  phone?: string | null | undefined;
  /** The start of the range. Default: the start of the day of until in the service's time zone. */
  since?: string | null | undefined;
  /** Calls of one of these tasks. At most 10 IDs; an empty list matches nothing. */
  taskIds?: Array<string | number> | null | undefined;
  /** The end of the range. Default: the end of today in the service's time zone. */
  until?: string | null | undefined;
};

/** The task to check: the input of createTask without its idempotency key. */
export type CheckTaskInput = {
  /** The service's ID of the assistant that makes the calls. */
  assistantId: string | number;
  /** Changes to the assistant for this task. Null: none. */
  assistantOverride?: AssistantOverrideInput | null | undefined;
  /** People of another task to call again, in the place of numbers. People of the never-call list are left out, whether skipDoNotCall is set or not. */
  from?: CallAgainInput | null | undefined;
  /** The name of the task, at most 1000 characters. */
  name: string;
  /** The numbers to call: 1 to 100000, each only once. Null where `from` is given. */
  numbers?: Array<TaskNumberInput> | null | undefined;
  /** When and how the numbers are called. */
  option: CreateTaskOptionInput;
  /** Leaves out numbers that are in the never-call list; TaskSubmission.leftOutCount counts them. By default such a number refuses the whole task. */
  skipDoNotCall?: boolean | null | undefined;
};

/** The columns of the number file. The documentation of the service does not state what the integers mean. */
export type CreateNumberFileMetaInput = {
  /** The gender column (性别). */
  gender: number;
  /** The name column (姓名). */
  name: number;
  /** The number column (号码). */
  number: number;
  /** The column of the sales person's name (销售姓名). */
  salesPersonName: number;
};

/** Why createTask, approveTask or declineTask did not do what was asked. New values may be added. */
export type CreateTaskErrorCode =
  /** The proposal was approved before, so that it cannot be declined. */
  | 'APPROVED'
  /** The proposal was declined. Nothing was sent, and its key stays used. */
  | 'DECLINED'
  /** A number is in the never-call list, and skipDoNotCall is not set; or all numbers are. Nothing was sent, and the key is free. */
  | 'DO_NOT_CALL'
  /** The proposal expired. Nothing was sent, and its key stays used. */
  | 'EXPIRED'
  /** The key was used before with another input. Nothing was sent. */
  | 'IDEMPOTENCY_CONFLICT'
  /** The input breaks a rule; path tells where. Nothing was sent, and the key is free. */
  | 'INVALID_INPUT'
  /** The task is larger than what is left of a limit of the key or token; limit tells which. Nothing was sent or counted, and the key is free. */
  | 'LIMIT_EXCEEDED'
  /** Of the people who are to be called again nobody is left: calledAgainFrom of checkTask tells why. Nothing was sent, and the key is free; a proposal waits on. */
  | 'NOBODY_TO_CALL'
  /** The limits of the key or token do not allow the value at path: a line, the assistant, a number or a period. At from, they leave nobody to call. Nothing was sent, and the key is free. */
  | 'NOT_ALLOWED'
  /** The id is of no proposal. */
  | 'NOT_PROPOSED'
  /** A viewer may not approve what it proposed itself. Nothing was sent. */
  | 'OWN_PROPOSAL'
  /** The service refused the task, and nothing was created. The payload has the submission, too. */
  | 'REJECTED'
  /** The task whose people are to be called again is not over: the service may still call them. Nothing was sent, and the key is free; a proposal waits on. */
  | 'STILL_CALLING'
  /** 100 proposals of the viewer wait already, or they would have more than 64 MiB with this one. Nothing was stored, and the key is free. */
  | 'TOO_MANY_PROPOSALS'
  /** The service could not be reached or was busy. Nothing was created. The key is free again; a proposal waits on. */
  | 'UNAVAILABLE';

/** When and how the numbers are called. */
export type CreateTaskOptionInput = {
  /** The IDs of the outgoing lines, at least one. The service calls them numbers. */
  lineIds: Array<string | number>;
  /** The columns of the number file. */
  numberFileMeta: CreateNumberFileMetaInput;
  /** The times of day at which calls are made, at least one period, such as [["09:00", "12:00"]]. The service calls them startTime and does not document their format. */
  periods: Array<Array<string>>;
  /** Number of retries, 0 or more. */
  retryCount: number;
  /** Time between retries in seconds, 0 or more. */
  retryIntervalSeconds: number;
  /** The first day of calls, such as 2026-11-20, in the years 2000 to 2199. The service does not document its format. */
  startDate: string;
};

/** Why the gateway has disabled a destination. New values may be added. */
export type DestinationDisabledReason =
  /** It has taken nothing for three days. */
  | 'FAILING'
  /** It answered 410. */
  | 'GONE';

/** Whether events are sent to a destination. */
export type DestinationState =
  /** They are sent. */
  | 'ACTIVE'
  /** The gateway has disabled it, for the reason in disabledFor. Its events wait in the log. */
  | 'DISABLED'
  /** An admin has paused it. Its events wait in the log. */
  | 'PAUSED';

/** How the gateway learned that a call ended. New values may be added. */
export type EventSource =
  /** The call ended before the gateway was there, and importHistory read it from the call log. Fields that only a webhook has are null. */
  | 'IMPORTED'
  /** The webhook did not come, and the gateway found the ended call in the call log. Fields that only a webhook has are null. */
  | 'RECONCILED'
  /** By the call-ended webhook of the service. */
  | 'WEBHOOK';

/** The end of the line that hung up. HungUpBy names the person instead. */
export type HangupSide =
  /** The end that was called. */
  | 'CALLEE'
  /** The end that placed the call. */
  | 'CALLER';

/** How an import of earlier calls fares. */
export type HistoryImportState =
  /** It was ended by cancelHistoryImport. What it had added stays. */
  | 'CANCELLED'
  /** Everything was read. */
  | 'DONE'
  /** It has ended for the reason in problem. What it had added stays. */
  | 'FAILED'
  /** It reads the service's call log, or waits until it can go on. */
  | 'RUNNING';

/** The party that hung up, by side and direction. On an outbound call the assistant is the caller, on an inbound call the callee. */
export type HungUpBy =
  /** The voice assistant. */
  | 'ASSISTANT'
  /** The person on the phone. */
  | 'CUSTOMER';

/** Where the gateway knows an assistant or a line from. New values may be added. */
export type KnownFrom =
  /** The operator named it: KNOWN_ASSISTANTS, KNOWN_LINES. */
  | 'SETTING'
  /** The service accepted a createTask with it. */
  | 'SUBMISSION'
  /** A task that the gateway read from the service showed it. */
  | 'TASK';

/** A language that an assistant speaks. */
export type Language =
  /** English. */
  | 'EN'
  /** Japanese. */
  | 'JP'
  /** Chinese. */
  | 'ZH';

/** Why a person of a task is not called again. New values may be added. */
export type LeftOutReason =
  /** Is in another submission that calls people of these tasks again: one that waits for an approval, or whose task is not over. Or in any other one whose task the gateway does not know: it may be one of these tasks. */
  | 'ALREADY_BEING_CALLED'
  /** Is in the never-call list. */
  | 'DO_NOT_CALL'
  /** The limits of the viewer do not allow a call to the number, or not in these hours. An approval applies those of the viewer that proposed the task. */
  | 'NOT_ALLOWED'
  /** The newest call is no longer in the log: it expired or was erased meanwhile. */
  | 'NOT_IN_LOG'
  /** Was reached: in this task, in the one that it came from by calling again, or in another one that came from it, in any writing of the number. */
  | 'REACHED'
  /** The number of the newest call is masked, missing or not callable, or the variables break the rules of createTask. */
  | 'UNREADABLE';

/** Why a delivery is in quarantine. */
export type QuarantineKind =
  /** It is an event that does not end a call, and nothing is wrong with it. */
  | 'NOT_ENDED'
  /** It could not be read, or the database refused it. */
  | 'UNREADABLE';

/** A person must match every given field; null matches everybody. */
export type RecipientFilter = {
  /** People with at most this number of calls. */
  maxAttempts?: number | null | undefined;
  /** People with at least this number of calls. */
  minAttempts?: number | null | undefined;
  /** People with at least this sum of billsec. In the unit of the service, which its documentation does not state. */
  minTalkTime?: number | null | undefined;
  /** People with one of these outcomes; an empty list matches nobody. */
  outcome?: Array<RecipientOutcome> | null | undefined;
  /** People whose last call has one of these hang-up reasons, as they are written; null in the list: no reason. At most 100; an empty list matches nobody. */
  reasons?: Array<string | null | undefined> | null | undefined;
  /** People whose lastCallAt is at or after this instant. */
  since?: string | null | undefined;
  /** People whose lastCallAt is before this instant. */
  until?: string | null | undefined;
};

/** What became of the calls of a person in a task. The words of hang-up reasons are in a table, to which HANGUP_OUTCOMES adds. */
export type RecipientOutcome =
  /** The line was busy at the last call. */
  | 'BUSY'
  /** The last call could not be put through. */
  | 'FAILED'
  /** Nobody answered the last call. */
  | 'NO_ANSWER'
  /** Nobody answered the last call, and no reason that the gateway knows says why. */
  | 'OTHER'
  /** One of the calls was answered. */
  | 'REACHED'
  /** The last call was rejected. */
  | 'REJECTED';

/** How far the gateway is with archiving a recording. */
export type RecordingStatus =
  /** The gateway has it and serves it. */
  | 'ARCHIVED'
  /** The URL had expired, or the last attempt failed. This is final. */
  | 'LOST'
  /** It waits for its download, or for another attempt. */
  | 'PENDING';

/** How far a submission is, and what is known of its task. New values may be added. */
export type SubmissionStatus =
  /** The service answered 200. Its answer does not contain the ID of the task. */
  | 'ACCEPTED'
  /** A viewer declined the proposal, or a phone number of it was erased. Nothing was sent. */
  | 'DECLINED'
  /** Nobody approved the proposal in 24 hours. Nothing was sent. */
  | 'EXPIRED'
  /** It is being sent. */
  | 'PENDING'
  /** It waits for the approval of another viewer. Nothing was sent. */
  | 'PROPOSED'
  /** The service refused it. No task was created. */
  | 'REJECTED'
  /** The ID of the task is known. */
  | 'RESOLVED'
  /** It is not known whether the task exists: the connection broke, or the answer was unclear. The gateway never sends it again by itself. */
  | 'UNCONFIRMED';

/** Whether a task's calls begin at once. */
export type TaskBegin =
  /** One of its periods is now. */
  | 'AT_ONCE'
  /** Its next period is still to come. */
  | 'LATER'
  /** All of its periods have ended. */
  | 'OVER';

/** The days on which a task calls. */
export type TaskDays =
  /** Its start date, and each day after it until it is done. */
  | 'DAILY'
  /** Its start date only. */
  | 'START_DATE';

/** How the gateway found the task of a submission. */
export type TaskMatch =
  /** By comparing a task with the submissions: only this one has its name, assistant and count of numbers, and was sent at that time. */
  | 'COMPARISON'
  /** By the correlation token of the submission, which came back with an ended call. This is certain. */
  | 'MARK';

/** A number to call. */
export type TaskNumberInput = {
  /** Variables of this number. They come back as extra of its call-ended event. */
  extra?: Record<string, unknown> | null | undefined;
  /** The phone number, at most 64 characters. */
  number: string;
};

/** The status of a task, as the service states it. */
export type TaskStatus =
  /** The service writes done. */
  | 'DONE'
  /** The service writes pending. */
  | 'PENDING'
  /** The service writes running. */
  | 'RUNNING'
  /** The service writes stop.abnormal. */
  | 'STOP_ABNORMAL'
  /** The service writes stop.operate. */
  | 'STOP_OPERATE'
  /** The service writes stop.timeout. */
  | 'STOP_TIMEOUT'
  /** A status that the documentation of the service does not name. Its text is in unread. */
  | 'UNKNOWN';

/** The length of a bucket of a timeline. */
export type TimeBucket =
  /** A day of the time zone: 23 to 25 hours where clocks change. */
  | 'DAY'
  /** An hour of the time zone's clock. */
  | 'HOUR'
  /** A minute. */
  | 'MINUTE';

/** How the calling service responds to the gateway. */
export type UpstreamState =
  /** The newest request, or one of the last ten seconds, failed, or the times of its calls are read wrongly. */
  | 'DEGRADED'
  /** The circuit breaker is open: requests fail at once. */
  | 'DOWN'
  /** Requests succeed. */
  | 'HEALTHY';

/** Why a webhook was refused. */
export type WebhookRefusal =
  /** It had no Authorization header, or two. Anybody can send such a request. */
  | 'MISSING_HEADER'
  /** The database did not take it. The service was asked to send it again. */
  | 'NOT_STORED'
  /** Its body was too large. */
  | 'TOO_LARGE'
  /** Its Authorization header was not WEBHOOK_AUTHORIZATION. Anybody can send such a request. */
  | 'WRONG_HEADER'
  /** Its Authorization header was right, and its Host header did not name the gateway. */
  | 'WRONG_HOST'
  /** Its Authorization header was right, and its method was not POST. */
  | 'WRONG_METHOD'
  /** Its Authorization header was right, and it came to another path than WEBHOOK_PATH. */
  | 'WRONG_PATH';

export type ConsoleOpenAlertsQueryVariables = Exact<{
  language: AlertLanguage;
  taskIds?: Array<string | number> | string | number | null | undefined;
}>;


export type ConsoleOpenAlertsQuery = { alerts: { pageInfo: { hasNextPage: boolean }, nodes: Array<{ id: string, rule: string, text: string, taskId: string | null, destination: string | null, raisedAt: string, acknowledgedAt: string | null, acknowledgedBy: string | null }> } | null };

export type ConsoleAcknowledgeMutationVariables = Exact<{
  id: string | number;
}>;


export type ConsoleAcknowledgeMutation = { acknowledgeAlert: { id: string, acknowledgedAt: string | null, acknowledgedBy: string | null } | null };

export type ConsoleCallQueryVariables = Exact<{
  sessionId: string | number;
  people: boolean;
  recordings: boolean;
}>;


export type ConsoleCallQuery = { callEnded: { extra?: Record<string, unknown> | null, id: string, cursor: string, sessionId: string, source: EventSource, receivedAt: string, revision: number, direction: CallDirection | null, caller: string | null, callee: string | null, startAt: string | null, answerAt: string | null, endAt: string | null, duration: number | null, billsec: number | null, ringTime: number | null, answered: boolean | null, hangupSide: HangupSide | null, hungUpBy: HungUpBy | null, hangupReason: string | null, taskId: string | null, taskItemId: string | null, recording: { id: string, status: RecordingStatus, failure: string | null, bytes: number | null, url?: string | null, urlExpiresAt?: string | null } | null, task: { id: string, name: string | null, status: TaskStatus } | null, assistants: Array<{ assistantId: string, versionId: string, assistant: { id: string, name: string | null } | null }>, unread: Array<{ field: string, text: string }> } | null };

export type CallDetailsFragment = { id: string, cursor: string, sessionId: string, source: EventSource, receivedAt: string, revision: number, direction: CallDirection | null, caller: string | null, callee: string | null, startAt: string | null, answerAt: string | null, endAt: string | null, duration: number | null, billsec: number | null, ringTime: number | null, answered: boolean | null, hangupSide: HangupSide | null, hungUpBy: HungUpBy | null, hangupReason: string | null, taskId: string | null, taskItemId: string | null, assistants: Array<{ assistantId: string, versionId: string, assistant: { id: string, name: string | null } | null }>, unread: Array<{ field: string, text: string }> };

export type ConsoleListedCallQueryVariables = Exact<{
  sessionId: string | number;
  around?: string | null | undefined;
  recordings: boolean;
}>;


export type ConsoleListedCallQuery = { callLog: { sessionId: string | null, direction: CallDirection | null, caller: string | null, callee: string | null, startAt: string | null, answerAt: string | null, endAt: string | null, duration: number | null, billsec: number | null, answered: boolean | null, taskId: string | null, recordFile?: string | null, recording: { id: string, status: RecordingStatus, failure: string | null, bytes: number | null, url?: string | null, urlExpiresAt?: string | null } | null, task: { id: string, name: string | null, status: TaskStatus } | null, assistants: Array<{ assistantId: string, versionId: string, assistant: { id: string, name: string | null } | null }>, unread: Array<{ field: string, text: string }> } | null };

export type ConsoleRevisionsQueryVariables = Exact<{
  filter: CallEndedFilter;
}>;


export type ConsoleRevisionsQuery = { callEndedEvents: { nodes: Array<{ sessionId: string, revision: number, source: EventSource, receivedAt: string }> } | null };

export type ConsoleAttemptsQueryVariables = Exact<{
  filter: CallEndedFilter;
}>;


export type ConsoleAttemptsQuery = { callEndedEvents: { pageInfo: { hasNextPage: boolean }, nodes: Array<{ sessionId: string, source: EventSource, direction: CallDirection | null, startAt: string | null, answerAt: string | null, endAt: string | null, answered: boolean | null, hangupSide: HangupSide | null, hungUpBy: HungUpBy | null, hangupReason: string | null, unread: Array<{ field: string, text: string }> }> } | null };

export type ConsoleNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleNamesQuery = { assistants: { nodes: Array<{ assistantId: string, name: string | null }> } | null };

export type ConsoleTaskNamesQueryVariables = Exact<{
  taskIds: Array<string | number> | string | number;
}>;


export type ConsoleTaskNamesQuery = { tasksByIds: Array<{ taskId: string, name: string | null } | null> | null };

export type ConsoleKnownTasksQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleKnownTasksQuery = { tasks: { nodes: Array<{ taskId: string, name: string | null } | null> } | null };

export type ConsoleSessionQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleSessionQuery = { serviceTimeZone: string, viewer: { name: string, scopes: Array<string> } };

export type ConsoleReachableQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleReachableQuery = { viewer: { name: string } };

export type ConsoleFactsQueryVariables = Exact<{
  calls: boolean;
}>;


export type ConsoleFactsQuery = { gateway: { upstream: UpstreamState, serviceFailingSince: string | null, tokenRefused: boolean, timesAheadMinutes: number, webhooks: { lastAcceptedAt: string | null, acceptedLastMinute: number, refusedLastMinute: number, unreadableInARow: number, refused: { since: string, count: number, reasons: Array<{ reason: WebhookRefusal, count: number }> } | null } } | null, callEndedEvents?: { nodes: Array<{ source: EventSource }> } | null };

export type ConsoleServiceAnswersQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleServiceAnswersQuery = { callLogs: { totalCount: number } | null };

export type ConsoleAuditQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter?: AuditEventFilter | null | undefined;
}>;


export type ConsoleAuditQuery = { auditEvents: { nodes: Array<{ id: string, at: string, actor: string, action: AuditAction, count: number, subjectId: string | null, via: AuditWay | null, tool: string | null, client: string | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type AuditEntryFragment = { id: string, at: string, actor: string, action: AuditAction, count: number, subjectId: string | null, via: AuditWay | null, tool: string | null, client: string | null };

export type ConsoleAuditEntryQueryVariables = Exact<{
  id: string | number;
}>;


export type ConsoleAuditEntryQuery = { node:
    | { __typename: 'Alert' }
    | { __typename: 'Assistant' }
    | { __typename: 'AuditEvent', id: string, at: string, actor: string, action: AuditAction, count: number, subjectId: string | null, via: AuditWay | null, tool: string | null, client: string | null }
    | { __typename: 'CallEnded' }
    | { __typename: 'CallLog' }
    | { __typename: 'QuarantinedDelivery' }
    | { __typename: 'Recording' }
    | { __typename: 'Task' }
    | { __typename: 'TaskSubmission' }
   | null };

export type ConsoleAuditedCallQueryVariables = Exact<{
  id: string | number;
}>;


export type ConsoleAuditedCallQuery = { node:
    | { sessionId: string }
    | { sessionId: string }
    | Record<PropertyKey, never>
   | null };

export type ConsoleCallsQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter: CallLogFilter;
  byPhone: boolean;
}>;


export type ConsoleCallsQuery = { callLogs: { totalCount: number, driftDetected: boolean, headCursor: string, phoneWritings?: Array<{ text: string, totalCount: number }> | null, pageInfo: { endCursor: string | null, hasNextPage: boolean }, nodes: Array<{ id: string, sessionId: string | null, taskId: string | null, direction: CallDirection | null, caller: string | null, callee: string | null, startAt: string | null, answerAt: string | null, endAt: string | null, answered: boolean | null, assistants: Array<{ assistantId: string }>, callEnded: { source: EventSource, hungUpBy: HungUpBy | null, hangupReason: string | null } | null, unread: Array<{ field: string, text: string }> }> } | null };

export type ListedCallFragment = { id: string, sessionId: string | null, taskId: string | null, direction: CallDirection | null, caller: string | null, callee: string | null, startAt: string | null, answerAt: string | null, endAt: string | null, answered: boolean | null, assistants: Array<{ assistantId: string }>, callEnded: { source: EventSource, hungUpBy: HungUpBy | null, hangupReason: string | null } | null, unread: Array<{ field: string, text: string }> };

export type ConsoleExportQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
  filter: CallLogFilter;
  people: boolean;
}>;


export type ConsoleExportQuery = { callLogs: { totalCount: number, driftDetected: boolean, pageInfo: { endCursor: string | null, hasNextPage: boolean }, nodes: Array<{ sessionId: string | null, taskId: string | null, direction: CallDirection | null, caller: string | null, callee: string | null, startAt: string | null, answerAt: string | null, endAt: string | null, duration: number | null, billsec: number | null, answered: boolean | null, assistants: Array<{ assistantId: string, versionId: string }>, callEnded: { source: EventSource, hangupSide: HangupSide | null, hungUpBy: HungUpBy | null, hangupReason: string | null, ringTime: number | null, taskItemId: string | null, extra?: Record<string, unknown> | null } | null, unread: Array<{ field: string, text: string }> }> } | null };

export type ExportedCallFragment = { sessionId: string | null, taskId: string | null, direction: CallDirection | null, caller: string | null, callee: string | null, startAt: string | null, answerAt: string | null, endAt: string | null, duration: number | null, billsec: number | null, answered: boolean | null, assistants: Array<{ assistantId: string, versionId: string }>, callEnded: { source: EventSource, hangupSide: HangupSide | null, hungUpBy: HungUpBy | null, hangupReason: string | null, ringTime: number | null, taskItemId: string | null, extra?: Record<string, unknown> | null } | null, unread: Array<{ field: string, text: string }> };

export type ConsoleEndedSinceSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  filter?: CallEndedFilter | null | undefined;
}>;


export type ConsoleEndedSinceSubscription = { callEndedStream:
    | { __typename: 'CallEnded', sessionId: string, cursor: string }
    | { __typename: 'StreamCheckpoint', cursor: string }
    | { __typename: 'StreamGap', after: string, cursor: string }
   };

export type ConsoleDestinationsQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleDestinationsQuery = { destinations: Array<{ name: string, kind: string, getsCalls: boolean, url: string, order: string, enabled: boolean, state: DestinationState | null, disabledFor: DestinationDisabledReason | null, cursor: string | null, lag: number, waitingAlerts: number | null, failures: number, failingSince: string | null, secondsToNext: number | null, delivered: number, skipped: number, waitingLetters: number, deadLetters: number, lastAnswer: { at: string, status: number | null, text: string | null } | null }> | null };

export type ConsoleDestinationFragment = { name: string, kind: string, getsCalls: boolean, url: string, order: string, enabled: boolean, state: DestinationState | null, disabledFor: DestinationDisabledReason | null, cursor: string | null, lag: number, waitingAlerts: number | null, failures: number, failingSince: string | null, secondsToNext: number | null, delivered: number, skipped: number, waitingLetters: number, deadLetters: number, lastAnswer: { at: string, status: number | null, text: string | null } | null };

export type ConsoleDestinationLettersQueryVariables = Exact<{
  name: string;
  after?: string | null | undefined;
}>;


export type ConsoleDestinationLettersQuery = { destinationLetters: Array<{ cursor: string, attempts: number, firstAt: string, secondsToNext: number | null, event: { sessionId: string, endAt: string | null, caller: string | null, callee: string | null, answered: boolean | null } | null, lastAnswer: { at: string, status: number | null, text: string | null } | null }> | null };

export type ConsolePauseDestinationMutationVariables = Exact<{
  name: string;
}>;


export type ConsolePauseDestinationMutation = { pauseDestination: { name: string } | null };

export type ConsoleResumeDestinationMutationVariables = Exact<{
  name: string;
  after?: string | null | undefined;
  since?: string | null | undefined;
}>;


export type ConsoleResumeDestinationMutation = { resumeDestination: { name: string } | null };

export type ConsoleTestDestinationMutationVariables = Exact<{
  name: string;
}>;


export type ConsoleTestDestinationMutation = { testDestination: { at: string, status: number | null, text: string | null } | null };

export type ConsoleSendLetterMutationVariables = Exact<{
  name: string;
  cursor: string;
}>;


export type ConsoleSendLetterMutation = { sendDestinationLetter: boolean | null };

export type ConsoleGatewayStatusQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleGatewayStatusQuery = { gateway: { version: string, subscribers: number, quarantined: number, eventNames: Array<{ name: string | null, isEnd: boolean }>, events: { events: number, reconciled: number, lastReceivedAt: string | null, newestCursor: string }, recordings: { archived: number, pending: number, lost: number } } | null };

export type ConsoleAgentUsesQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleAgentUsesQuery = { gateway: { agentUses: Array<{ viewer: string, client: string | null, tool: string, calls: number, failed: number, lastAt: string }> } | null };

export type ConsoleGatewayDayQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleGatewayDayQuery = { gateway: { lastDay: Array<{ start: string, webhooks: number, reconciled: number, unreadable: number, meanDelaySeconds: number | null }> } | null };

export type ConsoleNewestCallQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleNewestCallQuery = { callEndedEvents: { nodes: Array<{ endAt: string | null, receivedAt: string }> } | null };

export type ConsoleQuarantineQueryVariables = Exact<{
  after?: string | null | undefined;
  kind: QuarantineKind;
}>;


export type ConsoleQuarantineQuery = { quarantinedDeliveries: { nodes: Array<{ id: string, receivedAt: string, kind: QuarantineKind, reason: string, charset: string | null, body: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type ConsoleReprocessMutationVariables = Exact<{
  id: string | number;
  charset?: string | null | undefined;
}>;


export type ConsoleReprocessMutation = { reprocessQuarantined: { reason: string | null, event: { sessionId: string } | null } | null };

export type ConsoleDiscardMutationVariables = Exact<{
  id: string | number;
}>;


export type ConsoleDiscardMutation = { discardQuarantined: { delivery: { id: string } | null } | null };

export type ConsoleHistoryImportQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleHistoryImportQuery = { gateway: { lacksHistory: boolean } | null, historyImport: { state: HistoryImportState, problem: string | null, progress: number, secondsLeft: number | null, windows: number, calls: number, tooOld: number | null, leftOut: number } | null };

export type ConsoleImportHistoryMutationVariables = Exact<{
  since: string;
}>;


export type ConsoleImportHistoryMutation = { importHistory: { isNew: boolean } | null };

export type ConsoleCancelImportMutationVariables = Exact<{ [key: string]: never; }>;


export type ConsoleCancelImportMutation = { cancelHistoryImport: { state: HistoryImportState } | null };

export type ConsoleWebhookTestMutationVariables = Exact<{ [key: string]: never; }>;


export type ConsoleWebhookTestMutation = { createWebhookTest: { authorization: string, path: string, bytes: number } };

export type ConsoleHistoryHintQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleHistoryHintQuery = { gateway: { lacksHistory: boolean } | null };

export type ConsoleLiveStartQueryVariables = Exact<{
  filter?: CallEndedFilter | null | undefined;
}>;


export type ConsoleLiveStartQuery = { callEndedEvents: { headCursor: string, nodes: Array<{ __typename: 'CallEnded', cursor: string, sessionId: string, source: EventSource, receivedAt: string, direction: CallDirection | null, caller: string | null, callee: string | null, answerAt: string | null, endAt: string | null, answered: boolean | null, hangupSide: HangupSide | null, hungUpBy: HungUpBy | null, hangupReason: string | null, taskId: string | null, assistants: Array<{ assistantId: string }>, unread: Array<{ field: string, text: string }> }> } | null };

export type LiveCallFragment = { __typename: 'CallEnded', cursor: string, sessionId: string, source: EventSource, receivedAt: string, direction: CallDirection | null, caller: string | null, callee: string | null, answerAt: string | null, endAt: string | null, answered: boolean | null, hangupSide: HangupSide | null, hungUpBy: HungUpBy | null, hangupReason: string | null, taskId: string | null, assistants: Array<{ assistantId: string }>, unread: Array<{ field: string, text: string }> };

export type ConsoleLiveSubscriptionVariables = Exact<{
  after?: string | null | undefined;
  filter?: CallEndedFilter | null | undefined;
}>;


export type ConsoleLiveSubscription = { callEndedStream:
    | { __typename: 'CallEnded', cursor: string, sessionId: string, source: EventSource, receivedAt: string, direction: CallDirection | null, caller: string | null, callee: string | null, answerAt: string | null, endAt: string | null, answered: boolean | null, hangupSide: HangupSide | null, hungUpBy: HungUpBy | null, hangupReason: string | null, taskId: string | null, assistants: Array<{ assistantId: string }>, unread: Array<{ field: string, text: string }> }
    | { __typename: 'StreamCheckpoint', cursor: string }
    | { __typename: 'StreamGap', after: string, cursor: string }
   };

export type ConsoleLiveChartsQueryVariables = Exact<{
  filter: CallEndedFilter;
  timeZone: string;
}>;


export type ConsoleLiveChartsQuery = { callStats: { calls: number, answered: number, timeline: Array<{ start: string, calls: number, answered: number }>, byHangupReason: Array<{ reason: string | null, calls: number, answered: number }> } | null };

export type ConsoleForgetPhoneMutationVariables = Exact<{
  number: string;
  neverCall: boolean;
  dryRun: boolean;
}>;


export type ConsoleForgetPhoneMutation = { forgetPhone: { calls: number, events: number, rawDeliveries: number, recordings: number, quarantined: number, submissions: number, proposals: number } | null };

export type ConsoleNeverCallCountQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleNeverCallCountQuery = { doNotCall: { count: number } | null };

export type ConsoleNeverCallNumberQueryVariables = Exact<{
  number: string;
}>;


export type ConsoleNeverCallNumberQuery = { doNotCall: { contains: boolean } | null };

export type ConsoleAddNeverCallMutationVariables = Exact<{
  numbers: Array<string> | string;
}>;


export type ConsoleAddNeverCallMutation = { addToDoNotCall: { changed: number, unreadable: Array<number> } | null };

export type ConsoleRemoveNeverCallMutationVariables = Exact<{
  numbers: Array<string> | string;
}>;


export type ConsoleRemoveNeverCallMutation = { removeFromDoNotCall: { changed: number, unreadable: Array<number> } | null };

export type ConsoleStatisticsQueryVariables = Exact<{
  filter: CallEndedFilter;
  before: CallEndedFilter;
  bucket: TimeBucket;
  timeZone: string;
}>;


export type ConsoleStatisticsQuery = { callStats: { calls: number, answered: number, numbersCalled: number, numbersReached: number, timeline: Array<{ start: string, calls: number, answered: number }>, byTask: Array<{ taskId: string | null, calls: number, answered: number }>, byHangupReason: Array<{ reason: string | null, calls: number, answered: number }>, byAssistant: Array<{ assistantId: string, calls: number, answered: number }> } | null, before: { calls: number, answered: number, numbersCalled: number, numbersReached: number } | null, log: { since: string | null } | null };

export type ConsoleTasksQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ConsoleTasksQuery = { tasks: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, taskId: string, name: string | null, status: TaskStatus, progress: number | null, total: number | null, createdAt: string | null, callStats: { numbersCalled: number, numbersReached: number } | null, unread: Array<{ field: string, text: string }> } | null> } | null };

export type ListedTaskFragment = { id: string, taskId: string, name: string | null, status: TaskStatus, progress: number | null, total: number | null, createdAt: string | null, callStats: { numbersCalled: number, numbersReached: number } | null, unread: Array<{ field: string, text: string }> };

export type ConsoleChangedTasksQueryVariables = Exact<{
  taskIds: Array<string | number> | string | number;
}>;


export type ConsoleChangedTasksQuery = { tasksByIds: Array<{ id: string, taskId: string, name: string | null, status: TaskStatus, progress: number | null, total: number | null, createdAt: string | null, callStats: { numbersCalled: number, numbersReached: number } | null, unread: Array<{ field: string, text: string }> } | null> | null };

export type ConsoleEndedTaskCallsSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ConsoleEndedTaskCallsSubscription = { callEndedStream:
    | { __typename: 'CallEnded', taskId: string | null, cursor: string }
    | { __typename: 'StreamCheckpoint', cursor: string }
    | { __typename: 'StreamGap', after: string, cursor: string }
   };

export type ConsoleSentTasksQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleSentTasksQuery = { taskSubmissions: { nodes: Array<{ id: string, name: string, status: SubmissionStatus, numberCount: number, submittedAt: string }> } | null };

export type ConsoleTaskSubscriptionVariables = Exact<{
  taskId: string | number;
  timeZone: string;
}>;


export type ConsoleTaskSubscription = { taskProgress: { updatedAt: string | null, collectionRate: number | null, summary: string | null, suggestion: string | null, id: string, taskId: string, name: string | null, status: TaskStatus, progress: number | null, total: number | null, createdAt: string | null, assistant: { id: string, assistantId: string, versionId: string, name: string | null } | null, option: { lineIds: Array<string>, periods: Array<Array<string>>, startDate: string | null, retryCount: number | null, retryInterval: number | null } | null, taskCalls: { calls: number, answered: number, since: string | null, byHangupReason: Array<{ reason: string | null, calls: number }>, timeline: Array<{ start: string, calls: number, answered: number }> } | null, callStats: { numbersCalled: number, numbersReached: number } | null, unread: Array<{ field: string, text: string }> } | null };

export type ConsoleTaskPeopleQueryVariables = Exact<{
  taskId: string | number;
}>;


export type ConsoleTaskPeopleQuery = { task: { recipientCounts: { recipients: number, byOutcome: Array<{ outcome: RecipientOutcome, recipients: number }> } | null } | null };

export type ConsoleTalksQueryVariables = Exact<{
  taskId: string | number;
  after?: string | null | undefined;
}>;


export type ConsoleTalksQuery = { callEndedEvents: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ taskItemId: string | null, answerAt: string | null, endAt: string | null }> } | null };

export type ConsoleSubmissionSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type ConsoleSubmissionSubscription = { taskSubmission: { id: string, name: string, status: SubmissionStatus, assistantId: string, numberCount: number, leftOutCount: number, submittedAt: string, submittedBy: string | null, taskId: string | null, matchedBy: TaskMatch | null, calledAgainFrom: { withoutVariables: number, leftOut: Array<{ reason: LeftOutReason, people: number }> } | null, proposal: { expiresAt: string, lineIds: Array<string>, periods: Array<Array<string>>, startDate: string, retryCount: number, retryIntervalSeconds: number, overridesAssistant: boolean, skipDoNotCall: boolean, decidedAt: string | null, decidedBy: string | null, declineReason: string | null } | null } | null };

export type SentTaskFragment = { id: string, name: string, status: SubmissionStatus, assistantId: string, numberCount: number, leftOutCount: number, submittedAt: string, submittedBy: string | null, taskId: string | null, matchedBy: TaskMatch | null, calledAgainFrom: { withoutVariables: number, leftOut: Array<{ reason: LeftOutReason, people: number }> } | null, proposal: { expiresAt: string, lineIds: Array<string>, periods: Array<Array<string>>, startDate: string, retryCount: number, retryIntervalSeconds: number, overridesAssistant: boolean, skipDoNotCall: boolean, decidedAt: string | null, decidedBy: string | null, declineReason: string | null } | null };

export type ConsoleProposedWordsQueryVariables = Exact<{
  id: string | number;
  reads: boolean;
  prompts: boolean;
}>;


export type ConsoleProposedWordsQuery = { taskSubmission: { id: string, proposal: { assistantOverride: { welcome: string | null, changesPrompt: boolean, prompt?: string | null, language: Language | null, speakerId: string | null } | null, assistant?: { id: string, welcome: string | null, prompt?: string | null, speakerId: string | null } | null } | null } | null };

export type ConsoleSubmissionByKeyQueryVariables = Exact<{
  key: string;
}>;


export type ConsoleSubmissionByKeyQuery = { taskSubmissionByKey: { id: string, name: string, status: SubmissionStatus, assistantId: string, numberCount: number, leftOutCount: number, submittedAt: string, submittedBy: string | null, taskId: string | null, matchedBy: TaskMatch | null, calledAgainFrom: { withoutVariables: number, leftOut: Array<{ reason: LeftOutReason, people: number }> } | null, proposal: { expiresAt: string, lineIds: Array<string>, periods: Array<Array<string>>, startDate: string, retryCount: number, retryIntervalSeconds: number, overridesAssistant: boolean, skipDoNotCall: boolean, decidedAt: string | null, decidedBy: string | null, declineReason: string | null } | null } | null };

export type ConsoleTaskChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleTaskChoicesQuery = { assistants: { hasMore: boolean, nodes: Array<{ assistantId: string, name: string | null, knownFrom: Array<KnownFrom> }> } | null, lines: { hasMore: boolean, nodes: Array<{ lineId: string, name: string | null, knownFrom: Array<KnownFrom> }> } | null };

export type ConsoleProposalsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ConsoleProposalsQuery = { taskSubmissions: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, name: string, status: SubmissionStatus, numberCount: number, submittedAt: string, submittedBy: string | null, proposal: { expiresAt: string } | null }> } | null };

export type ConsoleApproveTaskMutationVariables = Exact<{
  id: string | number;
}>;


export type ConsoleApproveTaskMutation = { approveTask: { replayed: boolean, submission: { id: string, name: string, status: SubmissionStatus, assistantId: string, numberCount: number, leftOutCount: number, submittedAt: string, submittedBy: string | null, taskId: string | null, matchedBy: TaskMatch | null, calledAgainFrom: { withoutVariables: number, leftOut: Array<{ reason: LeftOutReason, people: number }> } | null, proposal: { expiresAt: string, lineIds: Array<string>, periods: Array<Array<string>>, startDate: string, retryCount: number, retryIntervalSeconds: number, overridesAssistant: boolean, skipDoNotCall: boolean, decidedAt: string | null, decidedBy: string | null, declineReason: string | null } | null } | null, errors: Array<{ code: CreateTaskErrorCode, message: string }> } | null };

export type ConsoleDeclineTaskMutationVariables = Exact<{
  id: string | number;
  reason?: string | null | undefined;
}>;


export type ConsoleDeclineTaskMutation = { declineTask: { replayed: boolean, submission: { id: string, name: string, status: SubmissionStatus, assistantId: string, numberCount: number, leftOutCount: number, submittedAt: string, submittedBy: string | null, taskId: string | null, matchedBy: TaskMatch | null, calledAgainFrom: { withoutVariables: number, leftOut: Array<{ reason: LeftOutReason, people: number }> } | null, proposal: { expiresAt: string, lineIds: Array<string>, periods: Array<Array<string>>, startDate: string, retryCount: number, retryIntervalSeconds: number, overridesAssistant: boolean, skipDoNotCall: boolean, decidedAt: string | null, decidedBy: string | null, declineReason: string | null } | null } | null, errors: Array<{ code: CreateTaskErrorCode, message: string }> } | null };

export type ConsoleCheckTaskMutationVariables = Exact<{
  input: CheckTaskInput;
}>;


export type ConsoleCheckTaskMutation = { checkTask: { people: number | null, errors: Array<{ code: CreateTaskErrorCode, message: string, path: Array<string> }>, countries: Array<{ countryCode: string | null, people: number }>, schedule: { timeZone: string, startDate: string | null, days: TaskDays | null, begin: TaskBegin | null, startsAt: string | null, periods: Array<{ from: string | null, to: string | null, startsAt: string | null, endsAt: string | null }> } | null, calledAgainFrom: { withoutVariables: number, leftOut: Array<{ reason: LeftOutReason, people: number }> } | null } };

export type ScheduleFragment = { timeZone: string, startDate: string | null, days: TaskDays | null, begin: TaskBegin | null, startsAt: string | null, periods: Array<{ from: string | null, to: string | null, startsAt: string | null, endsAt: string | null }> };

export type ConsoleProposedPlanQueryVariables = Exact<{
  id: string | number;
}>;


export type ConsoleProposedPlanQuery = { taskSubmission: { id: string, proposal: { countries: Array<{ countryCode: string | null, people: number }> | null, schedule: { timeZone: string, startDate: string | null, days: TaskDays | null, begin: TaskBegin | null, startsAt: string | null, periods: Array<{ from: string | null, to: string | null, startsAt: string | null, endsAt: string | null }> } } | null } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const CallDetailsFragmentDoc = new TypedDocumentString(`
    fragment CallDetails on CallEnded {
  id
  cursor
  sessionId
  source
  receivedAt
  revision
  direction
  caller
  callee
  startAt
  answerAt
  endAt
  duration
  billsec
  ringTime
  answered
  hangupSide
  hungUpBy
  hangupReason
  taskId
  taskItemId
  assistants {
    assistantId
    versionId
    assistant {
      id
      name
    }
  }
  unread {
    field
    text
  }
}
    `, {"fragmentName":"CallDetails"}) as unknown as TypedDocumentString<CallDetailsFragment, unknown>;
export const AuditEntryFragmentDoc = new TypedDocumentString(`
    fragment AuditEntry on AuditEvent {
  id
  at
  actor
  action
  count
  subjectId
  via
  tool
  client
}
    `, {"fragmentName":"AuditEntry"}) as unknown as TypedDocumentString<AuditEntryFragment, unknown>;
export const ListedCallFragmentDoc = new TypedDocumentString(`
    fragment ListedCall on CallLog {
  id
  sessionId
  taskId
  direction
  caller
  callee
  startAt
  answerAt
  endAt
  answered
  assistants {
    assistantId
  }
  callEnded {
    source
    hungUpBy
    hangupReason
  }
  unread {
    field
    text
  }
}
    `, {"fragmentName":"ListedCall"}) as unknown as TypedDocumentString<ListedCallFragment, unknown>;
export const ExportedCallFragmentDoc = new TypedDocumentString(`
    fragment ExportedCall on CallLog {
  sessionId
  taskId
  direction
  caller
  callee
  startAt
  answerAt
  endAt
  duration
  billsec
  answered
  assistants {
    assistantId
    versionId
  }
  callEnded {
    source
    hangupSide
    hungUpBy
    hangupReason
    ringTime
    taskItemId
    extra @include(if: $people)
  }
  unread {
    field
    text
  }
}
    `, {"fragmentName":"ExportedCall"}) as unknown as TypedDocumentString<ExportedCallFragment, unknown>;
export const ConsoleDestinationFragmentDoc = new TypedDocumentString(`
    fragment ConsoleDestination on Destination {
  name
  kind
  getsCalls
  url
  order
  enabled
  state
  disabledFor
  cursor
  lag
  waitingAlerts
  failures
  failingSince
  secondsToNext
  delivered
  skipped
  waitingLetters
  deadLetters
  lastAnswer {
    at
    status
    text
  }
}
    `, {"fragmentName":"ConsoleDestination"}) as unknown as TypedDocumentString<ConsoleDestinationFragment, unknown>;
export const LiveCallFragmentDoc = new TypedDocumentString(`
    fragment LiveCall on CallEnded {
  __typename
  cursor
  sessionId
  source
  receivedAt
  direction
  caller
  callee
  answerAt
  endAt
  answered
  hangupSide
  hungUpBy
  hangupReason
  taskId
  assistants {
    assistantId
  }
  unread {
    field
    text
  }
}
    `, {"fragmentName":"LiveCall"}) as unknown as TypedDocumentString<LiveCallFragment, unknown>;
export const ListedTaskFragmentDoc = new TypedDocumentString(`
    fragment ListedTask on Task {
  id
  taskId
  name
  status
  progress
  total
  createdAt
  callStats {
    numbersCalled
    numbersReached
  }
  unread {
    field
    text
  }
}
    `, {"fragmentName":"ListedTask"}) as unknown as TypedDocumentString<ListedTaskFragment, unknown>;
export const SentTaskFragmentDoc = new TypedDocumentString(`
    fragment SentTask on TaskSubmission {
  id
  name
  status
  assistantId
  numberCount
  leftOutCount
  submittedAt
  submittedBy
  taskId
  matchedBy
  calledAgainFrom {
    leftOut {
      reason
      people
    }
    withoutVariables
  }
  proposal {
    expiresAt
    lineIds
    periods
    startDate
    retryCount
    retryIntervalSeconds
    overridesAssistant
    skipDoNotCall
    decidedAt
    decidedBy
    declineReason
  }
}
    `, {"fragmentName":"SentTask"}) as unknown as TypedDocumentString<SentTaskFragment, unknown>;
export const ScheduleFragmentDoc = new TypedDocumentString(`
    fragment Schedule on TaskSchedule {
  timeZone
  startDate
  days
  periods {
    from
    to
    startsAt
    endsAt
  }
  begin
  startsAt
}
    `, {"fragmentName":"Schedule"}) as unknown as TypedDocumentString<ScheduleFragment, unknown>;
export const ConsoleOpenAlertsDocument = new TypedDocumentString(`
    query ConsoleOpenAlerts($language: AlertLanguage!, $taskIds: [ID!]) {
  alerts(first: 50, filter: { open: true, taskIds: $taskIds }) {
    pageInfo {
      hasNextPage
    }
    nodes {
      id
      rule
      text(language: $language)
      taskId
      destination
      raisedAt
      acknowledgedAt
      acknowledgedBy
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleOpenAlertsQuery, ConsoleOpenAlertsQueryVariables>;
export const ConsoleAcknowledgeDocument = new TypedDocumentString(`
    mutation ConsoleAcknowledge($id: ID!) {
  acknowledgeAlert(id: $id) {
    id
    acknowledgedAt
    acknowledgedBy
  }
}
    `) as unknown as TypedDocumentString<ConsoleAcknowledgeMutation, ConsoleAcknowledgeMutationVariables>;
export const ConsoleCallDocument = new TypedDocumentString(`
    query ConsoleCall($sessionId: ID!, $people: Boolean!, $recordings: Boolean!) {
  callEnded(sessionId: $sessionId) {
    ...CallDetails
    extra @include(if: $people)
    recording {
      id
      status
      failure
      bytes
      url @include(if: $recordings)
      urlExpiresAt @include(if: $recordings)
    }
    task {
      id
      name
      status
    }
  }
}
    fragment CallDetails on CallEnded {
  id
  cursor
  sessionId
  source
  receivedAt
  revision
  direction
  caller
  callee
  startAt
  answerAt
  endAt
  duration
  billsec
  ringTime
  answered
  hangupSide
  hungUpBy
  hangupReason
  taskId
  taskItemId
  assistants {
    assistantId
    versionId
    assistant {
      id
      name
    }
  }
  unread {
    field
    text
  }
}`) as unknown as TypedDocumentString<ConsoleCallQuery, ConsoleCallQueryVariables>;
export const ConsoleListedCallDocument = new TypedDocumentString(`
    query ConsoleListedCall($sessionId: ID!, $around: DateTime, $recordings: Boolean!) {
  callLog(sessionId: $sessionId, around: $around) {
    sessionId
    direction
    caller
    callee
    startAt
    answerAt
    endAt
    duration
    billsec
    answered
    taskId
    recordFile @include(if: $recordings)
    recording {
      id
      status
      failure
      bytes
      url @include(if: $recordings)
      urlExpiresAt @include(if: $recordings)
    }
    task {
      id
      name
      status
    }
    assistants {
      assistantId
      versionId
      assistant {
        id
        name
      }
    }
    unread {
      field
      text
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleListedCallQuery, ConsoleListedCallQueryVariables>;
export const ConsoleRevisionsDocument = new TypedDocumentString(`
    query ConsoleRevisions($filter: CallEndedFilter!) {
  callEndedEvents(first: 100, filter: $filter, revisions: true) {
    nodes {
      sessionId
      revision
      source
      receivedAt
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleRevisionsQuery, ConsoleRevisionsQueryVariables>;
export const ConsoleAttemptsDocument = new TypedDocumentString(`
    query ConsoleAttempts($filter: CallEndedFilter!) {
  callEndedEvents(first: 10, order: NEWEST_FIRST, filter: $filter) {
    pageInfo {
      hasNextPage
    }
    nodes {
      sessionId
      source
      direction
      startAt
      answerAt
      endAt
      answered
      hangupSide
      hungUpBy
      hangupReason
      unread {
        field
        text
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleAttemptsQuery, ConsoleAttemptsQueryVariables>;
export const ConsoleNamesDocument = new TypedDocumentString(`
    query ConsoleNames {
  assistants(first: 100) {
    nodes {
      assistantId
      name
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleNamesQuery, ConsoleNamesQueryVariables>;
export const ConsoleTaskNamesDocument = new TypedDocumentString(`
    query ConsoleTaskNames($taskIds: [ID!]!) {
  tasksByIds(taskIds: $taskIds) {
    taskId
    name
  }
}
    `) as unknown as TypedDocumentString<ConsoleTaskNamesQuery, ConsoleTaskNamesQueryVariables>;
export const ConsoleKnownTasksDocument = new TypedDocumentString(`
    query ConsoleKnownTasks {
  tasks(first: 50) {
    nodes {
      taskId
      name
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleKnownTasksQuery, ConsoleKnownTasksQueryVariables>;
export const ConsoleSessionDocument = new TypedDocumentString(`
    query ConsoleSession {
  viewer {
    name
    scopes
  }
  serviceTimeZone
}
    `) as unknown as TypedDocumentString<ConsoleSessionQuery, ConsoleSessionQueryVariables>;
export const ConsoleReachableDocument = new TypedDocumentString(`
    query ConsoleReachable {
  viewer {
    name
  }
}
    `) as unknown as TypedDocumentString<ConsoleReachableQuery, ConsoleReachableQueryVariables>;
export const ConsoleFactsDocument = new TypedDocumentString(`
    query ConsoleFacts($calls: Boolean!) {
  gateway {
    upstream
    serviceFailingSince
    tokenRefused
    timesAheadMinutes
    webhooks {
      lastAcceptedAt
      acceptedLastMinute
      refusedLastMinute
      unreadableInARow
      refused {
        since
        count
        reasons {
          reason
          count
        }
      }
    }
  }
  callEndedEvents(first: 10, order: NEWEST_FIRST, imported: false) @include(if: $calls) {
    nodes {
      source
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleFactsQuery, ConsoleFactsQueryVariables>;
export const ConsoleServiceAnswersDocument = new TypedDocumentString(`
    query ConsoleServiceAnswers {
  callLogs(first: 1) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<ConsoleServiceAnswersQuery, ConsoleServiceAnswersQueryVariables>;
export const ConsoleAuditDocument = new TypedDocumentString(`
    query ConsoleAudit($first: Int!, $after: String, $filter: AuditEventFilter) {
  auditEvents(first: $first, after: $after, filter: $filter) {
    nodes {
      ...AuditEntry
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment AuditEntry on AuditEvent {
  id
  at
  actor
  action
  count
  subjectId
  via
  tool
  client
}`) as unknown as TypedDocumentString<ConsoleAuditQuery, ConsoleAuditQueryVariables>;
export const ConsoleAuditEntryDocument = new TypedDocumentString(`
    query ConsoleAuditEntry($id: ID!) {
  node(id: $id) {
    __typename
    ... on AuditEvent {
      ...AuditEntry
    }
  }
}
    fragment AuditEntry on AuditEvent {
  id
  at
  actor
  action
  count
  subjectId
  via
  tool
  client
}`) as unknown as TypedDocumentString<ConsoleAuditEntryQuery, ConsoleAuditEntryQueryVariables>;
export const ConsoleAuditedCallDocument = new TypedDocumentString(`
    query ConsoleAuditedCall($id: ID!) {
  node(id: $id) {
    ... on CallEnded {
      sessionId
    }
    ... on Recording {
      sessionId
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleAuditedCallQuery, ConsoleAuditedCallQueryVariables>;
export const ConsoleCallsDocument = new TypedDocumentString(`
    query ConsoleCalls($first: Int!, $after: String, $filter: CallLogFilter!, $byPhone: Boolean!) {
  callLogs(first: $first, after: $after, filter: $filter) {
    totalCount
    driftDetected
    headCursor
    phoneWritings @include(if: $byPhone) {
      text
      totalCount
    }
    pageInfo {
      endCursor
      hasNextPage
    }
    nodes {
      ...ListedCall
    }
  }
}
    fragment ListedCall on CallLog {
  id
  sessionId
  taskId
  direction
  caller
  callee
  startAt
  answerAt
  endAt
  answered
  assistants {
    assistantId
  }
  callEnded {
    source
    hungUpBy
    hangupReason
  }
  unread {
    field
    text
  }
}`) as unknown as TypedDocumentString<ConsoleCallsQuery, ConsoleCallsQueryVariables>;
export const ConsoleExportDocument = new TypedDocumentString(`
    query ConsoleExport($first: Int!, $after: String, $filter: CallLogFilter!, $people: Boolean!) {
  callLogs(first: $first, after: $after, filter: $filter) {
    totalCount
    driftDetected
    pageInfo {
      endCursor
      hasNextPage
    }
    nodes {
      ...ExportedCall
    }
  }
}
    fragment ExportedCall on CallLog {
  sessionId
  taskId
  direction
  caller
  callee
  startAt
  answerAt
  endAt
  duration
  billsec
  answered
  assistants {
    assistantId
    versionId
  }
  callEnded {
    source
    hangupSide
    hungUpBy
    hangupReason
    ringTime
    taskItemId
    extra @include(if: $people)
  }
  unread {
    field
    text
  }
}`) as unknown as TypedDocumentString<ConsoleExportQuery, ConsoleExportQueryVariables>;
export const ConsoleEndedSinceDocument = new TypedDocumentString(`
    subscription ConsoleEndedSince($after: String, $filter: CallEndedFilter) {
  callEndedStream(after: $after, filter: $filter) {
    __typename
    cursor
    ... on StreamGap {
      after
    }
    ... on CallEnded {
      sessionId
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleEndedSinceSubscription, ConsoleEndedSinceSubscriptionVariables>;
export const ConsoleDestinationsDocument = new TypedDocumentString(`
    query ConsoleDestinations {
  destinations {
    ...ConsoleDestination
  }
}
    fragment ConsoleDestination on Destination {
  name
  kind
  getsCalls
  url
  order
  enabled
  state
  disabledFor
  cursor
  lag
  waitingAlerts
  failures
  failingSince
  secondsToNext
  delivered
  skipped
  waitingLetters
  deadLetters
  lastAnswer {
    at
    status
    text
  }
}`) as unknown as TypedDocumentString<ConsoleDestinationsQuery, ConsoleDestinationsQueryVariables>;
export const ConsoleDestinationLettersDocument = new TypedDocumentString(`
    query ConsoleDestinationLetters($name: String!, $after: String) {
  destinationLetters(name: $name, first: 20, after: $after) {
    cursor
    attempts
    firstAt
    secondsToNext
    event {
      sessionId
      endAt
      caller
      callee
      answered
    }
    lastAnswer {
      at
      status
      text
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleDestinationLettersQuery, ConsoleDestinationLettersQueryVariables>;
export const ConsolePauseDestinationDocument = new TypedDocumentString(`
    mutation ConsolePauseDestination($name: String!) {
  pauseDestination(name: $name) {
    name
  }
}
    `) as unknown as TypedDocumentString<ConsolePauseDestinationMutation, ConsolePauseDestinationMutationVariables>;
export const ConsoleResumeDestinationDocument = new TypedDocumentString(`
    mutation ConsoleResumeDestination($name: String!, $after: String, $since: DateTime) {
  resumeDestination(name: $name, after: $after, since: $since) {
    name
  }
}
    `) as unknown as TypedDocumentString<ConsoleResumeDestinationMutation, ConsoleResumeDestinationMutationVariables>;
export const ConsoleTestDestinationDocument = new TypedDocumentString(`
    mutation ConsoleTestDestination($name: String!) {
  testDestination(name: $name) {
    at
    status
    text
  }
}
    `) as unknown as TypedDocumentString<ConsoleTestDestinationMutation, ConsoleTestDestinationMutationVariables>;
export const ConsoleSendLetterDocument = new TypedDocumentString(`
    mutation ConsoleSendLetter($name: String!, $cursor: String!) {
  sendDestinationLetter(name: $name, cursor: $cursor)
}
    `) as unknown as TypedDocumentString<ConsoleSendLetterMutation, ConsoleSendLetterMutationVariables>;
export const ConsoleGatewayStatusDocument = new TypedDocumentString(`
    query ConsoleGatewayStatus {
  gateway {
    version
    subscribers
    quarantined
    eventNames {
      name
      isEnd
    }
    events {
      events
      reconciled
      lastReceivedAt
      newestCursor
    }
    recordings {
      archived
      pending
      lost
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleGatewayStatusQuery, ConsoleGatewayStatusQueryVariables>;
export const ConsoleAgentUsesDocument = new TypedDocumentString(`
    query ConsoleAgentUses {
  gateway {
    agentUses {
      viewer
      client
      tool
      calls
      failed
      lastAt
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleAgentUsesQuery, ConsoleAgentUsesQueryVariables>;
export const ConsoleGatewayDayDocument = new TypedDocumentString(`
    query ConsoleGatewayDay {
  gateway {
    lastDay {
      start
      webhooks
      reconciled
      unreadable
      meanDelaySeconds
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleGatewayDayQuery, ConsoleGatewayDayQueryVariables>;
export const ConsoleNewestCallDocument = new TypedDocumentString(`
    query ConsoleNewestCall {
  callEndedEvents(first: 1, order: NEWEST_FIRST, imported: false) {
    nodes {
      endAt
      receivedAt
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleNewestCallQuery, ConsoleNewestCallQueryVariables>;
export const ConsoleQuarantineDocument = new TypedDocumentString(`
    query ConsoleQuarantine($after: String, $kind: QuarantineKind!) {
  quarantinedDeliveries(first: 20, after: $after, kind: $kind) {
    nodes {
      id
      receivedAt
      kind
      reason
      charset
      body
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleQuarantineQuery, ConsoleQuarantineQueryVariables>;
export const ConsoleReprocessDocument = new TypedDocumentString(`
    mutation ConsoleReprocess($id: ID!, $charset: String) {
  reprocessQuarantined(id: $id, charset: $charset) {
    reason
    event {
      sessionId
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleReprocessMutation, ConsoleReprocessMutationVariables>;
export const ConsoleDiscardDocument = new TypedDocumentString(`
    mutation ConsoleDiscard($id: ID!) {
  discardQuarantined(id: $id) {
    delivery {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleDiscardMutation, ConsoleDiscardMutationVariables>;
export const ConsoleHistoryImportDocument = new TypedDocumentString(`
    query ConsoleHistoryImport {
  gateway {
    lacksHistory
  }
  historyImport {
    state
    problem
    progress
    secondsLeft
    windows
    calls
    tooOld
    leftOut
  }
}
    `) as unknown as TypedDocumentString<ConsoleHistoryImportQuery, ConsoleHistoryImportQueryVariables>;
export const ConsoleImportHistoryDocument = new TypedDocumentString(`
    mutation ConsoleImportHistory($since: DateTime!) {
  importHistory(since: $since) {
    isNew
  }
}
    `) as unknown as TypedDocumentString<ConsoleImportHistoryMutation, ConsoleImportHistoryMutationVariables>;
export const ConsoleCancelImportDocument = new TypedDocumentString(`
    mutation ConsoleCancelImport {
  cancelHistoryImport {
    state
  }
}
    `) as unknown as TypedDocumentString<ConsoleCancelImportMutation, ConsoleCancelImportMutationVariables>;
export const ConsoleWebhookTestDocument = new TypedDocumentString(`
    mutation ConsoleWebhookTest {
  createWebhookTest {
    authorization
    path
    bytes
  }
}
    `) as unknown as TypedDocumentString<ConsoleWebhookTestMutation, ConsoleWebhookTestMutationVariables>;
export const ConsoleHistoryHintDocument = new TypedDocumentString(`
    query ConsoleHistoryHint {
  gateway {
    lacksHistory
  }
}
    `) as unknown as TypedDocumentString<ConsoleHistoryHintQuery, ConsoleHistoryHintQueryVariables>;
export const ConsoleLiveStartDocument = new TypedDocumentString(`
    query ConsoleLiveStart($filter: CallEndedFilter) {
  callEndedEvents(
    first: 100
    order: NEWEST_FIRST
    filter: $filter
    imported: false
  ) {
    headCursor
    nodes {
      ...LiveCall
    }
  }
}
    fragment LiveCall on CallEnded {
  __typename
  cursor
  sessionId
  source
  receivedAt
  direction
  caller
  callee
  answerAt
  endAt
  answered
  hangupSide
  hungUpBy
  hangupReason
  taskId
  assistants {
    assistantId
  }
  unread {
    field
    text
  }
}`) as unknown as TypedDocumentString<ConsoleLiveStartQuery, ConsoleLiveStartQueryVariables>;
export const ConsoleLiveDocument = new TypedDocumentString(`
    subscription ConsoleLive($after: String, $filter: CallEndedFilter) {
  callEndedStream(after: $after, filter: $filter) {
    __typename
    cursor
    ... on StreamGap {
      after
    }
    ... on CallEnded {
      ...LiveCall
    }
  }
}
    fragment LiveCall on CallEnded {
  __typename
  cursor
  sessionId
  source
  receivedAt
  direction
  caller
  callee
  answerAt
  endAt
  answered
  hangupSide
  hungUpBy
  hangupReason
  taskId
  assistants {
    assistantId
  }
  unread {
    field
    text
  }
}`) as unknown as TypedDocumentString<ConsoleLiveSubscription, ConsoleLiveSubscriptionVariables>;
export const ConsoleLiveChartsDocument = new TypedDocumentString(`
    query ConsoleLiveCharts($filter: CallEndedFilter!, $timeZone: String!) {
  callStats(filter: $filter) {
    calls
    answered
    timeline(bucket: MINUTE, timeZone: $timeZone) {
      start
      calls
      answered
    }
    byHangupReason(first: 5) {
      reason
      calls
      answered
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleLiveChartsQuery, ConsoleLiveChartsQueryVariables>;
export const ConsoleForgetPhoneDocument = new TypedDocumentString(`
    mutation ConsoleForgetPhone($number: String!, $neverCall: Boolean!, $dryRun: Boolean!) {
  forgetPhone(number: $number, addToDoNotCall: $neverCall, dryRun: $dryRun) {
    calls
    events
    rawDeliveries
    recordings
    quarantined
    submissions
    proposals
  }
}
    `) as unknown as TypedDocumentString<ConsoleForgetPhoneMutation, ConsoleForgetPhoneMutationVariables>;
export const ConsoleNeverCallCountDocument = new TypedDocumentString(`
    query ConsoleNeverCallCount {
  doNotCall {
    count
  }
}
    `) as unknown as TypedDocumentString<ConsoleNeverCallCountQuery, ConsoleNeverCallCountQueryVariables>;
export const ConsoleNeverCallNumberDocument = new TypedDocumentString(`
    query ConsoleNeverCallNumber($number: String!) {
  doNotCall {
    contains(number: $number)
  }
}
    `) as unknown as TypedDocumentString<ConsoleNeverCallNumberQuery, ConsoleNeverCallNumberQueryVariables>;
export const ConsoleAddNeverCallDocument = new TypedDocumentString(`
    mutation ConsoleAddNeverCall($numbers: [String!]!) {
  addToDoNotCall(numbers: $numbers) {
    changed
    unreadable
  }
}
    `) as unknown as TypedDocumentString<ConsoleAddNeverCallMutation, ConsoleAddNeverCallMutationVariables>;
export const ConsoleRemoveNeverCallDocument = new TypedDocumentString(`
    mutation ConsoleRemoveNeverCall($numbers: [String!]!) {
  removeFromDoNotCall(numbers: $numbers) {
    changed
    unreadable
  }
}
    `) as unknown as TypedDocumentString<ConsoleRemoveNeverCallMutation, ConsoleRemoveNeverCallMutationVariables>;
export const ConsoleStatisticsDocument = new TypedDocumentString(`
    query ConsoleStatistics($filter: CallEndedFilter!, $before: CallEndedFilter!, $bucket: TimeBucket!, $timeZone: String!) {
  callStats(filter: $filter) {
    calls
    answered
    numbersCalled
    numbersReached
    timeline(bucket: $bucket, timeZone: $timeZone) {
      start
      calls
      answered
    }
    byTask(first: 10) {
      taskId
      calls
      answered
    }
    byHangupReason(first: 10) {
      reason
      calls
      answered
    }
    byAssistant(first: 10) {
      assistantId
      calls
      answered
    }
  }
  before: callStats(filter: $before) {
    calls
    answered
    numbersCalled
    numbersReached
  }
  log: callStats {
    since
  }
}
    `) as unknown as TypedDocumentString<ConsoleStatisticsQuery, ConsoleStatisticsQueryVariables>;
export const ConsoleTasksDocument = new TypedDocumentString(`
    query ConsoleTasks($after: String) {
  tasks(first: 25, after: $after) {
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      ...ListedTask
    }
  }
}
    fragment ListedTask on Task {
  id
  taskId
  name
  status
  progress
  total
  createdAt
  callStats {
    numbersCalled
    numbersReached
  }
  unread {
    field
    text
  }
}`) as unknown as TypedDocumentString<ConsoleTasksQuery, ConsoleTasksQueryVariables>;
export const ConsoleChangedTasksDocument = new TypedDocumentString(`
    query ConsoleChangedTasks($taskIds: [ID!]!) {
  tasksByIds(taskIds: $taskIds) {
    ...ListedTask
  }
}
    fragment ListedTask on Task {
  id
  taskId
  name
  status
  progress
  total
  createdAt
  callStats {
    numbersCalled
    numbersReached
  }
  unread {
    field
    text
  }
}`) as unknown as TypedDocumentString<ConsoleChangedTasksQuery, ConsoleChangedTasksQueryVariables>;
export const ConsoleEndedTaskCallsDocument = new TypedDocumentString(`
    subscription ConsoleEndedTaskCalls($after: String) {
  callEndedStream(after: $after) {
    __typename
    cursor
    ... on StreamGap {
      after
    }
    ... on CallEnded {
      taskId
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleEndedTaskCallsSubscription, ConsoleEndedTaskCallsSubscriptionVariables>;
export const ConsoleSentTasksDocument = new TypedDocumentString(`
    query ConsoleSentTasks {
  taskSubmissions(first: 20) {
    nodes {
      id
      name
      status
      numberCount
      submittedAt
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleSentTasksQuery, ConsoleSentTasksQueryVariables>;
export const ConsoleTaskDocument = new TypedDocumentString(`
    subscription ConsoleTask($taskId: ID!, $timeZone: String!) {
  taskProgress(taskId: $taskId) {
    ...ListedTask
    updatedAt
    collectionRate
    summary
    suggestion
    assistant {
      id
      assistantId
      versionId
      name
    }
    option {
      lineIds
      periods
      startDate
      retryCount
      retryInterval
    }
    taskCalls: callStats {
      calls
      answered
      since
      byHangupReason(first: 8) {
        reason
        calls
      }
      timeline(bucket: HOUR, timeZone: $timeZone) {
        start
        calls
        answered
      }
    }
  }
}
    fragment ListedTask on Task {
  id
  taskId
  name
  status
  progress
  total
  createdAt
  callStats {
    numbersCalled
    numbersReached
  }
  unread {
    field
    text
  }
}`) as unknown as TypedDocumentString<ConsoleTaskSubscription, ConsoleTaskSubscriptionVariables>;
export const ConsoleTaskPeopleDocument = new TypedDocumentString(`
    query ConsoleTaskPeople($taskId: ID!) {
  task(taskId: $taskId) {
    recipientCounts {
      recipients
      byOutcome {
        outcome
        recipients
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleTaskPeopleQuery, ConsoleTaskPeopleQueryVariables>;
export const ConsoleTalksDocument = new TypedDocumentString(`
    query ConsoleTalks($taskId: ID!, $after: String) {
  callEndedEvents(
    first: 100
    after: $after
    filter: { taskIds: [$taskId], answered: true }
  ) {
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      taskItemId
      answerAt
      endAt
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleTalksQuery, ConsoleTalksQueryVariables>;
export const ConsoleSubmissionDocument = new TypedDocumentString(`
    subscription ConsoleSubmission($id: ID!) {
  taskSubmission(id: $id) {
    ...SentTask
  }
}
    fragment SentTask on TaskSubmission {
  id
  name
  status
  assistantId
  numberCount
  leftOutCount
  submittedAt
  submittedBy
  taskId
  matchedBy
  calledAgainFrom {
    leftOut {
      reason
      people
    }
    withoutVariables
  }
  proposal {
    expiresAt
    lineIds
    periods
    startDate
    retryCount
    retryIntervalSeconds
    overridesAssistant
    skipDoNotCall
    decidedAt
    decidedBy
    declineReason
  }
}`) as unknown as TypedDocumentString<ConsoleSubmissionSubscription, ConsoleSubmissionSubscriptionVariables>;
export const ConsoleProposedWordsDocument = new TypedDocumentString(`
    query ConsoleProposedWords($id: ID!, $reads: Boolean!, $prompts: Boolean!) {
  taskSubmission(id: $id) {
    id
    proposal {
      assistantOverride {
        welcome
        changesPrompt
        prompt @include(if: $prompts)
        language
        speakerId
      }
      assistant @include(if: $reads) {
        id
        welcome
        prompt @include(if: $prompts)
        speakerId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleProposedWordsQuery, ConsoleProposedWordsQueryVariables>;
export const ConsoleSubmissionByKeyDocument = new TypedDocumentString(`
    query ConsoleSubmissionByKey($key: String!) {
  taskSubmissionByKey(idempotencyKey: $key) {
    ...SentTask
  }
}
    fragment SentTask on TaskSubmission {
  id
  name
  status
  assistantId
  numberCount
  leftOutCount
  submittedAt
  submittedBy
  taskId
  matchedBy
  calledAgainFrom {
    leftOut {
      reason
      people
    }
    withoutVariables
  }
  proposal {
    expiresAt
    lineIds
    periods
    startDate
    retryCount
    retryIntervalSeconds
    overridesAssistant
    skipDoNotCall
    decidedAt
    decidedBy
    declineReason
  }
}`) as unknown as TypedDocumentString<ConsoleSubmissionByKeyQuery, ConsoleSubmissionByKeyQueryVariables>;
export const ConsoleTaskChoicesDocument = new TypedDocumentString(`
    query ConsoleTaskChoices {
  assistants(first: 100) {
    hasMore
    nodes {
      assistantId
      name
      knownFrom
    }
  }
  lines(first: 100) {
    hasMore
    nodes {
      lineId
      name
      knownFrom
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleTaskChoicesQuery, ConsoleTaskChoicesQueryVariables>;
export const ConsoleProposalsDocument = new TypedDocumentString(`
    query ConsoleProposals($after: String) {
  taskSubmissions(first: 100, after: $after) {
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      id
      name
      status
      numberCount
      submittedAt
      submittedBy
      proposal {
        expiresAt
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConsoleProposalsQuery, ConsoleProposalsQueryVariables>;
export const ConsoleApproveTaskDocument = new TypedDocumentString(`
    mutation ConsoleApproveTask($id: ID!) {
  approveTask(id: $id) {
    replayed
    submission {
      ...SentTask
    }
    errors {
      code
      message
    }
  }
}
    fragment SentTask on TaskSubmission {
  id
  name
  status
  assistantId
  numberCount
  leftOutCount
  submittedAt
  submittedBy
  taskId
  matchedBy
  calledAgainFrom {
    leftOut {
      reason
      people
    }
    withoutVariables
  }
  proposal {
    expiresAt
    lineIds
    periods
    startDate
    retryCount
    retryIntervalSeconds
    overridesAssistant
    skipDoNotCall
    decidedAt
    decidedBy
    declineReason
  }
}`) as unknown as TypedDocumentString<ConsoleApproveTaskMutation, ConsoleApproveTaskMutationVariables>;
export const ConsoleDeclineTaskDocument = new TypedDocumentString(`
    mutation ConsoleDeclineTask($id: ID!, $reason: String) {
  declineTask(id: $id, reason: $reason) {
    replayed
    submission {
      ...SentTask
    }
    errors {
      code
      message
    }
  }
}
    fragment SentTask on TaskSubmission {
  id
  name
  status
  assistantId
  numberCount
  leftOutCount
  submittedAt
  submittedBy
  taskId
  matchedBy
  calledAgainFrom {
    leftOut {
      reason
      people
    }
    withoutVariables
  }
  proposal {
    expiresAt
    lineIds
    periods
    startDate
    retryCount
    retryIntervalSeconds
    overridesAssistant
    skipDoNotCall
    decidedAt
    decidedBy
    declineReason
  }
}`) as unknown as TypedDocumentString<ConsoleDeclineTaskMutation, ConsoleDeclineTaskMutationVariables>;
export const ConsoleCheckTaskDocument = new TypedDocumentString(`
    mutation ConsoleCheckTask($input: CheckTaskInput!) {
  checkTask(input: $input) {
    errors {
      code
      message
      path
    }
    people
    countries {
      countryCode
      people
    }
    schedule {
      ...Schedule
    }
    calledAgainFrom {
      leftOut {
        reason
        people
      }
      withoutVariables
    }
  }
}
    fragment Schedule on TaskSchedule {
  timeZone
  startDate
  days
  periods {
    from
    to
    startsAt
    endsAt
  }
  begin
  startsAt
}`) as unknown as TypedDocumentString<ConsoleCheckTaskMutation, ConsoleCheckTaskMutationVariables>;
export const ConsoleProposedPlanDocument = new TypedDocumentString(`
    query ConsoleProposedPlan($id: ID!) {
  taskSubmission(id: $id) {
    id
    proposal {
      countries {
        countryCode
        people
      }
      schedule {
        ...Schedule
      }
    }
  }
}
    fragment Schedule on TaskSchedule {
  timeZone
  startDate
  days
  periods {
    from
    to
    startsAt
    endsAt
  }
  begin
  startsAt
}`) as unknown as TypedDocumentString<ConsoleProposedPlanQuery, ConsoleProposedPlanQueryVariables>;