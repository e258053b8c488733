export const possibleTypes = {
  "CallStreamItem": [
    "CallEnded",
    "StreamCheckpoint",
    "StreamGap"
  ],
  "Node": [
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
