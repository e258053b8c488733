// The databases to measure: creates new ones, and reads what a stopped gateway left in its own.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { askPostgres } from "../../test/support/postgres/askPostgres.ts";
import { temporaryDirectory } from "../../test/support/gateway.ts";
import { startPostgres } from "../../test/support/postgres/postgresServer.ts";

export interface Databases extends AsyncDisposable {
  title: string;
  /** Creates a database and returns its URL. */
  create(name: string): Promise<string>;
  /** The session of each row of the log, in order. Throws if the database is damaged. */
  sessionsIn(url: string): Promise<string[]>;
}

const SESSIONS = "select session_id from events order by seq";

export async function openFiles(): Promise<Databases> {
  const directory = await temporaryDirectory();
  return {
    title: "SQLite",
    create: async (name) => `file:${join(directory.path, `${name}.db`)}`,
    async sessionsIn(url) {
      const database = new DatabaseSync(url.slice("file:".length), { readOnly: true });
      const rows = database.prepare(SESSIONS).all();
      const [check] = database.prepare("pragma integrity_check").all();
      database.close();
      if (check?.["integrity_check"] !== "ok") throw new Error(`the file is damaged: ${JSON.stringify(check)}`);
      return rows.map((row) => row["session_id"] as string);
    },
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** One server on this machine for all databases. It syncs each commit to the disk. */
export async function openServer(): Promise<Databases> {
  const server = await startPostgres({ fsync: true });
  return {
    title: "PostgreSQL",
    async create(name) {
      await askPostgres(server.url, `create database ${name}`);
      return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    },
    sessionsIn: sessionsInPostgres,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Returns the sessions in the order of the log. */
export async function sessionsInPostgres(url: string): Promise<string[]> {
  return (await askPostgres(url, SESSIONS)).map((row) => row["session_id"] as string);
}
