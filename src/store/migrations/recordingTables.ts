// What became of each call's recording: a job until it is archived or lost, and what is known of it then.
import type { Migration } from "./sqlDialect.ts";

export const recordings: Migration = ({ text, bigint }) => [
  `create table recordings (
    session_id ${text} primary key,
    revision integer not null,
    received_at ${text} not null,
    status ${text} not null,
    url ${text},
    attempts integer not null,
    due_at ${bigint} not null,
    holder ${text},
    failure ${text},
    sha256 ${text},
    content_type ${text},
    bytes ${bigint},
    archived_at ${text},
    settled ${bigint}
  )`,
  `create index recordings_waiting on recordings (received_at, due_at) where status = 'PENDING'`,
  `create index recordings_settled on recordings (settled)`,
  `create index recordings_by_status on recordings (status)`,
  `create index recordings_by_age on recordings (received_at)`,
  `create index recordings_by_content on recordings (sha256)`,
];
