/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
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

/** The task to create. */
export type CreateTaskInput = {
  /** The service's ID of the assistant that makes the calls. */
  assistantId: string | number;
  /** Changes to the assistant for this task. Null: none. */
  assistantOverride?: AssistantOverrideInput | null | undefined;
  /** People of another task to call again, in the place of numbers. People of the never-call list are left out, whether skipDoNotCall is set or not. */
  from?: CallAgainInput | null | undefined;
  /** Makes the mutation safe to repeat. The same key with the same input returns the first result and calls nobody twice; with another input it is refused. Use one key per intended task, such as a UUID; at most 255 characters. */
  idempotencyKey: string;
  /** The name of the task, at most 1000 characters. */
  name: string;
  /** The numbers to call: 1 to 100000, each only once. Null where `from` is given. */
  numbers?: Array<TaskNumberInput> | null | undefined;
  /** When and how the numbers are called. */
  option: CreateTaskOptionInput;
  /** Leaves out numbers that are in the never-call list; TaskSubmission.leftOutCount counts them. By default such a number refuses the whole task. */
  skipDoNotCall?: boolean | null | undefined;
};

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

/** A language that an assistant speaks. */
export type Language =
  /** English. */
  | 'EN'
  /** Japanese. */
  | 'JP'
  /** Chinese. */
  | 'ZH';

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

/** A number to call. */
export type TaskNumberInput = {
  /** Variables of this number. They come back as extra of its call-ended event. */
  extra?: Record<string, unknown> | null | undefined;
  /** The phone number, at most 64 characters. */
  number: string;
};

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { name: string, scopes: Array<string> } };

export type CallsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type CallsQuery = { callLogs: { headCursor: string, totalCount: number, driftDetected: boolean, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, sessionId: string | null, direction: CallDirection | null, caller: string | null, callee: string | null, startAt: string | null, endAt: string | null, answered: boolean | null, task: { id: string, name: string | null } | null, assistants: Array<{ assistantId: string, versionId: string, assistant: { id: string, name: string | null } | null }> }> } | null };

export type CallEndedSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type CallEndedSubscription = { callEnded: { cursor: string, id: string, sessionId: string, direction: CallDirection | null, caller: string | null, callee: string | null, startAt: string | null, endAt: string | null, answered: boolean | null, task: { id: string, name: string | null } | null, assistants: Array<{ assistantId: string, versionId: string, assistant: { id: string, name: string | null } | null }> } };

export type CreateTaskMutationVariables = Exact<{
  input: CreateTaskInput;
}>;


export type CreateTaskMutation = { createTask: { replayed: boolean, submission: { id: string, status: SubmissionStatus } | null, errors: Array<{ code: CreateTaskErrorCode, message: string, path: Array<string> }> } | null };

export type SubmissionSubscriptionVariables = Exact<{
  id: string | number;
}>;


export type SubmissionSubscription = { taskSubmission: { id: string, status: SubmissionStatus, taskId: string | null } | null };


export const ViewerDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"viewer"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"scopes"}}]}}]}}]} as unknown as DocumentNode<ViewerQuery, ViewerQueryVariables>;
export const CallsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Calls"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callLogs"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"10"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"headCursor"}},{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"driftDetected"}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sessionId"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"caller"}},{"kind":"Field","name":{"kind":"Name","value":"callee"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"answered"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"assistants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"assistantId"}},{"kind":"Field","name":{"kind":"Name","value":"versionId"}},{"kind":"Field","name":{"kind":"Name","value":"assistant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<CallsQuery, CallsQueryVariables>;
export const CallEndedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"CallEnded"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"callEnded"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"cursor"}},{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"sessionId"}},{"kind":"Field","name":{"kind":"Name","value":"direction"}},{"kind":"Field","name":{"kind":"Name","value":"caller"}},{"kind":"Field","name":{"kind":"Name","value":"callee"}},{"kind":"Field","name":{"kind":"Name","value":"startAt"}},{"kind":"Field","name":{"kind":"Name","value":"endAt"}},{"kind":"Field","name":{"kind":"Name","value":"answered"}},{"kind":"Field","name":{"kind":"Name","value":"task"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"assistants"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"assistantId"}},{"kind":"Field","name":{"kind":"Name","value":"versionId"}},{"kind":"Field","name":{"kind":"Name","value":"assistant"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<CallEndedSubscription, CallEndedSubscriptionVariables>;
export const CreateTaskDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateTask"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateTaskInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createTask"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"replayed"}},{"kind":"Field","name":{"kind":"Name","value":"submission"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}}]}},{"kind":"Field","name":{"kind":"Name","value":"errors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<CreateTaskMutation, CreateTaskMutationVariables>;
export const SubmissionDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"Submission"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"taskSubmission"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"taskId"}}]}}]}}]} as unknown as DocumentNode<SubmissionSubscription, SubmissionSubscriptionVariables>;