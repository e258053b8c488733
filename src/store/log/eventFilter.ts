// Which rows of the log a filter lets through, as SQL. events/callEndedEvent.ts says the same of an event in memory, and a test
// holds the two equal.
import { sql, type RawBuilder, type SqlBool } from "kysely";

/** All that are given must hold; an empty list holds for nothing. */
export interface EventFilter {
  taskIds?: readonly string[];
  assistantIds?: readonly string[];
  direction?: string;
  hangupSide?: string;
  answered?: boolean;
  /** Equals caller or callee. */
  phone?: string;
  /** Inclusive, by the event's end, or its receipt where it tells none. */
  since?: string;
  /** Exclusive. */
  until?: string;
}

type Condition = RawBuilder<SqlBool>;

/** `table` is the name or alias under which `events` stands in the query. */
export function matches(filter: EventFilter, table: string): Condition {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const equals = (name: string, value: string | number) => sql<SqlBool>`${column(name)} = ${value}`;
  const { taskIds, assistantIds, direction, hangupSide, answered, phone, since, until } = filter;

  const conditions: Condition[] = [
    ...(taskIds ? [among(column("task_id"), taskIds)] : []),
    ...(assistantIds ? [withAssistant(column("seq"), assistantIds)] : []),
    ...(direction === undefined ? [] : [equals("direction", direction)]),
    ...(hangupSide === undefined ? [] : [equals("hangup_side", hangupSide)]),
    ...(answered === undefined ? [] : [equals("answered", Number(answered))]),
    ...(phone === undefined ? [] : [sql<SqlBool>`(${equals("caller", phone)} or ${equals("callee", phone)})`]),
    ...(since === undefined ? [] : [sql<SqlBool>`${column("ended_at")} >= ${since}`]),
    ...(until === undefined ? [] : [sql<SqlBool>`${column("ended_at")} < ${until}`]),
  ];
  return conditions.length === 0 ? ALL : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/**
 * A call is told once: at the first of its revisions that the filter lets through. A later one stands back behind an
 * earlier one that passed.
 */
export function matchesFirst(filter: EventFilter, table: string): Condition {
  return sql<SqlBool>`${matches(filter, table)} and (${sql.ref(`${table}.revision`)} = 1 or not exists (
    select 1 from events as earlier
    where earlier.session_id = ${sql.ref(`${table}.session_id`)}
      and earlier.revision < ${sql.ref(`${table}.revision`)}
      and ${matches(filter, "earlier")}))`;
}

/** Lets every row through. */
export const ALL = sql<SqlBool>`1 = 1`;
const NONE = sql<SqlBool>`1 = 0`;

function among(column: RawBuilder<unknown>, values: readonly string[]): Condition {
  return values.length === 0 ? NONE : sql<SqlBool>`${column} in (${sql.join(values)})`;
}

function withAssistant(seq: RawBuilder<unknown>, ids: readonly string[]): Condition {
  if (ids.length === 0) return NONE;
  return sql<SqlBool>`exists (
    select 1 from event_assistants as used where used.seq = ${seq} and used.assistant_id in (${sql.join(ids)}))`;
}
