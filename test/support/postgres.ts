// A PostgreSQL database of its own for a test, in the server that runs for all of them (postgresSetup.ts).
import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { askPostgres } from "./askPostgres.ts";

export interface PostgresDatabase extends AsyncDisposable {
  url: string;
  /** Asks it past the store. */
  ask(sql: string): Promise<Record<string, unknown>[]>;
}

/** Empty; dropped when it is disposed of, whoever is still connected to it. `options` is SQL behind CREATE DATABASE. */
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
