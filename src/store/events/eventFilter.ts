// Turns a filter of events into SQL conditions. events/callEndedEvent.ts filters events in memory in the same way; a test compares
// the two.
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { NOT_ENDED } from "./notEndedRows.ts";

/** An event must match all fields that are set. An empty list matches nothing. */
export interface EventFilter {
  /** Only entries that show the end of their call. In SQL: without those that are marked as not ended. */
  ended?: true;
  /** Without entries of imports. A later revision of an imported call by a webhook is an entry of the webhook. */
  imported?: false;
  taskIds?: readonly string[];
  assistantIds?: readonly string[];
  direction?: string;
  hangupSide?: string;
  /** As columnText of events/callEndedEvent.ts writes them; null: calls without a reason. */
  hangupReasons?: readonly (string | null)[];
  answered?: boolean;
  /** One of them equals the caller or the callee, as comparedPhone of format/phoneWritings.ts writes them. */
  phones?: readonly string[];
  /** Inclusive. Compares the call's end, or the time of receipt if the event has no end. */
  since?: string;
  /** Exclusive. */
  until?: string;
  /** What the reader may see: a condition beside the others. */
  access?: EventAccess;
}

export interface EventAccess {
  taskIds?: readonly string[] | undefined;
  assistantIds?: readonly string[] | undefined;
  /** The viewer that submitted the call's task. Only SQL can tell, so that such a filter is no filter for events in memory. */
  submittedBy?: string | undefined;
}

type Condition = RawBuilder<SqlBool>;

/** `table`: the name or alias of `events` in the query. */
export function matches(filter: EventFilter, table: string): Condition {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const equals = (name: string, value: string | number) => sql<SqlBool>`${column(name)} = ${value}`;
  const { ended, imported, taskIds, assistantIds, direction, hangupSide, hangupReasons, answered, phones } = filter;
  const { since, until, access } = filter;

  const conditions: Condition[] = [
    ...(ended ? [sql<SqlBool>`${column("newest")} <> ${sql.lit(NOT_ENDED)}`] : []),
    ...(imported === false ? [sql<SqlBool>`${column("source")} <> 'IMPORTED'`] : []),
    ...(taskIds ? [isOneOf(column("task_id"), taskIds)] : []),
    ...(assistantIds ? [withAssistant(column("seq"), assistantIds)] : []),
    ...(access?.taskIds ? [isOneOf(column("task_id"), access.taskIds)] : []),
    ...(access?.assistantIds ? [withAssistant(column("seq"), access.assistantIds)] : []),
    ...(access?.submittedBy === undefined ? [] : [submittedBy(column("task_id"), access.submittedBy)]),
    ...(direction === undefined ? [] : [equals("direction", direction)]),
    ...(hangupSide === undefined ? [] : [equals("hangup_side", hangupSide)]),
    ...(hangupReasons ? [isOneOfOrNull(column("hangup_reason"), hangupReasons)] : []),
    ...(answered === undefined ? [] : [equals("answered", Number(answered))]),
    ...(phones ? [sql<SqlBool>`(${isOneOf(column("caller"), phones)} or ${isOneOf(column("callee"), phones)})`] : []),
    ...(since === undefined ? [] : [sql<SqlBool>`${column("ended_at")} >= ${since}`]),
    ...(until === undefined ? [] : [sql<SqlBool>`${column("ended_at")} < ${until}`]),
  ];
  return conditions.length === 0 ? ALL : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

/**
 * Matches each call once, at its first revision that matches the filter.
 */
export function matchesFirst(filter: EventFilter, table: string): Condition {
  return sql<SqlBool>`${matches(filter, table)} and (${sql.ref(`${table}.revision`)} = 1 or not exists (
    select 1 from events as earlier
    where earlier.session_id = ${sql.ref(`${table}.session_id`)}
      and earlier.revision < ${sql.ref(`${table}.revision`)}
      and ${matches(filter, "earlier")}))`;
}

/** Matches every row. */
export const ALL = sql<SqlBool>`1 = 1`;
const NONE = sql<SqlBool>`1 = 0`;

function isOneOf(column: RawBuilder<unknown>, values: readonly string[]): Condition {
  return values.length === 0 ? NONE : sql<SqlBool>`${column} in (${sql.join(values)})`;
}

function isOneOfOrNull(column: RawBuilder<unknown>, values: readonly (string | null)[]): Condition {
  const texts = isOneOf(
    column,
    values.filter((value) => value !== null),
  );
  return values.includes(null) ? sql<SqlBool>`(${column} is null or ${texts})` : texts;
}

/** The same rule as in tasks/submittedTaskStore.ts. */
function submittedBy(taskId: RawBuilder<unknown>, viewer: string): Condition {
  return sql<SqlBool>`${taskId} in (
    select own.task_id from submissions as own where own.viewer = ${viewer} and own.matched_by = 'MARK')`;
}

function withAssistant(seq: RawBuilder<unknown>, ids: readonly string[]): Condition {
  if (ids.length === 0) return NONE;
  return sql<SqlBool>`exists (
    select 1 from event_assistants as used where used.seq = ${seq} and used.assistant_id in (${sql.join(ids)}))`;
}
