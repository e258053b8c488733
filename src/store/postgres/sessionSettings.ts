// The settings of PostgreSQL on which the gateway relies, and why. Each session sets them, so the defaults of the server, the
// database and the role do not matter. What no session can set is in serverCheck.ts.

interface SessionSetting {
  name: string;
  /** An SQL expression of text. */
  value: string;
  reason: string;
}

/** Where the tables are, or will be created: `search_path` may name another schema first, where a start would make empty ones. */
const SCHEMA_OF_TABLES = `coalesce(
    (select quote_ident(nspname) from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where pg_class.oid = to_regclass('schema_version')),
    quote_ident(current_schema()),
    current_setting('search_path'))`;

export interface SessionNeeds {
  /** 0: no limit. */
  statementTimeoutMs: number;
  /** The value of `search_path` in the sessions before, as SQL. Null: this is the first one. */
  searchPath: string | null;
}

const settings = ({ statementTimeoutMs, searchPath }: SessionNeeds): readonly SessionSetting[] => [
  {
    name: "synchronous_commit",
    value: "case current_setting('synchronous_commit') when 'remote_apply' then 'remote_apply' else 'on' end",
    reason:
      "A commit that is acknowledged is on disk, and on that of a synchronous standby. `off` loses the last commits.",
  },
  {
    name: "default_transaction_isolation",
    value: "'read committed'",
    reason: "After the wait for the log's lock, a statement must see what the gateway before has committed.",
  },
  {
    name: "statement_timeout",
    value: `'${statementTimeoutMs}'`,
    reason: "Long enough for a group of webhooks, and short enough that a server that hangs blocks none for ever.",
  },
  {
    name: "idle_in_transaction_session_timeout",
    value: `'${statementTimeoutMs * 2}'`,
    reason: "A gateway that stalls in a transaction loses its locks.",
  },
  {
    name: "transaction_timeout",
    value: "'0'",
    reason: "The two limits above bound each transaction. The migration of a large log may take longer.",
  },
  {
    name: "lock_timeout",
    value: "'0'",
    reason: "Gateways wait for each other's appends, up to statement_timeout.",
  },
  {
    name: "idle_session_timeout",
    value: "'0'",
    reason: "The session that listens is idle for hours.",
  },
  {
    name: "search_path",
    value: searchPath ?? SCHEMA_OF_TABLES,
    reason: "All sessions use the schema where the tables are. A schema that is put before it would hold an empty log.",
  },
  {
    name: "extra_float_digits",
    value: "'1'",
    reason: "Durations are read with all digits: with fewer, the checksum of their row does not match.",
  },
  {
    name: "row_security",
    value: "'off'",
    reason: "A policy that hides rows is an error, and no answer is silently incomplete.",
  },
  {
    name: "session_replication_role",
    value: "'origin'",
    reason: "`replica` turns foreign keys off, and an erasure would leave rows behind.",
  },
  {
    name: "zero_damaged_pages",
    value: "'off'",
    reason: "A damaged page is an error, and is not replaced by an empty one.",
  },
  { name: "ignore_checksum_failure", value: "'off'", reason: "The same." },
  { name: "client_encoding", value: "'UTF8'", reason: "The driver writes and reads UTF-8." },
  { name: "bytea_output", value: "'hex'", reason: "The driver reads it fastest." },
  { name: "standard_conforming_strings", value: "'on'", reason: "A backslash in a literal is a backslash." },
  {
    name: "application_name",
    value:
      "case when current_setting('application_name') like 'switchboard%' then current_setting('application_name') else 'switchboard' end",
    reason: "A gateway that starts looks for others by this name. The address may set another one.",
  },
];

export const sessionSettingNames: readonly string[] = settings({ statementTimeoutMs: 0, searchPath: null }).map(
  ({ name }) => name,
);

/** A setting of our own, which RESET ALL and DISCARD ALL empty, and which a session that was not prepared does not have. */
const MARK = "switchboard.session";
export const MARK_SQL = `set_config('${MARK}', '1', false)`;
/** Fails in a session that lost its settings, such as behind a pooler that resets it, or that gives the gateway another one. */
export const GUARD_SQL = `select current_setting('${MARK}')::integer`;

/** Whether the error of a statement that begins with GUARD_SQL is its error: the setting is not known, or no number. */
export const isLostSession = ({ code = "" }: { code?: string | undefined }): boolean =>
  ["42704", "22P02"].includes(code);

/**
 * One statement that sets them all. It skips those that an older server does not have, and sets what only a superuser may set only
 * where it differs.
 */
export function settingsSql(needs: SessionNeeds): string {
  const rows = settings(needs).map(({ name, value }) => `('${name}', ${value})`);
  return `select set_config(name, value, false) from (values ${rows.join(", ")}) as needed (name, value)
    where current_setting(name, true) is not null and current_setting(name, true) is distinct from value`;
}
