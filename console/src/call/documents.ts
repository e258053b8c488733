import { graphql } from "../gql/index.ts";

/** What the log knows of one call. `task` asks the service; everything else costs it nothing. */
export const callDocument = graphql(`
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
  }
`);

/** The call in the service's list, where the log has no event of it: the gateway searches the list around a time. */
export const listedCallDocument = graphql(`
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
`);

/** All entries about calls that ended at about the same time: the log has no list by call. */
export const revisionsDocument = graphql(`
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
`);

/** The attempts before a call, the last one first. */
export const attemptsDocument = graphql(`
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
`);
