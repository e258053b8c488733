// The fields that the questions select of each type: all that the oracle knows.
export const PAGE_INFO = "pageInfo { hasNextPage hasPreviousPage }";
export const UNREAD = "unread { field text }";
export const COMMON = `sessionId taskId direction caller callee startAt answerAt endAt duration billsec answered
  assistants { assistantId versionId }`;
export const CALL = `${COMMON} recordFile ${UNREAD}`;
export const JOINED = `${CALL} task { taskId name status } callEnded { sessionId hangupReason }
  handledBy: assistants { assistantId versionId assistant { name } }`;
export const EVENT = `${COMMON} eventName source ringTime hangupSide hangupReason hungUpBy recordUrl taskItemId extra ${UNREAD}`;
export const LIST = (node: string) =>
  `{ totalCount since until driftDetected ${PAGE_INFO} edges { cursor node { ${node} } } }`;
export const TASK = `taskId name status total progress collectionRate createdAt updatedAt summary assistantVersionId
  option { numberFileMeta { key value } lineIds retryCount periods } assistant { assistantId versionId } ${UNREAD}`;
export const STATS = `since calls answered numbersCalled numbersReached totalDuration totalBillsec
  byHangupReason(first: 100) { reason calls answered } byHangupSide { side calls } byTask(first: 100) { taskId calls answered }
  byAssistant(first: 100) { assistantId calls answered } timeline(bucket: $bucket) { start calls answered }`;
