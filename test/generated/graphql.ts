/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
export type AssistantGlobalConfigInput = {
  language?: Language | null | undefined;
  prompt?: string | null | undefined;
  welcome?: string | null | undefined;
};

/** Creates a new version of the assistant for this task. */
export type AssistantOverrideInput = {
  globalConfig?: AssistantGlobalConfigInput | null | undefined;
  speakerId?: string | number | null | undefined;
};

export type CallDirection =
  | 'INBOUND'
  | 'OUTBOUND';

export type CallKind =
  | 'PHONE'
  /** A debug call. */
  | 'PRIVATE_TEST';

/** The service decides by which of a call's times; whole seconds. */
export type CallLogFilter = {
  assistantIds?: Array<string | number> | null | undefined;
  direction?: CallDirection | null | undefined;
  kind?: CallKind | null | undefined;
  /** Matches caller or callee. Needs the scope people:read. */
  phone?: string | null | undefined;
  /** Default: the start of until's day, or of today, in the service's time zone. */
  since?: string | null | undefined;
  /** At most 10, the service's limit. An empty list matches nothing. */
  taskIds?: Array<string | number> | null | undefined;
  /** Default: the end of today in the service's time zone. */
  until?: string | null | undefined;
};

export type CreateNumberFileMetaInput = {
  /** 性别 */
  gender: number;
  /** 姓名 */
  name: number;
  /** 号码 */
  number: number;
  /** 销售姓名 */
  salesPersonName: number;
};

export type CreateTaskErrorCode =
  /** The key was used before with another input. */
  | 'IDEMPOTENCY_CONFLICT'
  | 'INVALID_INPUT'
  /** The service refused the task; nothing was created. The submission is given too, REJECTED. */
  | 'REJECTED'
  /** The service could not be reached or had no room; nothing was created, and the key is free again. */
  | 'UNAVAILABLE';

export type CreateTaskInput = {
  assistantId: string | number;
  assistantOverride?: AssistantOverrideInput | null | undefined;
  /** Makes the mutation safe to repeat, also by a client that repeats by itself: the same key with the same input gives the first answer again and calls nobody twice; with another input it is refused. Make one per intended task, such as a UUID. */
  idempotencyKey: string;
  name: string;
  /** At least one, none twice. */
  numbers: Array<TaskNumberInput>;
  option: CreateTaskOptionInput;
};

export type CreateTaskOptionInput = {
  /** IDs of the outgoing lines (the service calls them numbers). */
  lineIds: Array<string | number>;
  numberFileMeta: CreateNumberFileMetaInput;
  /** Execution time periods (the service calls them startTime). */
  periods: Array<Array<string>>;
  retryCount: number;
  retryIntervalSeconds: number;
  startDate: string;
};

export type Language =
  | 'EN'
  | 'JP'
  | 'ZH';

export type SubmissionStatus =
  /** The service answered 200; it does not tell the task's ID. */
  | 'ACCEPTED'
  /** Being sent. */
  | 'PENDING'
  /** The service refused it. */
  | 'REJECTED'
  /** The task's ID is known. */
  | 'RESOLVED'
  /** It is not known whether the task exists: the connection broke, or the answer was no answer. It is never sent again by itself. */
  | 'UNCONFIRMED';

export type TaskNumberInput = {
  /** Variables for this number; they come back as extra in its call-ended event. */
  extra?: Record<string, unknown> | null | undefined;
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