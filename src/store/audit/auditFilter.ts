// Which entries of the audit log a reader asks for.
import { sql, type RawBuilder, type SqlBool } from "kysely";

/** An entry must match every given member. An empty list matches nothing. */
export interface AuditFilter {
  /** Names of viewers. */
  actors?: readonly string[];
  /** As auditActions in auditStore.ts names them. */
  actions?: readonly string[];
  /** What was acted on: subjects of different actions may have the same text. */
  subject?: { actions: readonly string[]; subject: string };
  /** Done in this way. */
  via?: string;
  /** RFC 3339, UTC. */
  since?: string;
  /** This instant is not included. */
  until?: string;
}

/** Null: the filter has no member, so every entry matches. */
export function matchesEntry({ actors, actions, subject, via, since, until }: AuditFilter): RawBuilder<SqlBool> | null {
  const conditions: RawBuilder<SqlBool>[] = [
    ...(actors ? [isOneOf("actor", actors)] : []),
    ...(actions ? [isOneOf("action", actions)] : []),
    ...(subject ? [isOneOf("subject", [subject.subject]), isOneOf("action", subject.actions)] : []),
    ...(via === undefined ? [] : [isOneOf("via", [via])]),
    ...(since === undefined ? [] : [sql<SqlBool>`at >= ${since}`]),
    ...(until === undefined ? [] : [sql<SqlBool>`at < ${until}`]),
  ];
  return conditions.length === 0 ? null : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/** No stored text has U+0000, and PostgreSQL refuses a statement that has it. */
function isOneOf(column: string, given: readonly string[]): RawBuilder<SqlBool> {
  const values = given.filter((value) => !value.includes("\0"));
  return values.length === 0 ? sql<SqlBool>`1 = 0` : sql<SqlBool>`${sql.ref(column)} in (${sql.join(values)})`;
}
