// The database's clock, which all gateways share: whose turn it is must not depend on clocks that differ.
import { sql, type RawBuilder } from "kysely";
import type { DatabaseKind } from "./database.ts";

/** Seconds, with fractions. */
const clockOf = {
  sqlite: sql`unixepoch('subsec')`,
  postgres: sql`extract(epoch from clock_timestamp())`,
} as const;

/** Epoch milliseconds, as an expression of SQL. */
export const nowOf = (kind: DatabaseKind): RawBuilder<number> => sql<number>`cast(${clockOf[kind]} * 1000 as bigint)`;
