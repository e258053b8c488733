// IDs and times that the factories of several files give by default, so that what they make belongs together.
export const TASK_ID = "7";
export const ASSISTANT_ID = "11";
export const CREATED_AT = "2026-11-19T08:00:00.000Z";
