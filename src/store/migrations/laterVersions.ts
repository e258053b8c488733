// The statements of the schema versions from 17 on. A released version never changes; add a new one at the end.
import type { Migration } from "./dialects.ts";

/** Version 17: the kind of a delivery in quarantine, the charset that its sender declared, and the call of an event that is not its end. */
const quarantineKinds: Migration = ({ text }) => [
  `alter table quarantine add column kind ${text} not null default 'UNREADABLE'`,
  `alter table quarantine add column charset ${text}`,
  `alter table quarantine add column session_id ${text}`,
  `create index quarantine_by_kind on quarantine (kind, id)`,
  `create index quarantine_by_call on quarantine (session_id, id) where session_id is not null`,
];

/** From version 17. */
export const laterVersions: readonly Migration[] = [quarantineKinds];
