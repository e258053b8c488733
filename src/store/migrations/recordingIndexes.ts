// What is due is found in its order, however much waits; and what has not ended yet is in no index of what has.
import type { Migration } from "./sqlDialect.ts";

export const recordingIndexes: Migration = () => [
  `drop index recordings_waiting`,
  `drop index recordings_by_status`,
  `create index recordings_by_status on recordings (status, received_at, due_at)`,
  `drop index recordings_settled`,
  `create index recordings_settled on recordings (settled) where settled is not null`,
  `drop index recordings_by_content`,
  `create index recordings_by_content on recordings (sha256) where sha256 is not null`,
];
