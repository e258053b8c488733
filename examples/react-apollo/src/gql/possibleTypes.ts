export const possibleTypes = {
  "CallStreamItem": [
    "CallEnded",
    "StreamCheckpoint",
    "StreamGap"
  ],
  "Node": [
    "Assistant",
    "CallEnded",
    "CallLog",
    "QuarantinedDelivery",
    "Recording",
    "Task",
    "TaskSubmission"
  ]
};
