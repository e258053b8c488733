/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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