import { graphql } from "../gql/index.ts";

/** Read every few seconds by every viewer with calls:read: asks neither the service nor the log. */
export const openAlertsDocument = graphql(`
  query ConsoleOpenAlerts($language: AlertLanguage!) {
    alerts(first: 50, filter: { open: true }) {
      nodes {
        id
        rule
        text(language: $language)
        taskId
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
