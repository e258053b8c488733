// A webhook's event as the gateway's graph shows it, for the servers that only pass it on.
export const eventTypeDefs = `
  scalar DateTime
  scalar JSONObject
  enum CallDirection { INBOUND OUTBOUND }
  enum HungUpBy { CUSTOMER AGENT }
  type CallAssistant { assistantId: ID! versionId: ID! }
  type CallEnded {
    cursor: String!
    sessionId: ID!
    eventName: String
    direction: CallDirection
    caller: String
    callee: String
    startAt: DateTime
    answerAt: DateTime
    endAt: DateTime
    duration: Float
    billsec: Float
    answered: Boolean
    ringTime: Float
    hungUpBy: HungUpBy
    hangupReason: String
    taskId: ID
    taskItemId: ID
    assistants: [CallAssistant!]!
    extra: JSONObject
  }
  type Query { ok: Boolean }
  type Subscription { callEnded(after: String): CallEnded! }
`;

export { callEndedOf } from "../../support/callEndedOf.ts";
