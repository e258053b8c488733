/* eslint-disable */
import * as types from './graphql.ts';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query Viewer {\n    viewer {\n      name\n      scopes\n    }\n  }\n": typeof types.ViewerDocument,
    "\n  query Calls($after: String) {\n    callLogs(first: 10, after: $after) {\n      headCursor\n      totalCount\n      driftDetected\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        id\n        sessionId\n        direction\n        caller\n        callee\n        startAt\n        endAt\n        answered\n        task {\n          id\n          name\n        }\n        assistants {\n          assistantId\n          versionId\n          assistant {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n": typeof types.CallsDocument,
    "\n  subscription CallEnded($after: String) {\n    callEnded(after: $after) {\n      cursor\n      id\n      sessionId\n      direction\n      caller\n      callee\n      startAt\n      endAt\n      answered\n      task {\n        id\n        name\n      }\n      assistants {\n        assistantId\n        versionId\n        assistant {\n          id\n          name\n        }\n      }\n    }\n  }\n": typeof types.CallEndedDocument,
    "\n  mutation CreateTask($input: CreateTaskInput!) {\n    createTask(input: $input) {\n      replayed\n      submission {\n        id\n        status\n      }\n      errors {\n        code\n        message\n        path\n      }\n    }\n  }\n": typeof types.CreateTaskDocument,
    "\n  subscription Submission($id: ID!) {\n    taskSubmission(id: $id) {\n      id\n      status\n      taskId\n    }\n  }\n": typeof types.SubmissionDocument,
};
const documents: Documents = {
    "\n  query Viewer {\n    viewer {\n      name\n      scopes\n    }\n  }\n": types.ViewerDocument,
    "\n  query Calls($after: String) {\n    callLogs(first: 10, after: $after) {\n      headCursor\n      totalCount\n      driftDetected\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        id\n        sessionId\n        direction\n        caller\n        callee\n        startAt\n        endAt\n        answered\n        task {\n          id\n          name\n        }\n        assistants {\n          assistantId\n          versionId\n          assistant {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n": types.CallsDocument,
    "\n  subscription CallEnded($after: String) {\n    callEnded(after: $after) {\n      cursor\n      id\n      sessionId\n      direction\n      caller\n      callee\n      startAt\n      endAt\n      answered\n      task {\n        id\n        name\n      }\n      assistants {\n        assistantId\n        versionId\n        assistant {\n          id\n          name\n        }\n      }\n    }\n  }\n": types.CallEndedDocument,
    "\n  mutation CreateTask($input: CreateTaskInput!) {\n    createTask(input: $input) {\n      replayed\n      submission {\n        id\n        status\n      }\n      errors {\n        code\n        message\n        path\n      }\n    }\n  }\n": types.CreateTaskDocument,
    "\n  subscription Submission($id: ID!) {\n    taskSubmission(id: $id) {\n      id\n      status\n      taskId\n    }\n  }\n": types.SubmissionDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Viewer {\n    viewer {\n      name\n      scopes\n    }\n  }\n"): (typeof documents)["\n  query Viewer {\n    viewer {\n      name\n      scopes\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Calls($after: String) {\n    callLogs(first: 10, after: $after) {\n      headCursor\n      totalCount\n      driftDetected\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        id\n        sessionId\n        direction\n        caller\n        callee\n        startAt\n        endAt\n        answered\n        task {\n          id\n          name\n        }\n        assistants {\n          assistantId\n          versionId\n          assistant {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query Calls($after: String) {\n    callLogs(first: 10, after: $after) {\n      headCursor\n      totalCount\n      driftDetected\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n      nodes {\n        id\n        sessionId\n        direction\n        caller\n        callee\n        startAt\n        endAt\n        answered\n        task {\n          id\n          name\n        }\n        assistants {\n          assistantId\n          versionId\n          assistant {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription CallEnded($after: String) {\n    callEnded(after: $after) {\n      cursor\n      id\n      sessionId\n      direction\n      caller\n      callee\n      startAt\n      endAt\n      answered\n      task {\n        id\n        name\n      }\n      assistants {\n        assistantId\n        versionId\n        assistant {\n          id\n          name\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  subscription CallEnded($after: String) {\n    callEnded(after: $after) {\n      cursor\n      id\n      sessionId\n      direction\n      caller\n      callee\n      startAt\n      endAt\n      answered\n      task {\n        id\n        name\n      }\n      assistants {\n        assistantId\n        versionId\n        assistant {\n          id\n          name\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateTask($input: CreateTaskInput!) {\n    createTask(input: $input) {\n      replayed\n      submission {\n        id\n        status\n      }\n      errors {\n        code\n        message\n        path\n      }\n    }\n  }\n"): (typeof documents)["\n  mutation CreateTask($input: CreateTaskInput!) {\n    createTask(input: $input) {\n      replayed\n      submission {\n        id\n        status\n      }\n      errors {\n        code\n        message\n        path\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription Submission($id: ID!) {\n    taskSubmission(id: $id) {\n      id\n      status\n      taskId\n    }\n  }\n"): (typeof documents)["\n  subscription Submission($id: ID!) {\n    taskSubmission(id: $id) {\n      id\n      status\n      taskId\n    }\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;