/* eslint-disable */
import * as types from './graphql.ts';



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
    "\n  mutation Submit($input: CreateTaskInput!) {\n    createTask(input: $input) {\n      replayed\n      submission {\n        id\n        idempotencyKey\n        status\n        name\n        assistantId\n        numberCount\n        submittedAt\n      }\n      errors {\n        code\n        message\n        path\n      }\n    }\n  }\n": typeof types.SubmitDocument,
    "\n  query CallsWithTasks($filter: CallLogFilter, $first: Int! = 50, $after: String) {\n    callLogs(first: $first, after: $after, filter: $filter) {\n      totalCount\n      since\n      until\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        cursor\n      }\n      nodes {\n        sessionId\n        taskId\n        startAt\n        task {\n          taskId\n          name\n        }\n      }\n    }\n  }\n": typeof types.CallsWithTasksDocument,
};
const documents: Documents = {
    "\n  mutation Submit($input: CreateTaskInput!) {\n    createTask(input: $input) {\n      replayed\n      submission {\n        id\n        idempotencyKey\n        status\n        name\n        assistantId\n        numberCount\n        submittedAt\n      }\n      errors {\n        code\n        message\n        path\n      }\n    }\n  }\n": types.SubmitDocument,
    "\n  query CallsWithTasks($filter: CallLogFilter, $first: Int! = 50, $after: String) {\n    callLogs(first: $first, after: $after, filter: $filter) {\n      totalCount\n      since\n      until\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        cursor\n      }\n      nodes {\n        sessionId\n        taskId\n        startAt\n        task {\n          taskId\n          name\n        }\n      }\n    }\n  }\n": types.CallsWithTasksDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Submit($input: CreateTaskInput!) {\n    createTask(input: $input) {\n      replayed\n      submission {\n        id\n        idempotencyKey\n        status\n        name\n        assistantId\n        numberCount\n        submittedAt\n      }\n      errors {\n        code\n        message\n        path\n      }\n    }\n  }\n"): typeof import('./graphql.ts').SubmitDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query CallsWithTasks($filter: CallLogFilter, $first: Int! = 50, $after: String) {\n    callLogs(first: $first, after: $after, filter: $filter) {\n      totalCount\n      since\n      until\n      pageInfo {\n        hasNextPage\n        hasPreviousPage\n        startCursor\n        endCursor\n      }\n      edges {\n        cursor\n      }\n      nodes {\n        sessionId\n        taskId\n        startAt\n        task {\n          taskId\n          name\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').CallsWithTasksDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
