/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

export type SubmitMutationVariables = Exact<{
  input: CreateTaskInput;
}>;


export type SubmitMutation = { createTask: { replayed: boolean, submission: { id: string, idempotencyKey: string, status: SubmissionStatus, name: string, assistantId: string, numberCount: number, submittedAt: string } | null, errors: Array<{ code: CreateTaskErrorCode, message: string, path: Array<string> }> } | null };

export type CallsWithTasksQueryVariables = Exact<{
  filter?: CallLogFilter | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type CallsWithTasksQuery = { callLogs: { totalCount: number, since: string, until: string, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, edges: Array<{ cursor: string }>, nodes: Array<{ sessionId: string | null, taskId: string | null, startAt: string | null, task: { taskId: string, name: string | null } | null }> } | null };

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

export const SubmitDocument = new TypedDocumentString(`
    mutation Submit($input: CreateTaskInput!) {
  createTask(input: $input) {
    replayed
    submission {
      id
      idempotencyKey
      status
      name
      assistantId
      numberCount
      submittedAt
    }
    errors {
      code
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<SubmitMutation, SubmitMutationVariables>;
export const CallsWithTasksDocument = new TypedDocumentString(`
    query CallsWithTasks($filter: CallLogFilter, $first: Int! = 50, $after: String) {
  callLogs(first: $first, after: $after, filter: $filter) {
    totalCount
    since
    until
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    edges {
      cursor
    }
    nodes {
      sessionId
      taskId
      startAt
      task {
        taskId
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CallsWithTasksQuery, CallsWithTasksQueryVariables>;