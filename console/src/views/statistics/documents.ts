import { graphql } from "../../gql/index.ts";

/** `before`: the range with which it is compared. `log`: the oldest end of all says from when on there is anything to count. */
export const statisticsDocument = graphql(`
  query ConsoleStatistics(
    $filter: CallEndedFilter!
    $before: CallEndedFilter!
    $bucket: TimeBucket!
    $timeZone: String!
  ) {
    callStats(filter: $filter) {
      calls
      answered
      numbersCalled
      numbersReached
      timeline(bucket: $bucket, timeZone: $timeZone) {
        start
        calls
        answered
      }
      byTask(first: 10) {
        taskId
        calls
        answered
      }
      byHangupReason(first: 10) {
        reason
        calls
        answered
      }
      byAssistant(first: 10) {
        assistantId
        calls
        answered
      }
    }
    before: callStats(filter: $before) {
      calls
      answered
      numbersCalled
      numbersReached
    }
    log: callStats {
      since
    }
  }
`);
