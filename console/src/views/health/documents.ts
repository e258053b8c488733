import { graphql } from "../../gql/index.ts";

export const gatewayStatusDocument = graphql(`
  query ConsoleGatewayStatus {
    gateway {
      version
      subscribers
      quarantined
      eventNames {
        name
        isEnd
      }
      events {
        events
        reconciled
        lastReceivedAt
        newestCursor
      }
      recordings {
        archived
        pending
        lost
      }
    }
  }
`);

export const agentUsesDocument = graphql(`
  query ConsoleAgentUses {
    gateway {
      agentUses {
        viewer
        client
        tool
        calls
        failed
        lastAt
      }
    }
  }
`);

export const gatewayDayDocument = graphql(`
  query ConsoleGatewayDay {
    gateway {
      lastDay {
        start
        webhooks
        reconciled
        unreadable
        meanDelaySeconds
      }
    }
  }
`);

export const newestCallDocument = graphql(`
  query ConsoleNewestCall {
    callEndedEvents(first: 1, order: NEWEST_FIRST, imported: false) {
      nodes {
        endAt
        receivedAt
      }
    }
  }
`);

export const quarantineDocument = graphql(`
  query ConsoleQuarantine($after: String, $kind: QuarantineKind!) {
    quarantinedDeliveries(first: 20, after: $after, kind: $kind) {
      nodes {
        id
        receivedAt
        kind
        reason
        charset
        body
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const reprocessDocument = graphql(`
  mutation ConsoleReprocess($id: ID!, $charset: String) {
    reprocessQuarantined(id: $id, charset: $charset) {
      reason
      event {
        sessionId
      }
    }
  }
`);

export const discardDocument = graphql(`
  mutation ConsoleDiscard($id: ID!) {
    discardQuarantined(id: $id) {
      delivery {
        id
      }
    }
  }
`);
