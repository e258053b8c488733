// What the gateway needs of a PostgreSQL server and no session can set. Each new session reads it, so that a server is also checked
// after a failover and after its settings were changed.
import type { Logger } from "../../logger.ts";

/** Whether each commit must be on the server's disk. "elsewhere": the server's storage sees to it, and `fsync` may be off. */
export type Fsync = "required" | "elsewhere";

export interface ServerFacts {
  version_num: number;
  version: string;
  server_encoding: string;
  fsync: string;
  full_page_writes: string;
}

export const FACTS_SQL = `select current_setting('server_version_num')::integer as version_num, ${[
  "server_encoding",
  "fsync",
  "full_page_writes",
]
  .map((name) => `current_setting('${name}') as ${name}`)
  .join(", ")}, current_setting('server_version') as version`;

/** The first version that knows all statements of the gateway. */
const OLDEST_VERSION = 12;

/** Why the gateway must not use the server, in one line with the setting's name. Null: it may. */
export function refusalOf(facts: ServerFacts, fsync: Fsync): string | null {
  if (facts.version_num < OLDEST_VERSION * 10_000)
    return `server_version is ${facts.version}. The gateway needs PostgreSQL ${OLDEST_VERSION} or later`;
  if (facts.server_encoding !== "UTF8")
    return `server_encoding is ${facts.server_encoding}, which cannot hold every call. Create the database with encoding 'UTF8'`;
  if (facts.fsync !== "on" && fsync === "required")
    return "fsync is off, so a crash of the machine loses acknowledged calls. Set fsync = on, or DATABASE_FSYNC=elsewhere if the server's storage keeps each commit by itself";
  return null;
}

/** Logs the first time what is dangerous on most disks, and right on some. */
export function createServerWarnings(log: Pick<Logger, "warn">): (facts: ServerFacts) => void {
  let isTold = false;
  return ({ full_page_writes }) => {
    if (full_page_writes === "on" || isTold) return;
    isTold = true;
    log.warn(
      { full_page_writes },
      "full_page_writes is off in PostgreSQL: unless its storage writes whole pages, a crash of the machine can damage the log",
    );
  };
}

/** The code of an error of a statement that would write (read_only_sql_transaction). */
export const READ_ONLY_STATE = "25006";

export interface WriteFacts {
  is_standby: boolean;
  read_only: string;
}

export const WRITE_FACTS_SQL =
  "select pg_is_in_recovery() as is_standby, current_setting('default_transaction_read_only') as read_only";

/** Why the server accepts no writes, with the setting's name. Waiting may mend it: providers set it while a disk is nearly full. */
export function readOnlyText({ is_standby, read_only }: WriteFacts): string {
  if (is_standby) return "the server is a standby (in_recovery is on), which accepts no writes";
  if (read_only === "on")
    return "default_transaction_read_only is on for the role, the database or the server, so it accepts no writes";
  return "it accepts no writes";
}
