import { graphql } from "../../gql/index.ts";

export const auditDocument = graphql(`
  query ConsoleAudit($first: Int!, $after: String, $filter: AuditEventFilter) {
    auditEvents(first: $first, after: $after, filter: $filter) {
      nodes {
        ...AuditEntry
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }

  fragment AuditEntry on AuditEvent {
    id
    at
    actor
    action
    count
    subjectId
    via
    tool
    client
  }
`);

export const auditEntryDocument = graphql(`
  query ConsoleAuditEntry($id: ID!) {
    node(id: $id) {
      __typename
      ... on AuditEvent {
        ...AuditEntry
      }
    }
  }
`);

/** The call that an entry is about. */
export const auditedCallDocument = graphql(`
  query ConsoleAuditedCall($id: ID!) {
    node(id: $id) {
      ... on CallEnded {
        sessionId
      }
      ... on Recording {
        sessionId
      }
    }
  }
`);
