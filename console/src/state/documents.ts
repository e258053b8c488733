import { graphql } from "../gql/index.ts";

/** Read every few seconds by every viewer: asks neither the service nor the log. */
export const reachableDocument = graphql(`
  query ConsoleReachable {
    viewer {
      name
    }
  }
`);

/** The same for a viewer with the scope admin. */
export const factsDocument = graphql(`
  query ConsoleFacts($calls: Boolean!) {
    gateway {
      upstream
      serviceFailingSince
      tokenRefused
      timesAheadMinutes
      webhooks {
        lastAcceptedAt
        acceptedLastMinute
        refusedLastMinute
        unreadableInARow
        refused {
          since
          count
          reasons {
            reason
            count
          }
        }
      }
    }
    callEndedEvents(first: 10, order: NEWEST_FIRST, imported: false) @include(if: $calls) {
      nodes {
        source
      }
    }
  }
`);

/** Asks the calling service. */
export const serviceDocument = graphql(`
  query ConsoleServiceAnswers {
    callLogs(first: 1) {
      totalCount
    }
  }
`);
