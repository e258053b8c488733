// Looks at a server as a start does, without changing its tables.
import { Pool, type PoolClient } from "pg";
import { databaseUrls, skipsCertificate, UNCHECKED_CERTIFICATE } from "../../config/databaseUrls.ts";
import { refuseMissingTables, type ReadTables, type TablePart } from "../migrations/missingTables.ts";
import { createSessions } from "./databaseSessions.ts";
import { refuseTransactionPooling } from "./poolerCheck.ts";
import { createPrimaryHost } from "./primaryHost.ts";
import { readOnlyText, WRITE_FACTS_SQL, type Fsync, type WriteFacts } from "./serverCheck.ts";
import { checkRights } from "./writeRights.ts";

const CONNECT_MS = 5000;
/** To find out whether a pooler mixes the sessions of its clients, one connection needs another. */
const CONNECTIONS = 2;

export interface Inspection {
  /** Gets what a start would warn of. */
  warn: (text: string) => void;
  /** Called where the tables have the version that this gateway knows. */
  look: (read: ReadTables) => Promise<void>;
}

interface ServerInspection extends Inspection {
  fsync: Fsync;
  /** The schema version that this gateway knows. */
  latest: number;
}

/**
 * The schema version of its tables. 0: it has none. Throws an Error of one line for what may be mended while a start waits, and a
 * FinalError if the gateway must not use the server.
 */
export async function versionOfServer(url: string, { fsync, latest, warn, look }: ServerInspection): Promise<number> {
  if (skipsCertificate(url)) warn(UNCHECKED_CERTIFICATE);
  const pool = new Pool({
    connectionString: await createPrimaryHost(() => databaseUrls(url)).find(),
    application_name: "switchboard check",
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
    max: CONNECTIONS,
  });
  // A connection that breaks emits this event too. Without a listener it would end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => client.on("error", () => undefined));
  try {
    return await inspect(pool, { fsync, latest, warn, look });
  } finally {
    void pool.end().catch(() => undefined);
  }
}

async function inspect(pool: Pool, { fsync, latest, warn, look }: ServerInspection): Promise<number> {
  // First, so that no other client of the pooler gets the settings of this session.
  await refuseTransactionPooling(() => pool.connect());
  const client = await pool.connect();
  try {
    await createSessions({ fsync, log: { warn: (_, text) => warn(text) } }).prepare(client, CONNECT_MS);
    await refuseReadOnly(client);
    const version = await versionOf(client);
    if (version <= latest)
      await refuseMissingTables(version, "postgres", async (text) => (await client.query<TablePart>(text)).rows);
    await checkRights(client, { version, latest });
    if (version === latest) await look(async (text) => (await client.query<Record<string, unknown>>(text)).rows);
    return version;
  } finally {
    client.release(true);
  }
}

async function refuseReadOnly(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ readonly: string }>(
    "select current_setting('transaction_read_only') as readonly",
  );
  if (rows[0]?.readonly === "off") return;
  throw new Error(readOnlyText((await client.query<WriteFacts>(WRITE_FACTS_SQL)).rows[0] as WriteFacts));
}

async function versionOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ known: string | null }>("select to_regclass('schema_version')::text as known");
  if (rows[0]?.known == null) return 0;
  return (await client.query<{ version: number }>("select version from schema_version")).rows[0]?.version ?? 0;
}
