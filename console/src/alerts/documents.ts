import { graphql } from "../gql/index.ts";

/** `taskIds` null: of all tasks. Read every few seconds by every viewer with calls:read: asks neither the service nor the log. */
export const openAlertsDocument = graphql(`
  query ConsoleOpenAlerts($language: AlertLanguage!, $taskIds: [ID!]) {
    alerts(first: 50, filter: { open: true, taskIds: $taskIds }) {
      pageInfo {
        hasNextPage
      }
      nodes {
        id
        rule
        text(language: $language)
        taskId
        destination
        raisedAt
        acknowledgedAt
        acknowledgedBy
      }
    }
  }
`);

export const acknowledgeDocument = graphql(`
  mutation ConsoleAcknowledge($id: ID!) {
    acknowledgeAlert(id: $id) {
      id
      acknowledgedAt
      acknowledgedBy
    }
  }
`);
