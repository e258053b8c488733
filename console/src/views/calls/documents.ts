import { graphql } from "../../gql/index.ts";

/** `callEnded` adds what only the event of a call tells; the log answers it. Viewers without people:read have no filter by phone. */
export const callsDocument = graphql(`
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
  }
`);

export const exportDocument = graphql(`
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
  }
`);

/** Only whether calls end: the list is read anew when somebody asks for them. */
export const endedSinceDocument = graphql(`
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
`);
