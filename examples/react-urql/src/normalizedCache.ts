// For apps that want objects updated wherever they are shown: put it in the place of cacheExchange of urql.
import { cacheExchange } from "@urql/exchange-graphcache";
import type { Exchange } from "urql";

/** Types without an `id` belong to the object that they are in. All others have one, which no two objects share. */
const EMBEDDED = [
  "AssistantCount",
  "AuditEventConnection",
  "AuditEventEdge",
  "CallAssistant",
  "CallEndedConnection",
  "CallEndedEdge",
  "CallLogConnection",
  "CallLogEdge",
  "CallStats",
  "CollectItem",
  "CreateTaskError",
  "CreateTaskPayload",
  "DiscardQuarantinedPayload",
  "DoNotCall",
  "DoNotCallPayload",
  "EventLogStatus",
  "ForgetPhonePayload",
  "GatewayStatus",
  "KnownAssistant",
  "KnownAssistants",
  "KnownLine",
  "KnownLines",
  "NumberFileColumn",
  "PageInfo",
  "QuarantinedDeliveryConnection",
  "QuarantinedDeliveryEdge",
  "ReasonCount",
  "RecordingCounts",
  "ReprocessQuarantinedPayload",
  "SideCount",
  "StatsBucket",
  "StreamCheckpoint",
  "StreamGap",
  "TaskConnection",
  "TaskCount",
  "TaskEdge",
  "TaskOption",
  "TaskSubmissionConnection",
  "TaskSubmissionEdge",
  "UnreadField",
  "Viewer",
];

export const keys = Object.fromEntries(EMBEDDED.map((type) => [type, () => null]));

export const normalizedCache = (): Exchange => cacheExchange({ keys });
