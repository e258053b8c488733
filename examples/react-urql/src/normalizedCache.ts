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
  "CallingHours",
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
  "LimitState",
  "LimitUse",
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
  "TaskCheck",
  "TaskConnection",
  "TaskCount",
  "TaskEdge",
  "TaskOption",
  "TaskPeriod",
  "TaskSubmissionConnection",
  "TaskSubmissionEdge",
  "UnreadField",
  "Viewer",
  "ViewerLimits",
];

export const keys = Object.fromEntries(EMBEDDED.map((type) => [type, () => null]));

export const normalizedCache = (): Exchange => cacheExchange({ keys });
