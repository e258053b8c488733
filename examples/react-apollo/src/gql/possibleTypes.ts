export const possibleTypes = {
  "CallStreamItem": [
    "CallEnded",
    "StreamCheckpoint",
    "StreamGap"
  ],
  "Node": [
    "Alert",
    "Assistant",
    "AuditEvent",
    "CallEnded",
    "CallLog",
    "QuarantinedDelivery",
    "Recording",
    "Task",
    "TaskSubmission"
  ]
};
