// Prepares each session with PostgreSQL: one exchange checks the server and sets what the gateway relies on.
import { escapeLiteral, type ClientBase, type QueryResult } from "pg";
import type { Logger } from "../../logger.ts";
import { FinalError } from "../../util/start/finalError.ts";
import { createServerWarnings, FACTS_SQL, refusalOf, type Fsync, type ServerFacts } from "./serverCheck.ts";
import { MARK_SQL, settingsSql } from "./sessionSettings.ts";

export interface Sessions {
  /**
   * Call it for each new connection, before its first statement. A pooler keeps the settings until the connection ends. Throws an
   * FinalError of one line if the gateway must not use the server. `statementTimeoutMs`: 0 is no limit.
   */
  prepare(client: ClientBase, statementTimeoutMs: number): Promise<void>;
}

export function createSessions({ fsync, log }: { fsync: Fsync; log: Pick<Logger, "warn"> }): Sessions {
  const warn = createServerWarnings(log);
  /** As SQL. All sessions of this gateway use the same tables, whatever is set meanwhile. */
  let searchPath: string | null = null;
  return {
    async prepare(client, statementTimeoutMs) {
      // Not parameters of the connection's start, because PgBouncer refuses them.
      if (searchPath === null) await refuseOtherTables(client);
      const text = `${FACTS_SQL}; ${settingsSql({ statementTimeoutMs, searchPath })}; select ${MARK_SQL}, current_setting('search_path') as path`;
      const [facts, , chosen] = (await client.query(text)) as unknown as [
        QueryResult<ServerFacts>,
        QueryResult,
        QueryResult<{ path: string }>,
      ];
      const server = facts.rows[0] as ServerFacts;
      const refusal = refusalOf(server, fsync);
      if (refusal !== null) throw new FinalError(refusal);
      warn(server);
      searchPath ??= escapeLiteral(chosen.rows[0]?.path ?? "");
    },
  };
}

/** Tables of the gateway that the role may use, in a schema that the session does not search; unless its address names the schema. */
const OTHER_TABLES = `select nspname as schema, current_setting('search_path') as path
  from pg_class as version join pg_namespace on pg_namespace.oid = relnamespace
  where relname = 'schema_version' and relkind = 'r' and to_regclass('schema_version') is null
    and exists (select from pg_class where relname = 'events' and relnamespace = version.relnamespace)
    and pg_has_role(relowner, 'usage')
    and (select source from pg_settings where name = 'search_path') <> 'client'`;

/** A start must not create an empty log beside the one that there is: people would be called again. */
async function refuseOtherTables(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ schema: string; path: string }>(OTHER_TABLES);
  if (!rows[0]) return;
  const { schema, path } = rows[0];
  throw new FinalError(
    `search_path is ${path}, but the gateway's tables are in the schema ${schema}. Name it in search_path`,
  );
}
