// Adds a sum to each row of the log (checksum.ts). Rows that are there have none, and neither have those of a gateway of
// the version before that is still at work on the same PostgreSQL.
import type { Migration } from "./sqlDialect.ts";

export const checksums: Migration = ({ bigint, placesByHand }) => [
  `alter table events add column checksum ${bigint}`,
  ...placesByHand("events", "seq"),
  `insert into settings (name, value)
    select 'checksummed_after', cast(coalesce(max(seq), 0) as text) from events`,
];
