// The statements of the schema versions from 17 on. A released version never changes; add a new one at the end.
import type { Migration } from "./dialects.ts";

/** Version 17: the kind of a delivery in quarantine, and the charset that its sender declared. */
const quarantineKinds: Migration = ({ text }) => [
  `alter table quarantine add column kind ${text} not null default 'UNREADABLE'`,
  `alter table quarantine add column charset ${text}`,
  `create index quarantine_by_kind on quarantine (kind, id)`,
];

/** From version 17. */
export const laterVersions: readonly Migration[] = [quarantineKinds];
