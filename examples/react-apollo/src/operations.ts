import { graphql } from "./gql/index.ts";

export const ViewerDocument = graphql(`
  query Viewer {
    viewer {
      name
      scopes
    }
  }
`);

export const CallsDocument = graphql(`
  query Calls($after: String) {
    callLogs(first: 10, after: $after) {
      headCursor
      totalCount
      driftDetected
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        sessionId
        direction
        caller
        callee
        startAt
        endAt
        answered
        task {
          id
          name
        }
        assistants {
          assistantId
          versionId
          assistant {
            id
            name
          }
        }
      }
    }
  }
`);

export const CallEndedDocument = graphql(`
  subscription CallEnded($after: String) {
    callEnded(after: $after) {
      cursor
      id
      sessionId
      direction
      caller
      callee
      startAt
      endAt
      answered
      task {
        id
        name
      }
      assistants {
        assistantId
        versionId
        assistant {
          id
          name
        }
      }
    }
  }
`);

export const CreateTaskDocument = graphql(`
  mutation CreateTask($input: CreateTaskInput!) {
    createTask(input: $input) {
      replayed
      submission {
        id
        status
      }
      errors {
        code
        message
        path
      }
    }
  }
`);

export const SubmissionDocument = graphql(`
  subscription Submission($id: ID!) {
    taskSubmission(id: $id) {
      id
      status
      taskId
    }
  }
`);
