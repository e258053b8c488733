import { graphql } from "../../gql/index.ts";

export const historyHintDocument = graphql(`
  query ConsoleHistoryHint {
    gateway {
      lacksHistory
    }
  }
`);

export const liveStartDocument = graphql(`
  query ConsoleLiveStart($filter: CallEndedFilter) {
    callEndedEvents(first: 100, order: NEWEST_FIRST, filter: $filter, imported: false) {
      headCursor
      nodes {
        ...LiveCall
      }
    }
  }

  fragment LiveCall on CallEnded {
    __typename
    cursor
    sessionId
    source
    receivedAt
    direction
    caller
    callee
    answerAt
    endAt
    answered
    hangupSide
    hungUpBy
    hangupReason
    taskId
    assistants {
      assistantId
    }
    unread {
      field
      text
    }
  }
`);

export const liveStreamDocument = graphql(`
  subscription ConsoleLive($after: String, $filter: CallEndedFilter) {
    callEndedStream(after: $after, filter: $filter) {
      __typename
      cursor
      ... on StreamGap {
        after
      }
      ... on CallEnded {
        ...LiveCall
      }
    }
  }
`);

export const liveChartsDocument = graphql(`
  query ConsoleLiveCharts($filter: CallEndedFilter!, $timeZone: String!) {
    callStats(filter: $filter) {
      calls
      answered
      timeline(bucket: MINUTE, timeZone: $timeZone) {
        start
        calls
        answered
      }
      byHangupReason(first: 5) {
        reason
        calls
        answered
      }
    }
  }
`);
