export type Maybe<T> = T | null;
export type InputMaybe<T> = Maybe<T>;
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** An instant in the format of RFC 3339. Outputs are UTC with milliseconds: 2026-11-20T09:30:00.000Z. Inputs may have any offset. */
  DateTime: { input: string; output: string; }
  /** A JSON object, passed through unchanged. An integer beyond 2^53 becomes a string of its digits. */
  JSONObject: { input: Record<string, unknown>; output: Record<string, unknown>; }
};

/** How one client of a viewer has used one tool for agents, since the process that answers was started. */
export type AgentUse = {
  __typename: 'AgentUse';
  /** Number of calls of the tool. */
  calls: Scalars['Int']['output'];
  /** The client, as it names itself, which nobody checks. Null: it did not. */
  client: Maybe<Scalars['String']['output']>;
  /** Number of those calls that were answered with an error. */
  failed: Scalars['Int']['output'];
  /** When the last call was answered. */
  lastAt: Scalars['DateTime']['output'];
  /** The name of the tool. */
  tool: Scalars['String']['output'];
  /** The viewer: the name of its API key, or of the subject of its token. */
  viewer: Scalars['String']['output'];
};

/** Something that went wrong with calls or with what is sent on, as a rule of ALERTS_FILE has found. It holds no phone number. */
export type Alert = Node & {
  __typename: 'Alert';
  /** When somebody first said to have seen to it. Null: nobody has. */
  acknowledgedAt: Maybe<Scalars['DateTime']['output']>;
  /** The viewer that did: the name of its API key, or of the subject of its token. A name with a number in it is masked without the scope people:read. */
  acknowledgedBy: Maybe<Scalars['String']['output']>;
  /** The service's ID of the assistant. Null: it is about other calls. */
  assistantId: Maybe<Scalars['ID']['output']>;
  /** Number of calls, or recordings, in which it was found. 0: it is about neither. */
  calls: Scalars['Float']['output'];
  /** The name of the destination that takes nothing. Null: it is about something else. Only viewers with the scope admin see alerts about destinations. */
  destination: Maybe<Scalars['String']['output']>;
  /** Why it is over. Null: it is open. */
  ending: Maybe<AlertEnding>;
  /** The graph's own id. */
  id: Scalars['ID']['output'];
  /** The name of the API key whose limit is nearly used. Null: it is about calls. A name with a number in it is masked without the scope people:read. */
  key: Maybe<Scalars['String']['output']>;
  /** What the rule watches. */
  kind: Maybe<AlertKind>;
  /** When it was raised, by the time of the call that decided. */
  raisedAt: Scalars['DateTime']['output'];
  /** When it was over. Null: it is open. */
  resolvedAt: Maybe<Scalars['DateTime']['output']>;
  /** The name of the rule. */
  rule: Scalars['String']['output'];
  /** The task. Null: it is about other calls. */
  task: Maybe<Task>;
  /** The service's ID of the task. Null: it is about other calls. */
  taskId: Maybe<Scalars['ID']['output']>;
  /** What it says, in a sentence. */
  text: Scalars['String']['output'];
  /** The limit of the rule, in the unit. */
  threshold: Scalars['Float']['output'];
  /** What the value and the threshold count. */
  unit: AlertUnit;
  /** What was found, in the unit. */
  value: Scalars['Float']['output'];
};


/** Something that went wrong with calls or with what is sent on, as a rule of ALERTS_FILE has found. It holds no phone number. */
export type AlertTextArgs = {
  language?: AlertLanguage;
};

/** A page of alerts. */
export type AlertConnection = {
  __typename: 'AlertConnection';
  /** The entries of this page, each with its cursor. */
  edges: Array<AlertEdge>;
  /** The entries of this page, without their cursors. */
  nodes: Array<Alert>;
  /** The place of this page. */
  pageInfo: PageInfo;
};

/** An alert and its cursor. */
export type AlertEdge = {
  __typename: 'AlertEdge';
  /** Pass it as after to continue with the next entry. */
  cursor: Scalars['String']['output'];
  /** The alert. */
  node: Alert;
};

/** Why an alert is over. New values may be added. */
export type AlertEnding =
  /** The task has stopped, or its hours are over; or the destination was paused, switched off, disabled or resumed. */
  | 'NOT_RUNNING'
  /** No call ended, or no recording was stored or lost, for a day. */
  | 'NO_CALLS'
  /** The hour or day of the limit is over; or the task may call again, its next hours are over, or three days passed. */
  | 'PERIOD_OVER'
  /** The condition was good again, and the cool-down of the rule was over; fewer people are left; or the destination takes what is sent. */
  | 'RECOVERED'
  /** The rule is no longer in the file, counts other calls, or does not watch the task or the destination any more. */
  | 'RULE_CHANGED';

/** An alert must match every given field; null matches all alerts. */
export type AlertFilter = {
  /** Alerts about one of these assistants, by the service's IDs. At most 100; an empty list matches nothing. */
  assistantIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** True: open alerts. False: those that are over. */
  open?: InputMaybe<Scalars['Boolean']['input']>;
  /** Alerts about one of these tasks, by the service's IDs. At most 100; an empty list matches nothing. */
  taskIds?: InputMaybe<Array<Scalars['ID']['input']>>;
};

/** What a rule watches. New values may be added. */
export type AlertKind =
  /** The share of calls that were answered. */
  | 'ANSWER_RATE'
  /** Destinations that take nothing although something is sent to them, or that were disabled. */
  | 'DESTINATION_FAILS'
  /** The share of calls that ended with one of some reasons. */
  | 'HANG_UP_REASON'
  /** The share of a limit that a key has used in an hour or a day. */
  | 'KEY_LIMIT'
  /** Tasks of which no call ends although they run, in their hours. */
  | 'NO_CALLS'
  /** Tasks whose hours are over, or which the service has stopped, while people are still to be called. */
  | 'PEOPLE_LEFT'
  /** Recordings that could not be stored. */
  | 'RECORDINGS_LOST';

/** A language of texts of alerts. */
export type AlertLanguage =
  /** English. */
  | 'EN'
  /** Chinese. */
  | 'ZH';

/** A rule of ALERTS_FILE. */
export type AlertRule = {
  __typename: 'AlertRule';
  /** Why it can never apply, or not to all that it names or watches. Empty: nothing is known. */
  doubts: Array<Scalars['String']['output']>;
  /** What it watches. */
  kind: Maybe<AlertKind>;
  /** The name of the rule. */
  name: Scalars['String']['output'];
};

/** What the value and the threshold of an alert count. New values may be added. */
export type AlertUnit =
  /** A number of recordings or people. */
  | 'COUNT'
  /** Minutes without the end of a call, or in which a destination took nothing. */
  | 'MINUTES'
  /** A share, from 0 to 1. */
  | 'SHARE';

/** One version of an assistant, as a task of that version showed it. Its websocketToken is a secret and is not in this graph. A field is null where the service does not state it. */
export type Assistant = Node & {
  __typename: 'Assistant';
  /** The service's ID of the assistant, the same for all of its versions. */
  assistantId: Scalars['ID']['output'];
  /** The questions that it asks in a call. */
  collect: Array<CollectItem>;
  /** When this version was created. */
  createdAt: Maybe<Scalars['DateTime']['output']>;
  /** The e-mail address of the person who created it. Needs the scope people:read. */
  creatorEmail: Maybe<Scalars['String']['output']>;
  /** The service's ID of the person who created it. */
  creatorId: Maybe<Scalars['ID']['output']>;
  /** When it was deleted. Null while it exists. */
  deletedAt: Maybe<Scalars['DateTime']['output']>;
  /** The graph's own id. Each version of an assistant has its own. */
  id: Scalars['ID']['output'];
  /** Whether the service calls it an old version. */
  isOldVersion: Maybe<Scalars['Boolean']['output']>;
  /** The knowledge that it answers from. Needs the scope assistants:prompts. */
  knowledge: Maybe<Scalars['String']['output']>;
  /** The service's ID of its listener. */
  listenerId: Maybe<Scalars['ID']['output']>;
  /** The name of the assistant. */
  name: Maybe<Scalars['String']['output']>;
  /** The service's ID of its project. */
  projectId: Maybe<Scalars['ID']['output']>;
  /** The system prompt. Needs the scope assistants:prompts. */
  prompt: Maybe<Scalars['String']['output']>;
  /** The scene it was made for. */
  scene: Maybe<Scalars['String']['output']>;
  /** The service's ID of its voice. */
  speakerId: Maybe<Scalars['ID']['output']>;
  /** When this version was last changed. */
  updatedAt: Maybe<Scalars['DateTime']['output']>;
  /** How often it was used, as the service counts. */
  usageCount: Maybe<Scalars['Int']['output']>;
  /** The service's ID of this version. */
  versionId: Scalars['ID']['output'];
  /** The address of its WebSocket, without credentials, query and fragment. */
  websocketUrl: Maybe<Scalars['String']['output']>;
  /** The opening line. */
  welcome: Maybe<Scalars['String']['output']>;
};

/** The calls that one assistant handled. A call of several assistants counts for each. */
export type AssistantCount = {
  __typename: 'AssistantCount';
  /** Number of those calls that were answered. */
  answered: Scalars['Int']['output'];
  /** The service's ID of the assistant. */
  assistantId: Scalars['ID']['output'];
  /** Number of calls. */
  calls: Scalars['Int']['output'];
};

/** Settings of the new version of the assistant. A field that is null keeps the assistant's own setting. */
export type AssistantGlobalConfigInput = {
  /** The language it speaks. */
  language?: InputMaybe<Language>;
  /** The system prompt. */
  prompt?: InputMaybe<Scalars['String']['input']>;
  /** The opening line. */
  welcome?: InputMaybe<Scalars['String']['input']>;
};

/** What a proposed task changes of its assistant. A field is null where the assistant's own setting stays. */
export type AssistantOverride = {
  __typename: 'AssistantOverride';
  /** Whether the system prompt is another one. */
  changesPrompt: Scalars['Boolean']['output'];
  /** The language it speaks. */
  language: Maybe<Language>;
  /** The system prompt. Needs the scope assistants:prompts. */
  prompt: Maybe<Scalars['String']['output']>;
  /** The service's ID of its voice. */
  speakerId: Maybe<Scalars['ID']['output']>;
  /** The opening line. */
  welcome: Maybe<Scalars['String']['output']>;
};

/** Creates a new version of the assistant for this task. A field that is null keeps the assistant's own. */
export type AssistantOverrideInput = {
  /** Other settings. */
  globalConfig?: InputMaybe<AssistantGlobalConfigInput>;
  /** The service's ID of another voice. */
  speakerId?: InputMaybe<Scalars['ID']['input']>;
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

/** What a viewer did, without phone numbers. The gateway keeps it for 400 days. */
export type AuditEvent = Node & {
  __typename: 'AuditEvent';
  /** What the viewer did. */
  action: AuditAction;
  /** The viewer: the name of its API key, or of the subject of its token. A name with a number in it is masked without the scope people:read. */
  actor: Scalars['String']['output'];
  /** When it happened. */
  at: Scalars['DateTime']['output'];
  /** The agent's program, as it names itself: the gateway does not check it. At most 64 visible characters of ASCII, with numbers masked. Null where it does not, and unless via is MCP. */
  client: Maybe<Scalars['String']['output']>;
  /** TASK_SUBMITTED, TASK_PROPOSED, TASK_APPROVED, TASK_DECLINED, TASK_EXPIRED: the count of the task's numbers. PHONE_FORGOTTEN: the count of erased events, revisions included. DELIVERIES_REREAD: the count of revisions that were appended. DO_NOT_CALL_ADDED, DO_NOT_CALL_REMOVED: the count of changed entries. Otherwise 1. */
  count: Scalars['Int']['output'];
  /** The graph's own id. */
  id: Scalars['ID']['output'];
  /** The graph's id of the TaskSubmission, QuarantinedDelivery, Recording, Alert, or for DELIVERY_SHOWN of the first entry of the call. The gateway may no longer have it. Null for PHONE_FORGOTTEN, DELIVERIES_REREAD, DO_NOT_CALL_ADDED, DO_NOT_CALL_REMOVED and imports of history, and where the call was erased. */
  subjectId: Maybe<Scalars['ID']['output']>;
  /** The tool that the agent used. Null unless via is MCP. */
  tool: Maybe<Scalars['String']['output']>;
  /** MCP where an agent did it. Null: the viewer did it in another way, such as at /graphql or in the console. */
  via: Maybe<AuditWay>;
};

/** A page of the audit log. */
export type AuditEventConnection = {
  __typename: 'AuditEventConnection';
  /** The entries of this page, each with its cursor. */
  edges: Array<AuditEventEdge>;
  /** The entries of this page, without their cursors. */
  nodes: Array<AuditEvent>;
  /** The place of this page. */
  pageInfo: PageInfo;
};

/** An entry of the audit log and its cursor. */
export type AuditEventEdge = {
  __typename: 'AuditEventEdge';
  /** Pass it as after to continue with the next entry. */
  cursor: Scalars['String']['output'];
  /** The entry. */
  node: AuditEvent;
};

/** An entry must match every given field; null matches all entries. */
export type AuditEventFilter = {
  /** Entries of one of these actions. At most 100; an empty list matches nothing. */
  actions?: InputMaybe<Array<AuditAction>>;
  /** Entries of one of these viewers, by their whole names. At most 100; an empty list matches nothing. A name with a number in it needs the scope people:read. */
  actors?: InputMaybe<Array<Scalars['String']['input']>>;
  /** Entries at or after this instant. */
  since?: InputMaybe<Scalars['DateTime']['input']>;
  /** Entries about this TaskSubmission, QuarantinedDelivery, Recording, CallEnded or Alert. The id of a call's event and of its recording give the entries of both. */
  subjectId?: InputMaybe<Scalars['ID']['input']>;
  /** Entries before this instant. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
  /** Entries of what was done in this way, such as by agents. */
  via?: InputMaybe<AuditWay>;
};

/** In which way a viewer did something. New values may be added. */
export type AuditWay =
  /** By a tool of /mcp: an agent did it with the viewer's key or token. */
  | 'MCP';

/** People of a task who were not reached, in the place of numbers: the gateway takes their numbers and variables from the log. Needs the scope calls:read, but not people:read. */
export type CallAgainInput = {
  /** Which people. Null: all who were not reached. REACHED alone is refused, because nobody who was reached is called again. */
  filter?: InputMaybe<RecipientFilter>;
  /** The service's ID of the task, which must be over: done, or stopped for 15 minutes without calls. The service may still call people of another one. */
  taskId: Scalars['ID']['input'];
};

/** The version of an assistant that handled a call. */
export type CallAssistant = {
  __typename: 'CallAssistant';
  /** The details of this version. Null where the gateway saw no task that uses it: the service has no endpoint for assistants. */
  assistant: Maybe<Assistant>;
  /** The service's ID of the assistant. */
  assistantId: Scalars['ID']['output'];
  /** The service's ID of its version. */
  versionId: Scalars['ID']['output'];
};

/** Whether the call came in or went out. */
export type CallDirection =
  /** A customer called the service. */
  | 'INBOUND'
  /** The service called a customer. */
  | 'OUTBOUND';

/** The event that a call ended: an entry of the event log, which never changes. A field is null where the service left it out or wrote it unreadably. */
export type CallEnded = CallStreamItem & Node & {
  __typename: 'CallEnded';
  /** When the call was answered. Null for a call that was not answered. */
  answerAt: Maybe<Scalars['DateTime']['output']>;
  /** Whether the call has an answer time or a billed duration above 0. Null where these could not be read. */
  answered: Maybe<Scalars['Boolean']['output']>;
  /** The assistants that handled the call. */
  assistants: Array<CallAssistant>;
  /** The number of this call among the calls to the person in the task, from 1, in the order of their ends. Null also beyond 1000. Null for an inbound call, for one without a task, and while the people of the task do not show the event, which takes a moment after it came. Not for viewers with access to some assistants only. */
  attempt: Maybe<Scalars['Int']['output']>;
  /** Answered (billed) duration. In the unit of the service, which its documentation does not state. */
  billsec: Maybe<Scalars['Float']['output']>;
  /** The call of this event. While the service does not list it yet, it is built from the event alone. */
  callLog: Maybe<CallLog>;
  /** The called number. Masked without the scope people:read: +8613****0001. The label of a line, such as A068, is shown. */
  callee: Maybe<Scalars['String']['output']>;
  /** The calling number. Masked without the scope people:read: +8613****0001. The label of a line, such as A068, is shown. */
  caller: Maybe<Scalars['String']['output']>;
  /** The event's place in the log: pass it as after to continue with the next one. */
  cursor: Scalars['String']['output'];
  /** Whether the call came in or went out. */
  direction: Maybe<CallDirection>;
  /** Total duration. In the unit of the service, which its documentation does not state. */
  duration: Maybe<Scalars['Float']['output']>;
  /** When the call ended. */
  endAt: Maybe<Scalars['DateTime']['output']>;
  /** The name of the event, as the service writes it. */
  eventName: Maybe<Scalars['String']['output']>;
  /** The variables given for this number when the task was created. Needs the scope people:read. */
  extra: Maybe<Scalars['JSONObject']['output']>;
  /** Why the call ended, as the service writes it. */
  hangupReason: Maybe<Scalars['String']['output']>;
  /** The end of the line that hung up. */
  hangupSide: Maybe<HangupSide>;
  /** The party that hung up. Null where direction or hangupSide is null. */
  hungUpBy: Maybe<HungUpBy>;
  /** The graph's own id. Each revision has its own. */
  id: Scalars['ID']['output'];
  /** When the gateway received it. */
  receivedAt: Scalars['DateTime']['output'];
  /** The person whom the task called. Null for an inbound call, for one without a task, and while the people of the task do not show the event, which takes a moment after it came. Not for viewers with access to some assistants only. */
  recipient: Maybe<Recipient>;
  /** The service's own URL of the recording, which expires: use recording. Needs the scope recordings:read. */
  recordUrl: Maybe<Scalars['String']['output']>;
  /** The recording that the gateway archives, PENDING from the first moment. Null where the service gave no URL. */
  recording: Maybe<Recording>;
  /** 1, and one more each time the gateway learns more about the same call: a late webhook of a reconciled call, or a repeated webhook with other content. An event shows all that is known up to its revision. */
  revision: Scalars['Int']['output'];
  /** How long it rang. In the unit of the service, which its documentation does not state. */
  ringTime: Maybe<Scalars['Float']['output']>;
  /** The service's ID of the call. */
  sessionId: Scalars['ID']['output'];
  /** How the gateway learned of the end of the call. */
  source: EventSource;
  /** When the call started. */
  startAt: Maybe<Scalars['DateTime']['output']>;
  /** The task of the call. Null for an inbound call. */
  task: Maybe<Task>;
  /** The service's ID of the task of the call. Null for an inbound call. */
  taskId: Maybe<Scalars['ID']['output']>;
  /** The service's ID of the number within the task. Null for an inbound call. */
  taskItemId: Maybe<Scalars['ID']['output']>;
  /** Fields whose value could not be read, or could mean two things, with the text of the service. Usually empty. */
  unread: Array<UnreadField>;
};

/** A page of events. */
export type CallEndedConnection = {
  __typename: 'CallEndedConnection';
  /** The entries of this page, each with its cursor. */
  edges: Array<CallEndedEdge>;
  /** The newest place in the log when the page was read, also of an empty page. Subscribe after it, and no event is missed or repeated. */
  headCursor: Scalars['String']['output'];
  /** The entries of this page, without their cursors. */
  nodes: Array<CallEnded>;
  /** The place of this page. */
  pageInfo: PageInfo;
};

/** An event and its cursor. */
export type CallEndedEdge = {
  __typename: 'CallEndedEdge';
  /** Pass it as after to continue with the next entry. */
  cursor: Scalars['String']['output'];
  /** The event. */
  node: CallEnded;
};

/** An event must match every given field; null matches all events. Where a list or a stream has each call once, it has the first revision of the call that matches. A reconciled event has no hangupSide. */
export type CallEndedFilter = {
  /** Answered or unanswered calls. A call of which this is unknown counts as unanswered. */
  answered?: InputMaybe<Scalars['Boolean']['input']>;
  /** Calls that one of these assistants handled. At most 100 IDs; an empty list matches nothing. */
  assistantIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Calls of this direction. */
  direction?: InputMaybe<CallDirection>;
  /** Calls with one of these hang-up reasons, as they are written; null in the list: calls without a reason. At most 100; an empty list matches nothing. */
  hangupReasons?: InputMaybe<Array<InputMaybe<Scalars['String']['input']>>>;
  /** Calls that this end hung up. */
  hangupSide?: InputMaybe<HangupSide>;
  /** Calls whose caller or callee is this phone number, in whatever writing, or this label of a line. Needs the scope people:read. */
  phone?: InputMaybe<Scalars['String']['input']>;
  /** Calls whose endAt is at or after this instant; receivedAt counts where endAt is null. */
  since?: InputMaybe<Scalars['DateTime']['input']>;
  /** Calls of one of these tasks. At most 100 IDs; an empty list matches nothing. */
  taskIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Calls before this instant, by the same time. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Whether a call was real. */
export type CallKind =
  /** A phone call. */
  | 'PHONE'
  /** A debug call. */
  | 'PRIVATE_TEST';

/** One call, joined from the service's list of calls and its call-ended event. Where both state a field, the event's value is shown; a field is null where neither states it. */
export type CallLog = Node & {
  __typename: 'CallLog';
  /** When the call was answered. Null for a call that was not answered. */
  answerAt: Maybe<Scalars['DateTime']['output']>;
  /** Whether the call has an answer time or a billed duration above 0. Null where these could not be read. */
  answered: Maybe<Scalars['Boolean']['output']>;
  /** The assistants that handled the call. */
  assistants: Array<CallAssistant>;
  /** Answered (billed) duration. In the unit of the service, which its documentation does not state. */
  billsec: Maybe<Scalars['Float']['output']>;
  /** The newest event of this call. Null where none was received. */
  callEnded: Maybe<CallEnded>;
  /** The called number. Masked without the scope people:read: +8613****0001. The label of a line, such as A068, is shown. */
  callee: Maybe<Scalars['String']['output']>;
  /** The calling number. Masked without the scope people:read: +8613****0001. The label of a line, such as A068, is shown. */
  caller: Maybe<Scalars['String']['output']>;
  /** Whether the call came in or went out. */
  direction: Maybe<CallDirection>;
  /** Total duration. In the unit of the service, which its documentation does not state. */
  duration: Maybe<Scalars['Float']['output']>;
  /** When the call ended. Null while it is in progress. */
  endAt: Maybe<Scalars['DateTime']['output']>;
  /** The graph's own id. A call without a sessionId is not found again by node(id). */
  id: Scalars['ID']['output'];
  /** The location of the recording, as the service's list states it. Needs the scope recordings:read. */
  recordFile: Maybe<Scalars['String']['output']>;
  /** The recording that the gateway archives. Null where no event gave its URL. */
  recording: Maybe<Recording>;
  /** The service's ID of the call. Null where the service left it out. */
  sessionId: Maybe<Scalars['ID']['output']>;
  /** When the call started. */
  startAt: Maybe<Scalars['DateTime']['output']>;
  /** The task of the call. Null for an inbound call. */
  task: Maybe<Task>;
  /** The service's ID of the task of the call. Null for an inbound call. */
  taskId: Maybe<Scalars['ID']['output']>;
  /** Fields whose value could not be read, or could mean two things, with the text of the service. Usually empty. */
  unread: Array<UnreadField>;
};

/** A page of calls, in the order of the service. */
export type CallLogConnection = {
  __typename: 'CallLogConnection';
  /** The service's list changed since the first page in a way that the cursor could not follow. Calls may be missing or repeated: begin again at the first page. */
  driftDetected: Scalars['Boolean']['output'];
  /** The entries of this page, each with its cursor. */
  edges: Array<CallLogEdge>;
  /** The newest place in the log of ended calls before this list was asked of the service. Subscribe with callEnded after the one of the first page, and no call that ends later is missed; an event may repeat a call of the list. */
  headCursor: Scalars['String']['output'];
  /** The entries of this page, without their cursors. */
  nodes: Array<CallLog>;
  /** The place of this page. */
  pageInfo: PageInfo;
  /** How the service was asked for the phone number of the filter: as the log knows it, and in the usual writings. The list joins what it found. Null without such a filter. Needs the scope people:read. */
  phoneWritings: Maybe<Array<PhoneWriting>>;
  /** The start of the range. The first page fixes it, and its cursors carry it to later pages. */
  since: Scalars['DateTime']['output'];
  /** Number of calls in the whole list, as the service counts them. */
  totalCount: Scalars['Int']['output'];
  /** The end of the range, fixed in the same way. */
  until: Scalars['DateTime']['output'];
};

/** A call and its cursor. */
export type CallLogEdge = {
  __typename: 'CallLogEdge';
  /** Pass it as after to continue with the next entry. */
  cursor: Scalars['String']['output'];
  /** The call. */
  node: CallLog;
};

/** A call must match every given field; null matches all calls. Times are cut to whole seconds, and the service decides which of a call's times they apply to. */
export type CallLogFilter = {
  /** Calls that one of these assistants handled. At most 100 IDs; an empty list matches nothing. */
  assistantIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** Calls of this direction. */
  direction?: InputMaybe<CallDirection>;
  /** Real calls or debug calls. */
  kind?: InputMaybe<CallKind>;
  /** Calls whose caller or callee is this phone number, or this label of a line. The service is asked in several writings of a number (phoneWritings). Needs the scope people:read. */
  phone?: InputMaybe<Scalars['String']['input']>;
  /** The start of the range. Default: the start of the day of until in the service's time zone. */
  since?: InputMaybe<Scalars['DateTime']['input']>;
  /** Calls of one of these tasks. At most 10 IDs; an empty list matches nothing. */
  taskIds?: InputMaybe<Array<Scalars['ID']['input']>>;
  /** The end of the range. Default: the end of today in the service's time zone. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
};

/** Statistics over the received events. Each call counts once, by its newest revision; debug calls are included. Each field is counted when it is selected. */
export type CallStats = {
  __typename: 'CallStats';
  /** Number of those calls that were answered. */
  answered: Scalars['Int']['output'];
  /** Calls by assistant, the most frequent first. */
  byAssistant: Array<AssistantCount>;
  /** Calls by hang-up reason, the most frequent first. */
  byHangupReason: Array<ReasonCount>;
  /** Calls by the end of the line that hung up, the most frequent first. */
  byHangupSide: Array<SideCount>;
  /** Calls by task, the most frequent first. */
  byTask: Array<TaskCount>;
  /** Number of calls. */
  calls: Scalars['Int']['output'];
  /** Number of phone numbers that tasks called, each counted once per task. With retries it is less than calls. */
  numbersCalled: Scalars['Int']['output'];
  /** Number of those phone numbers with an answered call. */
  numbersReached: Scalars['Int']['output'];
  /** When the oldest counted call ended. Null where no call is counted. */
  since: Maybe<Scalars['DateTime']['output']>;
  /** Calls by the time of their end, in order. Buckets without calls are left out. */
  timeline: Array<StatsBucket>;
  /** Sum of billsec, in the same unit. */
  totalBillsec: Scalars['Float']['output'];
  /** Sum of duration, in the same unit. */
  totalDuration: Scalars['Float']['output'];
  /** Number of calls of which neither the side nor the reason of the hang-up is known, such as imported and reconciled ones. */
  withoutHangup: Scalars['Int']['output'];
};


/** Statistics over the received events. Each call counts once, by its newest revision; debug calls are included. Each field is counted when it is selected. */
export type CallStatsByAssistantArgs = {
  first?: Scalars['Int']['input'];
};


/** Statistics over the received events. Each call counts once, by its newest revision; debug calls are included. Each field is counted when it is selected. */
export type CallStatsByHangupReasonArgs = {
  first?: Scalars['Int']['input'];
};


/** Statistics over the received events. Each call counts once, by its newest revision; debug calls are included. Each field is counted when it is selected. */
export type CallStatsByTaskArgs = {
  first?: Scalars['Int']['input'];
};


/** Statistics over the received events. Each call counts once, by its newest revision; debug calls are included. Each field is counted when it is selected. */
export type CallStatsTimelineArgs = {
  bucket?: TimeBucket;
  timeZone?: InputMaybe<Scalars['String']['input']>;
};

/** An item of callEndedStream. More types may be added: have a default branch. */
export type CallStreamItem = {
  /** Where to resume: pass it as after to continue with the next item. */
  cursor: Scalars['String']['output'];
};

/** What a submission that calls people of a task again came from, and whom it leaves out. It names nobody. */
export type CalledAgain = {
  __typename: 'CalledAgain';
  /** People who match the filter and are not called, by reason. An approval counts them anew. */
  leftOut: Array<LeftOutCount>;
  /** The task. Null where the service has it no more, or this viewer does not see it. */
  task: Maybe<Task>;
  /** The service's ID of the task whose people are called again. */
  taskId: Scalars['ID']['output'];
  /** Number of people who are called without variables, because no call of theirs in the log has some. */
  withoutVariables: Scalars['Int']['output'];
};

/** The hours in which people with some numbers may be called, by their clock. */
export type CalledHours = {
  __typename: 'CalledHours';
  /** Such as 09:00. */
  from: Scalars['String']['output'];
  /** What their numbers begin with, such as +1. */
  prefix: Scalars['String']['output'];
  /** IANA zone, such as America/New_York. */
  timeZone: Scalars['String']['output'];
  /** Such as 20:00. */
  to: Scalars['String']['output'];
};

/** The hours in which people may be called, by the clock of the service's time zone. */
export type CallingHours = {
  __typename: 'CallingHours';
  /** Such as 09:00. */
  from: Scalars['String']['output'];
  /** Such as 20:00. */
  to: Scalars['String']['output'];
};

/** The task to check: the input of createTask without its idempotency key. */
export type CheckTaskInput = {
  /** The service's ID of the assistant that makes the calls. */
  assistantId: Scalars['ID']['input'];
  /** Changes to the assistant for this task. Null: none. */
  assistantOverride?: InputMaybe<AssistantOverrideInput>;
  /** People of another task to call again, in the place of numbers. People of the never-call list are left out, whether skipDoNotCall is set or not. */
  from?: InputMaybe<CallAgainInput>;
  /** The name of the task, at most 1000 characters. */
  name: Scalars['String']['input'];
  /** The numbers to call: 1 to 100000, each only once. Null where `from` is given. */
  numbers?: InputMaybe<Array<TaskNumberInput>>;
  /** When and how the numbers are called. */
  option: CreateTaskOptionInput;
  /** Leaves out numbers that are in the never-call list; TaskSubmission.leftOutCount counts them. By default such a number refuses the whole task. */
  skipDoNotCall?: InputMaybe<Scalars['Boolean']['input']>;
};

/** A question that the assistant asks in a call. */
export type CollectItem = {
  __typename: 'CollectItem';
  /** The answers it may get. */
  answers: Array<Scalars['String']['output']>;
  /** The text of the question. Null where the service has none. */
  question: Maybe<Scalars['String']['output']>;
};

/** How many people have a number with a country code. */
export type CountryCount = {
  __typename: 'CountryCount';
  /** Its digits, such as 86. Null of numbers that begin with neither + nor 00: they do not say it. */
  countryCode: Maybe<Scalars['String']['output']>;
  /** How many people. */
  people: Scalars['Int']['output'];
};

/** The columns of the number file. The documentation of the service does not state what the integers mean. */
export type CreateNumberFileMetaInput = {
  /** The gender column (性别). */
  gender: Scalars['Int']['input'];
  /** The name column (姓名). */
  name: Scalars['Int']['input'];
  /** The number column (号码). */
  number: Scalars['Int']['input'];
  /** The column of the sales person's name (销售姓名). */
  salesPersonName: Scalars['Int']['input'];
};

/** Why a task was not created, approved or declined. */
export type CreateTaskError = {
  __typename: 'CreateTaskError';
  /** The kind of error. */
  code: CreateTaskErrorCode;
  /** The limit that is too small for the task. Only of LIMIT_EXCEEDED. */
  limit: Maybe<LimitState>;
  /** What is wrong, to be read behind the last name of path. It holds no value of the input. */
  message: Scalars['String']['output'];
  /** Where in the input, such as ["numbers", "3", "number"]. Empty for an error of the whole input. */
  path: Array<Scalars['String']['output']>;
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

/** The task to create. */
export type CreateTaskInput = {
  /** The service's ID of the assistant that makes the calls. */
  assistantId: Scalars['ID']['input'];
  /** Changes to the assistant for this task. Null: none. */
  assistantOverride?: InputMaybe<AssistantOverrideInput>;
  /** People of another task to call again, in the place of numbers. People of the never-call list are left out, whether skipDoNotCall is set or not. */
  from?: InputMaybe<CallAgainInput>;
  /** Makes the mutation safe to repeat. The same key with the same input returns the first result and calls nobody twice; with another input it is refused. Use one key per intended task, such as a UUID; at most 255 characters. */
  idempotencyKey: Scalars['String']['input'];
  /** The name of the task, at most 1000 characters. */
  name: Scalars['String']['input'];
  /** The numbers to call: 1 to 100000, each only once. Null where `from` is given. */
  numbers?: InputMaybe<Array<TaskNumberInput>>;
  /** When and how the numbers are called. */
  option: CreateTaskOptionInput;
  /** Leaves out numbers that are in the never-call list; TaskSubmission.leftOutCount counts them. By default such a number refuses the whole task. */
  skipDoNotCall?: InputMaybe<Scalars['Boolean']['input']>;
};

/** When and how the numbers are called. */
export type CreateTaskOptionInput = {
  /** The IDs of the outgoing lines, at least one. The service calls them numbers. */
  lineIds: Array<Scalars['ID']['input']>;
  /** The columns of the number file. */
  numberFileMeta: CreateNumberFileMetaInput;
  /** The times of day at which calls are made, at least one period, such as [["09:00", "12:00"]]. The service calls them startTime and does not document their format. */
  periods: Array<Array<Scalars['String']['input']>>;
  /** Number of retries, 0 or more. */
  retryCount: Scalars['Int']['input'];
  /** Time between retries in seconds, 0 or more. */
  retryIntervalSeconds: Scalars['Int']['input'];
  /** The first day of calls, such as 2026-11-20, in the years 2000 to 2199. The service does not document its format. */
  startDate: Scalars['String']['input'];
};

/** The result of createTask. */
export type CreateTaskPayload = {
  __typename: 'CreateTaskPayload';
  /** Why no task was created. Empty on success. */
  errors: Array<CreateTaskError>;
  /** The key was used before with this input: this is the first result, and nothing was sent again. */
  replayed: Scalars['Boolean']['output'];
  /** The submission that was sent or proposed. Null where nothing was sent or stored: see errors. */
  submission: Maybe<TaskSubmission>;
};

/** How an attempt to deliver an event ended. */
export type DeliveryAnswer = {
  __typename: 'DeliveryAnswer';
  /** When it was made. */
  at: Scalars['DateTime']['output'];
  /** The HTTP status of the answer. Null: there was none. A folder, a bucket and a broker have none where they have taken the event: then text is null, too. */
  status: Maybe<Scalars['Int']['output']>;
  /** The beginning of the answer of a failed attempt, or what went wrong. Phone numbers in it are masked. */
  text: Maybe<Scalars['String']['output']>;
};

/** A system to which ended calls or alerts are sent. DESTINATIONS_FILE defines it. */
export type Destination = {
  __typename: 'Destination';
  /** The place in the log up to which events were delivered, left out, or are letters. Null: it has not begun, or gets no calls. */
  cursor: Maybe<Scalars['String']['output']>;
  /** Number of such events that are not sent again by themselves. */
  deadLetters: Scalars['Float']['output'];
  /** Number of events that it has taken, repeats included; of alerts, where it gets no calls. */
  delivered: Scalars['Float']['output'];
  /** Why the gateway has disabled it. Null: it has not. */
  disabledFor: Maybe<DestinationDisabledReason>;
  /** False: the file has switched it off. */
  enabled: Scalars['Boolean']['output'];
  /** When the first of them was made. Null: the last attempt succeeded. */
  failingSince: Maybe<Scalars['DateTime']['output']>;
  /** Attempts that failed one after the other. */
  failures: Scalars['Int']['output'];
  /** Whether it gets calls. False: it is a chat, which gets alerts alone. */
  getsCalls: Scalars['Boolean']['output'];
  /** How events are handed over, such as event. */
  kind: Scalars['String']['output'];
  /** Number of entries of the log that it has not received or passed over yet. 0 where it gets no calls. */
  lag: Scalars['Float']['output'];
  /** How the last attempt ended. Null: there was none. */
  lastAnswer: Maybe<DeliveryAnswer>;
  /** The name of the destination in DESTINATIONS_FILE. */
  name: Scalars['String']['output'];
  /** How it goes on after an event that is not taken. With strict it holds up the next ones, with free others go on. Alerts never wait for others. */
  order: Scalars['String']['output'];
  /** Seconds until the next attempt while it fails. Where it gets no calls: only a time for which it asked itself. */
  secondsToNext: Maybe<Scalars['Float']['output']>;
  /** Number of events of which nothing was left to send. */
  skipped: Scalars['Float']['output'];
  /** Whether events are sent. Null: it has not begun. */
  state: Maybe<DestinationState>;
  /** Where it is, without the query; of a chat without the path, which is a secret. */
  url: Scalars['String']['output'];
  /** Number of messages about alerts from the first one on that it has not taken; later ones among them may be taken. Null: it gets no alerts. */
  waitingAlerts: Maybe<Scalars['Float']['output']>;
  /** Number of events that it did not take, that others have overtaken, and that will be sent again. */
  waitingLetters: Scalars['Float']['output'];
};

/** Why the gateway has disabled a destination. New values may be added. */
export type DestinationDisabledReason =
  /** It has taken nothing for three days. */
  | 'FAILING'
  /** It answered 410. */
  | 'GONE';

/** An event that a destination did not take and that later ones have overtaken. */
export type DestinationLetter = {
  __typename: 'DestinationLetter';
  /** Number of attempts so far. */
  attempts: Scalars['Int']['output'];
  /** The event's place in the log. */
  cursor: Scalars['String']['output'];
  /** The event, from which the message is made anew at each attempt. Null: it was erased or has expired. */
  event: Maybe<CallEnded>;
  /** When the first one was made. */
  firstAt: Scalars['DateTime']['output'];
  /** How the last attempt ended. */
  lastAnswer: Maybe<DeliveryAnswer>;
  /** Seconds until the next attempt. Null: none is made by itself. */
  secondsToNext: Maybe<Scalars['Float']['output']>;
};

/** Whether events are sent to a destination. */
export type DestinationState =
  /** They are sent. */
  | 'ACTIVE'
  /** The gateway has disabled it, for the reason in disabledFor. Its events wait in the log. */
  | 'DISABLED'
  /** An admin has paused it. Its events wait in the log. */
  | 'PAUSED';

/** The result of discardQuarantined. */
export type DiscardQuarantinedPayload = {
  __typename: 'DiscardQuarantinedPayload';
  /** The delivery that was removed. Null where no such delivery is in quarantine. */
  delivery: Maybe<QuarantinedDelivery>;
};

/** The numbers that no task may call. The gateway keeps keyed digests of them, not the numbers. Numbers count as the same with and without their country code, and in any usual writing. */
export type DoNotCall = {
  __typename: 'DoNotCall';
  /** Whether createTask refuses a number. Needs the scope admin. */
  contains: Scalars['Boolean']['output'];
  /** Count of its entries. A number without + that may begin with a country code, such as 33612345678, has two. Needs the scope admin. */
  count: Scalars['Int']['output'];
};


/** The numbers that no task may call. The gateway keeps keyed digests of them, not the numbers. Numbers count as the same with and without their country code, and in any usual writing. */
export type DoNotCallContainsArgs = {
  number: Scalars['String']['input'];
};

/** The result of a change of the never-call list. */
export type DoNotCallPayload = {
  __typename: 'DoNotCallPayload';
  /** How many entries were added or removed. The others were in the list already, or not in it. */
  changed: Scalars['Int']['output'];
  /** Why each of them is no phone number, in the order of unreadable. */
  reasons: Array<Scalars['String']['output']>;
  /** The places of texts that are not phone numbers, from 0. The other numbers were changed all the same. */
  unreadable: Array<Scalars['Int']['output']>;
};

/** The contents of the event log. */
export type EventLogStatus = {
  __typename: 'EventLogStatus';
  /** Number of entries. Each revision of an event is an entry. */
  events: Scalars['Float']['output'];
  /** When the newest entry was received. Null while the log is empty. */
  lastReceivedAt: Maybe<Scalars['DateTime']['output']>;
  /** The newest place in the log: subscribe after it to get only new events. */
  newestCursor: Scalars['String']['output'];
  /** Number of ended calls that the gateway found in the service's list because no webhook came. */
  reconciled: Scalars['Float']['output'];
};

/** A name of events that the service has sent. */
export type EventName = {
  __typename: 'EventName';
  /** When the gateway received the first one. */
  firstReceivedAt: Scalars['DateTime']['output'];
  /** True: an event with this name ended a call. False: one did not, and is kept aside. */
  isEnd: Scalars['Boolean']['output'];
  /** As the service wrote it, up to 64 characters, with digits masked. Null: the event had none. */
  name: Maybe<Scalars['String']['output']>;
};

/** The order of a list of events, by their place in the log. The place of an imported call is when it was imported, whenever it ended: imported: false leaves such calls out. */
export type EventOrder =
  /** The newest event comes first. */
  | 'NEWEST_FIRST'
  /** The oldest event comes first. */
  | 'OLDEST_FIRST';

/** How the gateway learned that a call ended. New values may be added. */
export type EventSource =
  /** The call ended before the gateway was there, and importHistory read it from the call log. Fields that only a webhook has are null. */
  | 'IMPORTED'
  /** The webhook did not come, and the gateway found the ended call in the call log. Fields that only a webhook has are null. */
  | 'RECONCILED'
  /** By the call-ended webhook of the service. */
  | 'WEBHOOK';

/** What forgetPhone erased, or with dryRun would erase now. */
export type ForgetPhonePayload = {
  __typename: 'ForgetPhonePayload';
  /** Number of calls that held the number in an event, a recording or their start. */
  calls: Scalars['Int']['output'];
  /** Number of events, revisions included. */
  events: Scalars['Int']['output'];
  /** Number of proposed tasks that were declined, because they would have called the number. */
  proposals: Scalars['Int']['output'];
  /** Number of quarantined deliveries. */
  quarantined: Scalars['Int']['output'];
  /** Number of accepted deliveries that were kept as they came. */
  rawDeliveries: Scalars['Int']['output'];
  /** Number of recordings. */
  recordings: Scalars['Int']['output'];
  /** Number of submissions that held the number in their name, their idempotency key or another text, which they lose. */
  submissions: Scalars['Int']['output'];
};

/** How the calls that ended in an hour became known, and what could not be read in it. */
export type GatewayHour = {
  __typename: 'GatewayHour';
  /** The mean time from the end of a call to its webhook. Calls that ended before the log began do not count. Null: none counts. */
  meanDelaySeconds: Maybe<Scalars['Float']['output']>;
  /** Number of calls that the gateway found in the service's list before a webhook came. */
  reconciled: Scalars['Float']['output'];
  /** When the hour begins, in UTC. */
  start: Scalars['DateTime']['output'];
  /** Number of deliveries of this hour that are in quarantine, because they could not be read. */
  unreadable: Scalars['Float']['output'];
  /** Number of calls that a webhook told first. */
  webhooks: Scalars['Float']['output'];
};

/** The state of the gateway and of the service behind it. */
export type GatewayStatus = {
  __typename: 'GatewayStatus';
  /** Which clients used which tools for agents (MCP), the last used first, at most 100. With several gateways, only those of the one that answers. */
  agentUses: Array<AgentUse>;
  /** The names of the events that came, at most 50, in the order in which they came first. */
  eventNames: Array<EventName>;
  /** The contents of the event log. */
  events: EventLogStatus;
  /** True: the log has only what happened since the install, and calls from before can be imported with importHistory. False also beside the sandbox. */
  lacksHistory: Scalars['Boolean']['output'];
  /** How calls became known in the last 24 hours, an hour each, the oldest first. The last one still runs. */
  lastDay: Array<GatewayHour>;
  /** Number of events that are kept aside, because they do not end a call. quarantinedDeliveries(kind: NOT_ENDED) lists them. */
  notEnded: Scalars['Int']['output'];
  /** Number of webhook deliveries in quarantine. */
  quarantined: Scalars['Int']['output'];
  /** Number of recordings by status. */
  recordings: RecordingCounts;
  /** When the first of the latest requests of this process to the service failed: the service did not answer in time, could not be reached, or answered 5xx. Null: it answered the latest one. */
  serviceFailingSince: Maybe<Scalars['DateTime']['output']>;
  /** Number of subscriptions that run in this process. Each counts from the moment after which it misses nothing. */
  subscribers: Scalars['Int']['output'];
  /** By how many minutes calls end after their webhooks came, as the last ten show, where only a wrong UPSTREAM_TIME_ZONE explains it; negative: long before. All times of calls are off by it. 0: nothing is known to be wrong. */
  timesAheadMinutes: Scalars['Int']['output'];
  /** Whether the service's last answer to this process refused UPSTREAM_TOKEN (401). */
  tokenRefused: Scalars['Boolean']['output'];
  /** How the calling service responds to this process. */
  upstream: UpstreamState;
  /** The version of the gateway. */
  version: Scalars['String']['output'];
  /** How webhooks fare. With several gateways, only those that came to the one that answers. */
  webhooks: WebhookStatus;
};

/** The end of the line that hung up. HungUpBy names the person instead. */
export type HangupSide =
  /** The end that was called. */
  | 'CALLEE'
  /** The end that placed the call. */
  | 'CALLER';

/** An import of calls that ended before the gateway was there. It reads the service's call log from the oldest to the newest, and goes on after a restart, on whichever gateway. */
export type HistoryImport = {
  __typename: 'HistoryImport';
  /** Number of calls that it added to the log. */
  calls: Scalars['Float']['output'];
  /** When it ended. Null while it runs. */
  endedAt: Maybe<Scalars['DateTime']['output']>;
  /** Number of other rows that it left out: without a session ID, without an end that can be read, or with contents that cannot be stored. */
  leftOut: Scalars['Float']['output'];
  /** Why it has failed, or why it waits. Null: nothing is wrong. */
  problem: Maybe<Scalars['String']['output']>;
  /** The part of the time that was read, from 0 to 1. */
  progress: Scalars['Float']['output'];
  /** Everything up to here was read. */
  readThrough: Scalars['DateTime']['output'];
  /** How long it will take at the speed so far. Null where that is not known, while it waits, and when it has ended. */
  secondsLeft: Maybe<Scalars['Float']['output']>;
  /** The beginning that was asked for. */
  since: Scalars['DateTime']['output'];
  /** When it was started. */
  startedAt: Scalars['DateTime']['output'];
  /** The viewer that started it. */
  startedBy: Scalars['String']['output'];
  /** How it fares. */
  state: HistoryImportState;
  /** Number of calls that it leaves out because they are older than EVENT_RETENTION_DAYS, as the service counts them at the end. Null where they were not counted. */
  tooOld: Maybe<Scalars['Float']['output']>;
  /** Its end: the one that was asked for, but at most the time from which on the gateway finds calls by itself. */
  until: Scalars['DateTime']['output'];
  /** Number of stretches of time that were read. */
  windows: Scalars['Int']['output'];
};

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

/** The result of importHistory. */
export type ImportHistoryPayload = {
  __typename: 'ImportHistoryPayload';
  /** The running import. */
  import: HistoryImport;
  /** False: another import runs already, which is returned, and nothing was started. */
  isNew: Scalars['Boolean']['output'];
};

/** An assistant that a new task can name. */
export type KnownAssistant = {
  __typename: 'KnownAssistant';
  /** The service's ID of the assistant. */
  assistantId: Scalars['ID']['output'];
  /** Where the gateway knows it from. At least one value. */
  knownFrom: Array<KnownFrom>;
  /** When a task showed it last, or a submission with it was accepted. Null where only the setting names it. */
  lastMetAt: Maybe<Scalars['DateTime']['output']>;
  /** The version that a task showed last. Null where no task showed one. */
  latestVersion: Maybe<Assistant>;
  /** The name in KNOWN_ASSISTANTS, or else that of the version that a task showed last. Null where neither has one. */
  name: Maybe<Scalars['String']['output']>;
  /** The service's IDs of the versions that tasks showed, the last shown first, at most 10. */
  versionIds: Array<Scalars['ID']['output']>;
};

/** The known assistants. */
export type KnownAssistants = {
  __typename: 'KnownAssistants';
  /** Whether more are known than first. The list does not show them: raise first, or name the wanted ones. */
  hasMore: Scalars['Boolean']['output'];
  /** The assistants. */
  nodes: Array<KnownAssistant>;
};

/** Where the gateway knows an assistant or a line from. New values may be added. */
export type KnownFrom =
  /** The operator named it: KNOWN_ASSISTANTS, KNOWN_LINES. */
  | 'SETTING'
  /** The service accepted a createTask with it. */
  | 'SUBMISSION'
  /** A task that the gateway read from the service showed it. */
  | 'TASK';

/** An outgoing line that a new task can name. */
export type KnownLine = {
  __typename: 'KnownLine';
  /** Where the gateway knows it from. At least one value. */
  knownFrom: Array<KnownFrom>;
  /** When a task showed it last, or a submission with it was accepted. Null where only the setting names it. */
  lastMetAt: Maybe<Scalars['DateTime']['output']>;
  /** The service's ID of the line. */
  lineId: Scalars['ID']['output'];
  /** The name in KNOWN_LINES. Null where that does not name it: the service states no names of lines. */
  name: Maybe<Scalars['String']['output']>;
};

/** The known lines. */
export type KnownLines = {
  __typename: 'KnownLines';
  /** Whether more are known than first. The list does not show them: raise first, or name the wanted ones. */
  hasMore: Scalars['Boolean']['output'];
  /** The lines. */
  nodes: Array<KnownLine>;
};

/** A language that an assistant speaks. */
export type Language =
  /** English. */
  | 'EN'
  /** Japanese. */
  | 'JP'
  /** Chinese. */
  | 'ZH';

/** How many people are left out for a reason. */
export type LeftOutCount = {
  __typename: 'LeftOutCount';
  /** Number of people. */
  people: Scalars['Int']['output'];
  /** The first reason that holds. */
  reason: LeftOutReason;
};

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

/** How much of a limit is used. */
export type LimitState = {
  __typename: 'LimitState';
  /** When all of it is free again: the end of the hour or day. Null of NUMBERS_PER_TASK. */
  freeAt: Maybe<Scalars['DateTime']['output']>;
  /** How many are left now. */
  left: Scalars['Int']['output'];
  /** Which limit it is. */
  limit: TaskLimit;
  /** How many tasks or numbers it allows. */
  size: Scalars['Int']['output'];
  /** How many were sent in this hour or day, on all gateways. 0 of NUMBERS_PER_TASK. */
  used: Scalars['Int']['output'];
};

/** What a task would use of a limit. */
export type LimitUse = {
  __typename: 'LimitUse';
  /** When all of it is free again: the end of the hour or day. Null of NUMBERS_PER_TASK. */
  freeAt: Maybe<Scalars['DateTime']['output']>;
  /** How many are left now. */
  left: Scalars['Int']['output'];
  /** Which limit it is. */
  limit: TaskLimit;
  /** How many the task needs. 0 where the input has mistakes. */
  needed: Scalars['Int']['output'];
  /** How many tasks or numbers it allows. */
  size: Scalars['Int']['output'];
};

/** Why the body of a delivery is not shown. New values may be added. */
export type MissingBody =
  /** The call was imported from the service's call log. */
  | 'IMPORTED'
  /** The body expired or was erased, bodies were not kept when it came, or the entry is a new reading of an earlier delivery. */
  | 'NOT_KEPT'
  /** No webhook came: the call was found in the service's call log. */
  | 'RECONCILED';

/** Creates tasks and administers the gateway. */
export type Mutation = {
  __typename: 'Mutation';
  /** Says that somebody has seen to an alert. The first one stays. Null where none has this id. Needs the scope tasks:create, tasks:propose, tasks:approve or admin. */
  acknowledgeAlert: Maybe<Alert>;
  /** Adds numbers to the never-call list: createTask then refuses them, or leaves them out. Numbers count as the same with and without their country code, and in any usual writing. Needs the scope admin. */
  addToDoNotCall: Maybe<DoNotCallPayload>;
  /** Approves a proposed task of another viewer, and sends it once. The limits of the viewer that proposed it and the never-call list are applied again. It is safe to repeat. Needs the scope tasks:approve. */
  approveTask: Maybe<TaskDecisionPayload>;
  /** Ends the running import, and returns the newest one. The calls that it has added stay. Null: there never was one. Needs the scope admin. */
  cancelHistoryImport: Maybe<HistoryImport>;
  /** A dry run of createTask: it names everything that createTask would refuse, and sends and stores nothing. Needs the scope tasks:create or tasks:propose. */
  checkTask: TaskCheck;
  /** Creates an outbound task, which makes real phone calls. For a viewer with tasks:propose and without tasks:create it waits as PROPOSED for approveTask. Needs the scope tasks:create or tasks:propose. */
  createTask: Maybe<CreateTaskPayload>;
  /** Makes a test of the webhook's way, for five minutes. Each gateway of the database with the same WEBHOOK_AUTHORIZATION knows it. Needs the scope admin. */
  createWebhookTest: WebhookTest;
  /** Declines a proposed task: nothing is sent, and the gateway erases its numbers. It is safe to repeat. Needs the scope tasks:approve. */
  declineTask: Maybe<TaskDecisionPayload>;
  /** Removes a delivery from quarantine for good, unread. Its call is lost, unless reconciliation finds it in the service's list. Needs the scope admin. */
  discardQuarantined: Maybe<DiscardQuarantinedPayload>;
  /** Erases the calls of a phone number everywhere in the gateway: events, raw deliveries, quarantine, submissions and recordings. A proposed task with the number is declined. Repeated deliveries and searches do not bring them back. The service keeps its own data. Needs the scope admin. */
  forgetPhone: Maybe<ForgetPhonePayload>;
  /** Reads calls that ended earlier from the service's call log into the event log, in the background. They have the source IMPORTED, and subscriptions leave them out by default. A repeat adds nothing. Needs the scope admin. */
  importHistory: Maybe<ImportHistoryPayload>;
  /** Pauses a destination within a second. Its events wait in the log. Needs the scope admin. */
  pauseDestination: Maybe<Destination>;
  /** Makes a projection anew from the log, beside the present rows. They are shown until the new ones have read as far. Returns its builds. Needs the scope admin. */
  rebuildProjection: Maybe<Array<Projection>>;
  /** Removes numbers from the never-call list. Needs the scope admin. */
  removeFromDoNotCall: Maybe<DoNotCallPayload>;
  /** Reads a quarantined delivery again, such as after an upgrade. On success it moves to the event log. Needs the scope admin. */
  reprocessQuarantined: Maybe<ReprocessQuarantinedPayload>;
  /** Reads some accepted deliveries again, such as after an upgrade that reads them better. A call that changes gets a revision; a repeat adds nothing. Repeat it with the cursor until hasNextPage is false. Needs the scope admin. */
  rereadDeliveries: Maybe<RereadDeliveriesPayload>;
  /** Lets a destination go on that was paused or disabled, or sends its events again from a cursor or an instant on; one that gets no calls has no such place. Needs the scope admin. */
  resumeDestination: Maybe<Destination>;
  /** Sends a letter again now. False: the destination has no letter at this cursor. Needs the scope admin. */
  sendDestinationLetter: Maybe<Scalars['Boolean']['output']>;
  /** Hands over something that is marked as a test, also to a destination that is paused, and returns the answer. Needs the scope admin. */
  testDestination: Maybe<DeliveryAnswer>;
};


/** Creates tasks and administers the gateway. */
export type MutationAcknowledgeAlertArgs = {
  id: Scalars['ID']['input'];
};


/** Creates tasks and administers the gateway. */
export type MutationAddToDoNotCallArgs = {
  numbers: Array<Scalars['String']['input']>;
};


/** Creates tasks and administers the gateway. */
export type MutationApproveTaskArgs = {
  id: Scalars['ID']['input'];
};


/** Creates tasks and administers the gateway. */
export type MutationCheckTaskArgs = {
  input: CheckTaskInput;
};


/** Creates tasks and administers the gateway. */
export type MutationCreateTaskArgs = {
  input: CreateTaskInput;
};


/** Creates tasks and administers the gateway. */
export type MutationDeclineTaskArgs = {
  id: Scalars['ID']['input'];
  reason?: InputMaybe<Scalars['String']['input']>;
};


/** Creates tasks and administers the gateway. */
export type MutationDiscardQuarantinedArgs = {
  id: Scalars['ID']['input'];
};


/** Creates tasks and administers the gateway. */
export type MutationForgetPhoneArgs = {
  addToDoNotCall?: Scalars['Boolean']['input'];
  dryRun?: Scalars['Boolean']['input'];
  number: Scalars['String']['input'];
};


/** Creates tasks and administers the gateway. */
export type MutationImportHistoryArgs = {
  since: Scalars['DateTime']['input'];
  until?: InputMaybe<Scalars['DateTime']['input']>;
};


/** Creates tasks and administers the gateway. */
export type MutationPauseDestinationArgs = {
  name: Scalars['String']['input'];
};


/** Creates tasks and administers the gateway. */
export type MutationRebuildProjectionArgs = {
  name: Scalars['String']['input'];
};


/** Creates tasks and administers the gateway. */
export type MutationRemoveFromDoNotCallArgs = {
  numbers: Array<Scalars['String']['input']>;
};


/** Creates tasks and administers the gateway. */
export type MutationReprocessQuarantinedArgs = {
  charset?: InputMaybe<Scalars['String']['input']>;
  id: Scalars['ID']['input'];
};


/** Creates tasks and administers the gateway. */
export type MutationRereadDeliveriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
};


/** Creates tasks and administers the gateway. */
export type MutationResumeDestinationArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  name: Scalars['String']['input'];
  since?: InputMaybe<Scalars['DateTime']['input']>;
};


/** Creates tasks and administers the gateway. */
export type MutationSendDestinationLetterArgs = {
  cursor: Scalars['String']['input'];
  name: Scalars['String']['input'];
};


/** Creates tasks and administers the gateway. */
export type MutationTestDestinationArgs = {
  name: Scalars['String']['input'];
};

/** An object that node(id) finds again. */
export type Node = {
  /** Opaque and unique across all types: a key for caches and for node(id). */
  id: Scalars['ID']['output'];
};

/** A column of the number file of a task. */
export type NumberFileColumn = {
  __typename: 'NumberFileColumn';
  /** The service's name of the column: 号码 (number), 备注 (remarks) or 姓名 (name). */
  key: Scalars['String']['output'];
  /** The service's value of the column. Its documentation does not state what it means. */
  value: Scalars['Int']['output'];
};

/** The people with one outcome. */
export type OutcomeCount = {
  __typename: 'OutcomeCount';
  /** Number of calls to them. */
  attempts: Scalars['Int']['output'];
  /** The outcome. */
  outcome: RecipientOutcome;
  /** Number of people. */
  recipients: Scalars['Int']['output'];
  /** Sum of billsec over these calls. In the unit of the service, which its documentation does not state. */
  talkTime: Scalars['Float']['output'];
};

/** The place of a page in its list. */
export type PageInfo = {
  __typename: 'PageInfo';
  /** The cursor of the last entry: pass it as after to get the next page. Null on an empty page. */
  endCursor: Maybe<Scalars['String']['output']>;
  /** Whether entries follow this page. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Whether entries precede this page. */
  hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first entry. Null on an empty page. */
  startCursor: Maybe<Scalars['String']['output']>;
};

/** How the service was asked for a phone number. */
export type PhoneWriting = {
  __typename: 'PhoneWriting';
  /** The writing, such as +447700900700 or 07700900700. Needs the scope people:read. */
  text: Scalars['String']['output'];
  /** Number of calls that the service lists for it. */
  totalCount: Scalars['Int']['output'];
};

/** A build of a table that the gateway derives from the log, such as the recipients of tasks. */
export type Projection = {
  __typename: 'Projection';
  /** Number of places in the log that it has not read. */
  behind: Scalars['Float']['output'];
  /** The number of the build, from 1 for each projection. */
  build: Scalars['Int']['output'];
  /** The place in the log up to which it was made. Null: nothing was read yet. */
  cursor: Maybe<Scalars['String']['output']>;
  /** The name of the projection. */
  name: Scalars['String']['output'];
  /** What the build is for. */
  state: ProjectionState;
  /** The version of the rule that makes its rows. */
  version: Scalars['String']['output'];
};

/** What a build of a projection is for. */
export type ProjectionState =
  /** It is being made from the log. Once it has read as far as the live one, it takes its place. */
  | 'BUILDING'
  /** Its rows are what readers get. */
  | 'LIVE'
  /** Another one took its place, and its rows are being deleted. */
  | 'RETIRED';

/** Why a delivery is in quarantine. */
export type QuarantineKind =
  /** It is an event that does not end a call, and nothing is wrong with it. */
  | 'NOT_ENDED'
  /** It could not be read, or the database refused it. */
  | 'UNREADABLE';

/** A webhook delivery that was authentic, and could not be read or is not the end of a call. */
export type QuarantinedDelivery = Node & {
  __typename: 'QuarantinedDelivery';
  /** The body as text, in the declared charset if it can be read so, cut at 64 KiB. Phone numbers are masked without the scope people:read. */
  body: Scalars['String']['output'];
  /** The charset that its sender declared, as the sender wrote it. Null: none was declared. */
  charset: Maybe<Scalars['String']['output']>;
  /** The graph's own id: pass it to reprocessQuarantined or discardQuarantined. */
  id: Scalars['ID']['output'];
  /** Why it is here, as a word. */
  kind: QuarantineKind;
  /** Why it could not be read, or is not the end of a call. */
  reason: Scalars['String']['output'];
  /** When the gateway received it. */
  receivedAt: Scalars['DateTime']['output'];
};

/** A page of deliveries. */
export type QuarantinedDeliveryConnection = {
  __typename: 'QuarantinedDeliveryConnection';
  /** The entries of this page, each with its cursor. */
  edges: Array<QuarantinedDeliveryEdge>;
  /** The entries of this page, without their cursors. */
  nodes: Array<QuarantinedDelivery>;
  /** The place of this page. */
  pageInfo: PageInfo;
};

/** A delivery and its cursor. */
export type QuarantinedDeliveryEdge = {
  __typename: 'QuarantinedDeliveryEdge';
  /** Pass it as after to continue with the next entry. */
  cursor: Scalars['String']['output'];
  /** The delivery. */
  node: QuarantinedDelivery;
};

/** Reads calls, events, tasks and assistants. */
export type Query = {
  __typename: 'Query';
  /** The rules of alerts that are in use. Needs the scope admin. */
  alertRules: Maybe<Array<AlertRule>>;
  /** The alerts on campaigns, the newest first. */
  alerts: Maybe<AlertConnection>;
  /** A version of an assistant. Null where the gateway saw no task that uses it. */
  assistant: Maybe<Assistant>;
  /** The assistants that KNOWN_ASSISTANTS names, and those that tasks and accepted submissions showed. Those named in the setting come first, in its order, then the others, the last seen first. The service has no such list, and is not asked. */
  assistants: Maybe<KnownAssistants>;
  /** What viewers did, the newest first. Needs the scope admin. */
  auditEvents: Maybe<AuditEventConnection>;
  /** The newest event of a call. Null where none was received. */
  callEnded: Maybe<CallEnded>;
  /** The log of call-ended events. A page ends before a damaged entry; the error of the next page has a cursor in its extensions, with which to go on after the entry. */
  callEndedEvents: Maybe<CallEndedConnection>;
  /** One call. The service cannot look up a session, so the gateway searches the received events and then the service's list. Null where the call is in neither. */
  callLog: Maybe<CallLog>;
  /** The calls that the service lists, in its order. Without a filter: today's. */
  callLogs: Maybe<CallLogConnection>;
  /** Statistics over the received events. */
  callStats: Maybe<CallStats>;
  /** The letters of a destination, the oldest first. Their events need calls:read, too. Needs the scope admin. */
  destinationLetters: Maybe<Array<DestinationLetter>>;
  /** The systems to which ended calls and alerts are sent, in the order of the file. Needs the scope admin. */
  destinations: Maybe<Array<Destination>>;
  /** The never-call list. Needs the scope admin. */
  doNotCall: Maybe<DoNotCall>;
  /** The state of the gateway and of the service behind it. Needs the scope admin. */
  gateway: Maybe<GatewayStatus>;
  /** The newest import of earlier calls. Null: there never was one. Needs the scope admin. */
  historyImport: Maybe<HistoryImport>;
  /** The outgoing lines that KNOWN_LINES names, and those that tasks and accepted submissions showed. Those named in the setting come first, in its order, then the others, the last seen first. The service has no such list, and is not asked. */
  lines: Maybe<KnownLines>;
  /** The object with this id. Null where it does not exist any more. */
  node: Maybe<Node>;
  /** The objects with these ids, in the same order. An entry is null where its object does not exist. */
  nodes: Maybe<Array<Maybe<Node>>>;
  /** The builds of all projections. Needs the scope admin. */
  projections: Maybe<Array<Projection>>;
  /** Webhook deliveries that were authentic, and could not be read or are not the end of a call, the newest first. Needs the scope admin. */
  quarantinedDeliveries: Maybe<QuarantinedDeliveryConnection>;
  /** An entry of the log with the webhook delivery that brought it, as it came. The gateway keeps deliveries for RAW_DELIVERY_DAYS. Null where the entry was erased. Each body that is shown gets an entry in the audit log. Needs the scope admin. */
  rawDelivery: Maybe<RawDelivery>;
  /** The IANA time zone of the service's clock, which decides what today is. Example: Asia/Shanghai. */
  serviceTimeZone: Scalars['String']['output'];
  /** A task. Null where the service has none with this ID. */
  task: Maybe<Task>;
  /** A submission. Null where none has this id. Needs the scope tasks:create, tasks:propose or tasks:approve. */
  taskSubmission: Maybe<TaskSubmission>;
  /** The submission that this viewer made with a key, for a client that lost the answer. Null where there is none. Needs the scope tasks:create, tasks:propose or tasks:approve. */
  taskSubmissionByKey: Maybe<TaskSubmission>;
  /** The tasks created or proposed through this gateway by any viewer, the newest first. Needs the scope tasks:create, tasks:propose or tasks:approve. */
  taskSubmissions: Maybe<TaskSubmissionConnection>;
  /** The tasks that the gateway knows from submissions, events and queries, the last active first. The service itself has no list of tasks. */
  tasks: Maybe<TaskConnection>;
  /** Tasks in the order of their IDs in the argument. An entry is null where the service has no such task. */
  tasksByIds: Maybe<Array<Maybe<Task>>>;
  /** The client that sent this request. */
  viewer: Viewer;
};


/** Reads calls, events, tasks and assistants. */
export type QueryAlertsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AlertFilter>;
  first?: Scalars['Int']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryAssistantArgs = {
  assistantId: Scalars['ID']['input'];
  versionId?: InputMaybe<Scalars['ID']['input']>;
};


/** Reads calls, events, tasks and assistants. */
export type QueryAssistantsArgs = {
  first?: Scalars['Int']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryAuditEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<AuditEventFilter>;
  first?: Scalars['Int']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryCallEndedArgs = {
  sessionId: Scalars['ID']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryCallEndedEventsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<CallEndedFilter>;
  first?: Scalars['Int']['input'];
  imported?: Scalars['Boolean']['input'];
  order?: EventOrder;
  revisions?: Scalars['Boolean']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryCallLogArgs = {
  around?: InputMaybe<Scalars['DateTime']['input']>;
  sessionId: Scalars['ID']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryCallLogsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<CallLogFilter>;
  first?: Scalars['Int']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryCallStatsArgs = {
  filter?: InputMaybe<CallEndedFilter>;
};


/** Reads calls, events, tasks and assistants. */
export type QueryDestinationLettersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  name: Scalars['String']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryLinesArgs = {
  first?: Scalars['Int']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryNodesArgs = {
  ids: Array<Scalars['ID']['input']>;
};


/** Reads calls, events, tasks and assistants. */
export type QueryQuarantinedDeliveriesArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
  kind?: QuarantineKind;
};


/** Reads calls, events, tasks and assistants. */
export type QueryRawDeliveryArgs = {
  cursor: Scalars['String']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryTaskArgs = {
  taskId: Scalars['ID']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryTaskSubmissionArgs = {
  id: Scalars['ID']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryTaskSubmissionByKeyArgs = {
  idempotencyKey: Scalars['String']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryTaskSubmissionsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryTasksArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: Scalars['Int']['input'];
};


/** Reads calls, events, tasks and assistants. */
export type QueryTasksByIdsArgs = {
  taskIds: Array<Scalars['ID']['input']>;
};

/** An entry of the log, and the webhook delivery that brought it. */
export type RawDelivery = {
  __typename: 'RawDelivery';
  /** The body as it came, with the gateway's correlation token hidden. Null where it is not kept: see missing. Phone numbers are masked without the scope people:read. */
  body: Maybe<Scalars['String']['output']>;
  /** The entry. Its receivedAt is the time at which the delivery arrived. */
  event: CallEnded;
  /** Why there is no body. Null where there is one. */
  missing: Maybe<MissingBody>;
};

/** The calls with one hang-up reason. */
export type ReasonCount = {
  __typename: 'ReasonCount';
  /** Number of those calls that were answered. */
  answered: Scalars['Int']['output'];
  /** Number of calls. */
  calls: Scalars['Int']['output'];
  /** The hang-up reason, as the service writes it. Null for calls whose event does not state it. */
  reason: Maybe<Scalars['String']['output']>;
};

/** A person whom a task has called. Calls are to one person if they have the same taskItemId, or the same number in any usual writing. People whom the task has not called yet are not known. */
export type Recipient = {
  __typename: 'Recipient';
  /** Number of calls to the person in this task. */
  attempts: Scalars['Int']['output'];
  /** The newest events of the last calls, the newest first. */
  calls: Array<CallEnded>;
  /** The variables given for this number when the task was created, of the last call. Needs the scope people:read. */
  extra: Maybe<Scalars['JSONObject']['output']>;
  /** When the first call ended; receivedAt counts where endAt is null. */
  firstCallAt: Scalars['DateTime']['output'];
  /** The newest event of the last call. Null where it is no longer in the log. */
  lastCall: Maybe<CallEnded>;
  /** When the last call ended, by the same time. */
  lastCallAt: Scalars['DateTime']['output'];
  /** The hang-up reason of the last call, as the service writes it, up to 128 characters. */
  lastReason: Maybe<Scalars['String']['output']>;
  /** What became of the calls. */
  outcome: RecipientOutcome;
  /** The number that the last call went to. Masked without the scope people:read: +8613****0001. The label of a line, such as A068, is shown. Null where the call is no longer in the log. */
  phone: Maybe<Scalars['String']['output']>;
  /** Sum of billsec over all calls. In the unit of the service, which its documentation does not state. */
  talkTime: Scalars['Float']['output'];
};


/** A person whom a task has called. Calls are to one person if they have the same taskItemId, or the same number in any usual writing. People whom the task has not called yet are not known. */
export type RecipientCallsArgs = {
  first?: Scalars['Int']['input'];
};

/** A page of people whom a task has called. */
export type RecipientConnection = {
  __typename: 'RecipientConnection';
  /** The entries of this page, each with its cursor. */
  edges: Array<RecipientEdge>;
  /** The entries of this page, without their cursors. */
  nodes: Array<Recipient>;
  /** The place of this page. */
  pageInfo: PageInfo;
  /** The place in the log up to which these people are shown, and perhaps more. Null: nothing was read from the log yet. */
  upTo: Maybe<Scalars['String']['output']>;
};

/** How many people a task has called, by outcome. */
export type RecipientCounts = {
  __typename: 'RecipientCounts';
  /** Number of calls to them. */
  attempts: Scalars['Int']['output'];
  /** The people by outcome, the most first. An outcome that nobody has is left out. */
  byOutcome: Array<OutcomeCount>;
  /** Number of people whom the task has not called yet: total less recipients. A number that is twice in the task, and calls that are not in the log (from before it began, expired or erased), make it too high; masked numbers make it too low. Null where the service states no total, or a smaller one than recipients. */
  notCalled: Maybe<Scalars['Int']['output']>;
  /** Number of people whom the task has called. */
  recipients: Scalars['Int']['output'];
  /** Sum of billsec over these calls. In the unit of the service, which its documentation does not state. */
  talkTime: Scalars['Float']['output'];
  /** The place in the log up to which these people are shown, and perhaps more. Null: nothing was read from the log yet. */
  upTo: Maybe<Scalars['String']['output']>;
};

/** A person and its cursor. */
export type RecipientEdge = {
  __typename: 'RecipientEdge';
  /** Pass it as after to continue with the next entry. */
  cursor: Scalars['String']['output'];
  /** The person. */
  node: Recipient;
};

/** A person must match every given field; null matches everybody. */
export type RecipientFilter = {
  /** People with at most this number of calls. */
  maxAttempts?: InputMaybe<Scalars['Int']['input']>;
  /** People with at least this number of calls. */
  minAttempts?: InputMaybe<Scalars['Int']['input']>;
  /** People with at least this sum of billsec. In the unit of the service, which its documentation does not state. */
  minTalkTime?: InputMaybe<Scalars['Float']['input']>;
  /** People with one of these outcomes; an empty list matches nobody. */
  outcome?: InputMaybe<Array<RecipientOutcome>>;
  /** People whose last call has one of these hang-up reasons, as they are written; null in the list: no reason. At most 100; an empty list matches nobody. */
  reasons?: InputMaybe<Array<InputMaybe<Scalars['String']['input']>>>;
  /** People whose lastCallAt is at or after this instant. */
  since?: InputMaybe<Scalars['DateTime']['input']>;
  /** People whose lastCallAt is before this instant. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
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

/** The recording of a call, which the gateway downloads before the service's URL expires. */
export type Recording = Node & {
  __typename: 'Recording';
  /** When it was archived. Null unless ARCHIVED. */
  archivedAt: Maybe<Scalars['DateTime']['output']>;
  /** The size in bytes. Null unless ARCHIVED. */
  bytes: Maybe<Scalars['Float']['output']>;
  /** The newest event of the call. Null where it is no longer in the log. */
  callEnded: Maybe<CallEnded>;
  /** The media type, such as audio/wav. Null unless ARCHIVED. */
  contentType: Maybe<Scalars['String']['output']>;
  /** Why it is LOST, or why the last attempt failed. Null where no attempt failed. */
  failure: Maybe<Scalars['String']['output']>;
  /** The graph's own id. */
  id: Scalars['ID']['output'];
  /** The service's ID of the call. */
  sessionId: Scalars['ID']['output'];
  /** How far the download is. */
  status: RecordingStatus;
  /** The path on the gateway that serves the sound, with range requests. It is valid for this viewer until urlExpiresAt. Null unless ARCHIVED. Needs the scope recordings:read. */
  url: Maybe<Scalars['String']['output']>;
  /** When url expires: ask for a new one then. Null unless ARCHIVED. */
  urlExpiresAt: Maybe<Scalars['DateTime']['output']>;
};

/** Number of recordings by status. */
export type RecordingCounts = {
  __typename: 'RecordingCounts';
  /** Recordings that the gateway serves. */
  archived: Scalars['Int']['output'];
  /** Recordings that could not be downloaded. */
  lost: Scalars['Int']['output'];
  /** Recordings that wait for their download. */
  pending: Scalars['Int']['output'];
};

/** How far the gateway is with archiving a recording. */
export type RecordingStatus =
  /** The gateway has it and serves it. */
  | 'ARCHIVED'
  /** The URL had expired, or the last attempt failed. This is final. */
  | 'LOST'
  /** It waits for its download, or for another attempt. */
  | 'PENDING';

/** The webhooks that a process of the gateway refused after the last one that it accepted. */
export type RefusedWebhooks = {
  __typename: 'RefusedWebhooks';
  /** Number of them. */
  count: Scalars['Float']['output'];
  /** When the last of them came. */
  lastAt: Scalars['DateTime']['output'];
  /** Number of them by reason, in the order in which the reasons came first. */
  reasons: Array<WebhookRefusalCount>;
  /** When the first of them came. */
  since: Scalars['DateTime']['output'];
};

/** The result of reprocessQuarantined. */
export type ReprocessQuarantinedPayload = {
  __typename: 'ReprocessQuarantinedPayload';
  /** The event in the log. Null where the delivery still cannot be read: see reason. */
  event: Maybe<CallEnded>;
  /** Why it still cannot be read. Null on success. */
  reason: Maybe<Scalars['String']['output']>;
};

/** The result of rereadDeliveries. */
export type RereadDeliveriesPayload = {
  __typename: 'RereadDeliveriesPayload';
  /** Number of revisions that were appended, because a call changed. */
  changed: Scalars['Int']['output'];
  /** The cursor after which to go on. */
  cursor: Scalars['String']['output'];
  /** Whether later deliveries are kept. */
  hasNextPage: Scalars['Boolean']['output'];
  /** Number of deliveries that were read. */
  read: Scalars['Int']['output'];
  /** Number of deliveries that cannot be read now, and of damaged groups of deliveries. Their calls stay as they are. */
  unreadable: Scalars['Int']['output'];
};

/** The calls that one end of the line hung up. */
export type SideCount = {
  __typename: 'SideCount';
  /** Number of calls. */
  calls: Scalars['Int']['output'];
  /** The end that hung up. Null for calls whose event does not state it. */
  side: Maybe<HangupSide>;
};

/** The calls of one bucket of a timeline. */
export type StatsBucket = {
  __typename: 'StatsBucket';
  /** Number of those calls that were answered. */
  answered: Scalars['Int']['output'];
  /** Number of calls. */
  calls: Scalars['Int']['output'];
  /** When the bucket begins. */
  start: Scalars['DateTime']['output'];
};

/** The subscription is active, and every event after this cursor will follow. It is the first item, and is repeated after a while without other items. */
export type StreamCheckpoint = CallStreamItem & {
  __typename: 'StreamCheckpoint';
  /** Where to resume: pass it as after to continue with the next item. */
  cursor: Scalars['String']['output'];
};

/** Events are missing here, because they are no longer kept or an entry of the log is damaged. The stream continues with the next readable event; the cursor is the place just before it. */
export type StreamGap = CallStreamItem & {
  __typename: 'StreamGap';
  /** The last cursor before the gap: of the previous item, or the one in the arguments. */
  after: Scalars['String']['output'];
  /** Where to resume: pass it as after to continue with the next item. */
  cursor: Scalars['String']['output'];
};

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

/** Follows calls, tasks and recordings live. */
export type Subscription = {
  __typename: 'Subscription';
  /** Each alert when it is raised. Where alerts that were raised after the argument are no longer kept, the subscription ends with CURSOR_EXPIRED: read Query.alerts, and subscribe after extensions.cursor. */
  alertRaised: Alert;
  /** Every call that ends. A slow reader loses nothing: it is served from the log. Where entries are no longer kept, or one is damaged, the subscription ends with CURSOR_EXPIRED, and extensions.cursor tells where to continue. */
  callEnded: CallEnded;
  /** The events of callEnded with items that tell when the subscription is active and where events are missing. For clients that resume by themselves. */
  callEndedStream: CallStreamItem;
  /** Each recording when it becomes ARCHIVED or LOST, from now on. */
  recordingSettled: Recording;
  /** The task now, then again when one of its calls ends or when a check every few seconds finds a change. Null where the service has no such task. */
  taskProgress: Maybe<Task>;
  /** A submission now, then again when its status changes. It completes when the status is final. With TASK_CORRELATION=off it completes at ACCEPTED and UNCONFIRMED, too. Needs the scope tasks:create, tasks:propose or tasks:approve. */
  taskSubmission: Maybe<TaskSubmission>;
};


/** Follows calls, tasks and recordings live. */
export type SubscriptionAlertRaisedArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
};


/** Follows calls, tasks and recordings live. */
export type SubscriptionCallEndedArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<CallEndedFilter>;
  imported?: Scalars['Boolean']['input'];
  revisions?: Scalars['Boolean']['input'];
};


/** Follows calls, tasks and recordings live. */
export type SubscriptionCallEndedStreamArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<CallEndedFilter>;
  imported?: Scalars['Boolean']['input'];
  revisions?: Scalars['Boolean']['input'];
};


/** Follows calls, tasks and recordings live. */
export type SubscriptionRecordingSettledArgs = {
  filter?: InputMaybe<CallEndedFilter>;
};


/** Follows calls, tasks and recordings live. */
export type SubscriptionTaskProgressArgs = {
  taskId: Scalars['ID']['input'];
};


/** Follows calls, tasks and recordings live. */
export type SubscriptionTaskSubmissionArgs = {
  id: Scalars['ID']['input'];
};

/** A batch of phone numbers that one assistant calls on a schedule, with retries. A field is null where the service does not state it. */
export type Task = Node & {
  __typename: 'Task';
  /** The open alerts about this task, the newest first. */
  alerts: Array<Alert>;
  /** The version of the assistant that makes the calls. */
  assistant: Maybe<Assistant>;
  /** The service's ID of the version of the assistant that makes the calls. */
  assistantVersionId: Maybe<Scalars['ID']['output']>;
  /** The submissions that call people of this task again, the newest first. Needs the scope tasks:create, tasks:propose or tasks:approve. */
  callAgain: Array<TaskSubmission>;
  /** The calls of this task. The range defaults to the whole life of the task. */
  callLogs: Maybe<CallLogConnection>;
  /** Statistics over the received events of this task. */
  callStats: Maybe<CallStats>;
  /** The share of collected answers as the service states it, in percent. */
  collectionRate: Maybe<Scalars['Float']['output']>;
  /** When the task was created. */
  createdAt: Maybe<Scalars['DateTime']['output']>;
  /** The graph's own id. */
  id: Scalars['ID']['output'];
  /** The name of the task. */
  name: Maybe<Scalars['String']['output']>;
  /** When and how the numbers are called. */
  option: Maybe<TaskOption>;
  /** How much of the task is done, in percent. */
  progress: Maybe<Scalars['Float']['output']>;
  /** How many people this task has called, by outcome. Not for viewers with access to some assistants only. */
  recipientCounts: Maybe<RecipientCounts>;
  /** The people whom this task has called, in the order in which the log got their first calls: somebody who is called again keeps the place. Not for viewers with access to some assistants only. */
  recipients: Maybe<RecipientConnection>;
  /** The status of the task. */
  status: TaskStatus;
  /** The service's suggestion for the task. */
  suggestion: Maybe<Scalars['String']['output']>;
  /** The service's summary of the task. */
  summary: Maybe<Scalars['String']['output']>;
  /** The service's ID of the task. */
  taskId: Scalars['ID']['output'];
  /** Count of numbers in the task. */
  total: Maybe<Scalars['Int']['output']>;
  /** Fields whose value could not be read, or could mean two things, with the text of the service. Usually empty. */
  unread: Array<UnreadField>;
  /** When the task was last updated. */
  updatedAt: Maybe<Scalars['DateTime']['output']>;
};


/** A batch of phone numbers that one assistant calls on a schedule, with retries. A field is null where the service does not state it. */
export type TaskAlertsArgs = {
  first?: Scalars['Int']['input'];
};


/** A batch of phone numbers that one assistant calls on a schedule, with retries. A field is null where the service does not state it. */
export type TaskCallAgainArgs = {
  first?: Scalars['Int']['input'];
};


/** A batch of phone numbers that one assistant calls on a schedule, with retries. A field is null where the service does not state it. */
export type TaskCallLogsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<TaskCallLogFilter>;
  first?: Scalars['Int']['input'];
};


/** A batch of phone numbers that one assistant calls on a schedule, with retries. A field is null where the service does not state it. */
export type TaskRecipientCountsArgs = {
  waitFor?: InputMaybe<Scalars['String']['input']>;
};


/** A batch of phone numbers that one assistant calls on a schedule, with retries. A field is null where the service does not state it. */
export type TaskRecipientsArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  filter?: InputMaybe<RecipientFilter>;
  first?: Scalars['Int']['input'];
  waitFor?: InputMaybe<Scalars['String']['input']>;
};

/** Whether a task's calls begin at once. */
export type TaskBegin =
  /** One of its periods is now. */
  | 'AT_ONCE'
  /** Its next period is still to come. */
  | 'LATER'
  /** All of its periods have ended. */
  | 'OVER';

/** A call must match every given field; null matches all calls of the task. */
export type TaskCallLogFilter = {
  /** Calls of this direction. */
  direction?: InputMaybe<CallDirection>;
  /** Real calls or debug calls. */
  kind?: InputMaybe<CallKind>;
  /** Calls whose caller or callee is this phone number, or this label of a line. The service is asked in several writings of a number (phoneWritings). Needs the scope people:read. */
  phone?: InputMaybe<Scalars['String']['input']>;
  /** The start of the range. Default: the day of the task's creation; with until, the start of until's day. */
  since?: InputMaybe<Scalars['DateTime']['input']>;
  /** The end of the range. Default: the end of today in the service's time zone. */
  until?: InputMaybe<Scalars['DateTime']['input']>;
};

/** What createTask would do with an input. */
export type TaskCheck = {
  __typename: 'TaskCheck';
  /** The task whose people it calls again, and how many of them it leaves out. Null where the input has numbers, and for an input whose people cannot be chosen: see errors. */
  calledAgainFrom: Maybe<CalledAgain>;
  /** The people by country code, the most first. Empty where the input has mistakes. */
  countries: Array<CountryCount>;
  /** Why createTask would refuse it now. Empty: it would send the task. */
  errors: Array<CreateTaskError>;
  /** How many numbers skipDoNotCall leaves out. */
  leftOutCount: Scalars['Int']['output'];
  /** What it uses of the limits of the key or token that count. Empty: there are none. */
  limits: Array<LimitUse>;
  /** How many numbers the task calls. Null where the input has mistakes (INVALID_INPUT). */
  people: Maybe<Scalars['Int']['output']>;
  /** When it calls. Null where the input has mistakes. */
  schedule: Maybe<TaskSchedule>;
};

/** A page of tasks. */
export type TaskConnection = {
  __typename: 'TaskConnection';
  /** The entries of this page, each with its cursor. */
  edges: Array<TaskEdge>;
  /** The entries of this page, without their cursors. An entry is null where the service has the task no longer. */
  nodes: Array<Maybe<Task>>;
  /** The place of this page. */
  pageInfo: PageInfo;
};

/** The calls of one task. */
export type TaskCount = {
  __typename: 'TaskCount';
  /** Number of those calls that were answered. */
  answered: Scalars['Int']['output'];
  /** Number of calls. */
  calls: Scalars['Int']['output'];
  /** The task. Null for calls without a task, and where the service has it no longer. */
  task: Maybe<Task>;
  /** The service's ID of the task. Null for calls without a task. */
  taskId: Maybe<Scalars['ID']['output']>;
};

/** The days on which a task calls. */
export type TaskDays =
  /** Its start date, and each day after it until it is done. */
  | 'DAILY'
  /** Its start date only. */
  | 'START_DATE';

/** The result of approveTask or declineTask. */
export type TaskDecisionPayload = {
  __typename: 'TaskDecisionPayload';
  /** Why it was not approved or not declined. Empty on success. */
  errors: Array<CreateTaskError>;
  /** It had been decided so before: this is the first result, and nothing was sent again. */
  replayed: Scalars['Boolean']['output'];
  /** The submission, as it is now. Null where the id is of no proposal. */
  submission: Maybe<TaskSubmission>;
};

/** A task and its cursor. */
export type TaskEdge = {
  __typename: 'TaskEdge';
  /** Pass it as after to continue with the next entry. */
  cursor: Scalars['String']['output'];
  /** The task. Null where the service has it no longer. */
  node: Maybe<Task>;
};

/** A limit of a key or token that counts. Hours begin at full hours of UTC, days at midnight of the service's time zone. */
export type TaskLimit =
  /** Numbers of all tasks in a day. */
  | 'NUMBERS_PER_DAY'
  /** Numbers of all tasks in an hour. */
  | 'NUMBERS_PER_HOUR'
  /** Numbers in one task. */
  | 'NUMBERS_PER_TASK'
  /** Tasks in a day. */
  | 'TASKS_PER_DAY'
  /** Tasks in an hour. */
  | 'TASKS_PER_HOUR';

/** How the gateway found the task of a submission. */
export type TaskMatch =
  /** By comparing a task with the submissions: only this one has its name, assistant and count of numbers, and was sent at that time. */
  | 'COMPARISON'
  /** By the correlation token of the submission, which came back with an ended call. This is certain. */
  | 'MARK';

/** A number to call. */
export type TaskNumberInput = {
  /** Variables of this number. They come back as extra of its call-ended event. */
  extra?: InputMaybe<Scalars['JSONObject']['input']>;
  /** The phone number, at most 64 characters. */
  number: Scalars['String']['input'];
};

/** When and how a task calls its numbers. */
export type TaskOption = {
  __typename: 'TaskOption';
  /** The IDs of the outgoing lines. The service calls them numbers. */
  lineIds: Array<Scalars['ID']['output']>;
  /** The columns of the number file, in the service's order. */
  numberFileMeta: Array<NumberFileColumn>;
  /** The times of day at which calls are made, as the service writes them. It calls them startTime. */
  periods: Array<Array<Scalars['String']['output']>>;
  /** Number of retries. Null where the service does not state it. */
  retryCount: Maybe<Scalars['Int']['output']>;
  /** Time between retries. In the unit of the service, which its documentation does not state. */
  retryInterval: Maybe<Scalars['Int']['output']>;
  /** The first day of calls, as the service writes it. Null where it does not state it. */
  startDate: Maybe<Scalars['String']['output']>;
};

/** A period of the day in which a task calls. A member is null where its text is in a form that the gateway does not read. */
export type TaskPeriod = {
  __typename: 'TaskPeriod';
  /** When it ends on that day. Null also where it does not end after it begins. */
  endsAt: Maybe<Scalars['DateTime']['output']>;
  /** A time of day by the clock of timeZone, such as 09:00. */
  from: Maybe<Scalars['String']['output']>;
  /** When it begins on the next day of calls: the start date, or a later day where days is DAILY. */
  startsAt: Maybe<Scalars['DateTime']['output']>;
  /** Such as 12:00. */
  to: Maybe<Scalars['String']['output']>;
};

/** A task that waits for an approval, or waited for one: what it would do, without its phone numbers. */
export type TaskProposal = {
  __typename: 'TaskProposal';
  /** The version of the assistant that was seen last, to compare with. Null where the gateway saw no task that uses it. */
  assistant: Maybe<Assistant>;
  /** What people will hear in the place of the assistant's own words. Null: the assistant stays as it is, or the proposal is decided, and its input is erased. */
  assistantOverride: Maybe<AssistantOverride>;
  /** Its people by country code, the most first. Null where an earlier version of the gateway stored it. */
  countries: Maybe<Array<CountryCount>>;
  /** When it was approved or declined, or expired. Null while it waits. */
  decidedAt: Maybe<Scalars['DateTime']['output']>;
  /** The viewer that approved or declined it. Null if nobody did, and for viewers that may not see submittedBy. */
  decidedBy: Maybe<Scalars['String']['output']>;
  /** The reason that declineTask was given. */
  declineReason: Maybe<Scalars['String']['output']>;
  /** When it expires, if nobody decides. */
  expiresAt: Scalars['DateTime']['output'];
  /** The IDs of the outgoing lines. */
  lineIds: Array<Scalars['ID']['output']>;
  /** Whether the task changes the assistant's settings (assistantOverride). */
  overridesAssistant: Scalars['Boolean']['output'];
  /** The times of day at which calls are made, as the input has them. */
  periods: Array<Array<Scalars['String']['output']>>;
  /** Number of retries. */
  retryCount: Scalars['Int']['output'];
  /** Time between retries in seconds. */
  retryIntervalSeconds: Scalars['Int']['output'];
  /** When it would call, if it were approved now. */
  schedule: TaskSchedule;
  /** Whether numbers of the never-call list are left out; otherwise such a number refuses the approval. */
  skipDoNotCall: Scalars['Boolean']['output'];
  /** The first day of calls, as the input has it. */
  startDate: Scalars['String']['output'];
};

/** When a task calls. */
export type TaskSchedule = {
  __typename: 'TaskSchedule';
  /** Whether calls begin at once. Null where a period is not known. */
  begin: Maybe<TaskBegin>;
  /** On which days it calls (UPSTREAM_TASK_DAYS). Null: the gateway does not know it. */
  days: Maybe<TaskDays>;
  /** The hours in which it calls. */
  periods: Array<TaskPeriod>;
  /** The first day of calls, as YYYY-MM-DD. Null where the gateway does not read its form. */
  startDate: Maybe<Scalars['String']['output']>;
  /** When its next period begins. Null unless begin is LATER. */
  startsAt: Maybe<Scalars['DateTime']['output']>;
  /** The time zone of the service's clock, which the dates and periods follow. */
  timeZone: Scalars['String']['output'];
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

/** A task that was sent or proposed through this gateway. The service does not return the ID of a created task. The gateway learns it from a call-ended event that carries the correlation token of the submission, or by comparing tasks. */
export type TaskSubmission = Node & {
  __typename: 'TaskSubmission';
  /** The service's ID of its assistant. */
  assistantId: Scalars['ID']['output'];
  /** The task whose people it calls again, and how many of them it leaves out. Null: its numbers were in the input. */
  calledAgainFrom: Maybe<CalledAgain>;
  /** The graph's own id. */
  id: Scalars['ID']['output'];
  /** The key of the createTask input. */
  idempotencyKey: Scalars['String']['output'];
  /** Count of the numbers that are left out, because they are in the never-call list. */
  leftOutCount: Scalars['Int']['output'];
  /** How the gateway found the task. Null unless RESOLVED, and for submissions resolved by a version of the gateway before this field. */
  matchedBy: Maybe<TaskMatch>;
  /** The name of the task. */
  name: Scalars['String']['output'];
  /** Count of the numbers that were sent, or would be sent. */
  numberCount: Scalars['Int']['output'];
  /** What an approver decides on. Null: the task was sent without an approval. */
  proposal: Maybe<TaskProposal>;
  /** What is known of the task. */
  status: SubmissionStatus;
  /** When the gateway received it. */
  submittedAt: Scalars['DateTime']['output'];
  /** The viewer that submitted it: the name of its API key, or of the subject of its token. Null unless it is this viewer, or this viewer has the scope admin, or tasks:approve for a proposal. */
  submittedBy: Maybe<Scalars['String']['output']>;
  /** The created task. Null unless RESOLVED. */
  task: Maybe<Task>;
  /** The service's ID of the task. Null unless RESOLVED. */
  taskId: Maybe<Scalars['ID']['output']>;
};

/** A page of submissions. */
export type TaskSubmissionConnection = {
  __typename: 'TaskSubmissionConnection';
  /** The entries of this page, each with its cursor. */
  edges: Array<TaskSubmissionEdge>;
  /** The entries of this page, without their cursors. */
  nodes: Array<TaskSubmission>;
  /** The place of this page. */
  pageInfo: PageInfo;
};

/** A submission and its cursor. */
export type TaskSubmissionEdge = {
  __typename: 'TaskSubmissionEdge';
  /** Pass it as after to continue with the next entry. */
  cursor: Scalars['String']['output'];
  /** The submission. */
  node: TaskSubmission;
};

/** The length of a bucket of a timeline. */
export type TimeBucket =
  /** A day of the time zone: 23 to 25 hours where clocks change. */
  | 'DAY'
  /** An hour of the time zone's clock. */
  | 'HOUR'
  /** A minute. */
  | 'MINUTE';

/** A value that the gateway could not read, such as an unknown status, whose field is null. Or a time that is ambiguous because clocks were changed, whose field shows one of the two instants. It never holds a secret. */
export type UnreadField = {
  __typename: 'UnreadField';
  /** The name of the field in this graph, such as startAt, assistants[0] or option.lineIds[2]. */
  field: Scalars['String']['output'];
  /** What the service wrote. Phone numbers are masked without the scope people:read. */
  text: Scalars['String']['output'];
};

/** How the calling service responds to the gateway. */
export type UpstreamState =
  /** The newest request, or one of the last ten seconds, failed, or the times of its calls are read wrongly. */
  | 'DEGRADED'
  /** The circuit breaker is open: requests fail at once. */
  | 'DOWN'
  /** Requests succeed. */
  | 'HEALTHY';

/** The client that sent the request, as its credentials identify it. */
export type Viewer = {
  __typename: 'Viewer';
  /** The limits of the key or token for new tasks. Null: it has none. */
  limits: Maybe<ViewerLimits>;
  /** The name of the API key, or of the subject of the token. */
  name: Scalars['String']['output'];
  /** What the viewer may do, such as calls:read or tasks:create. */
  scopes: Array<Scalars['String']['output']>;
};

/** What a key or token may not exceed with new tasks. A member that is null does not restrict. */
export type ViewerLimits = {
  __typename: 'ViewerLimits';
  /** The assistants that it may use. */
  assistantIds: Maybe<Array<Scalars['ID']['output']>>;
  /** The hours of the called people that each period of a task must be within, all year. A number must keep each rule whose prefix it begins with. */
  calledHours: Maybe<Array<CalledHours>>;
  /** The hours that each period of a task must be within. */
  callingHours: Maybe<CallingHours>;
  /** The limits that count, and what is left of them. */
  counts: Array<LimitState>;
  /** The outgoing lines that it may use. */
  lineIds: Maybe<Array<Scalars['ID']['output']>>;
  /** What a number that it may call begins with, such as +86. A prefix without + is compared with numbers that are written without +. */
  prefixes: Maybe<Array<Scalars['String']['output']>>;
};

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

/** Number of webhooks that were refused for one reason. */
export type WebhookRefusalCount = {
  __typename: 'WebhookRefusalCount';
  /** Number of them. */
  count: Scalars['Float']['output'];
  /** Why they were refused. */
  reason: WebhookRefusal;
};

/** How webhooks fare since the process that answers was started. Each gateway knows only of the webhooks that came to itself. */
export type WebhookStatus = {
  __typename: 'WebhookStatus';
  /** Number of webhooks that were accepted in the last minute. */
  acceptedLastMinute: Scalars['Int']['output'];
  /** When the last webhook was accepted. Null: none was. */
  lastAcceptedAt: Maybe<Scalars['DateTime']['output']>;
  /** The webhooks that were refused after the last accepted one. Null: none was. */
  refused: Maybe<RefusedWebhooks>;
  /** Number of webhooks that were refused in the last minute. */
  refusedLastMinute: Scalars['Int']['output'];
  /** Number of webhooks in a row, up to now, that were accepted and could not be read. They are in quarantine. */
  unreadableInARow: Scalars['Int']['output'];
};

/** What a test of the webhook's way needs. Sent by POST to the address of webhooks, from outside, it shows whether the proxies in front pass a webhook on. It enters no log. switchboard doctor --webhook --address sends it, and so does the console. */
export type WebhookTest = {
  __typename: 'WebhookTest';
  /** The value of the Authorization header. It can do nothing else. */
  authorization: Scalars['String']['output'];
  /** The size of the body in bytes: the largest that a webhook may have. */
  bytes: Scalars['Int']['output'];
  /** From then on the header is refused. */
  expiresAt: Scalars['DateTime']['output'];
  /** The path of webhooks, which is WEBHOOK_PATH. */
  path: Scalars['String']['output'];
};
