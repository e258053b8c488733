// Creates a PostgreSQL database for one test, in the server that all tests share (postgresSetup.ts).
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { askPostgres } from "./askPostgres.ts";

export interface PostgresDatabase extends AsyncDisposable {
  url: string;
  /** Runs SQL on it without the store. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
}

/** Empty; dropped when disposed of, even if clients are connected. `options` is SQL after CREATE DATABASE. */
export async function createPostgresDatabase(server = inject("postgresUrl"), options = ""): Promise<PostgresDatabase> {
  const name = `test_${randomBytes(8).toString("hex")}`;
  await askPostgres(server, `create database ${name} ${options}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return {
    url,
    ask: (sql) => askPostgres(url, sql),
    async [Symbol.asyncDispose]() {
      await askPostgres(server, `drop database ${name} with (force)`);
    },
  };
}
