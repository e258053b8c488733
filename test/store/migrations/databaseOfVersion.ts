// Makes the tables of an earlier schema version in an empty database.
import { dialects } from "../../../src/store/migrations/dialects.ts";
import { schemaVersions } from "../../../src/store/migrations/schemaVersions.ts";

type Ask = (sql: string) => Promise<unknown>;
type Kind = keyof typeof dialects;

export const statementsUpTo = (kind: Kind, version: number): string[] =>
  schemaVersions.slice(0, version).flatMap((statementsOf) => statementsOf(dialects[kind]));

export const makeVersion = (kind: Kind, ask: Ask, version: number): Promise<void> =>
  makeTables(ask, statementsUpTo(kind, version), version);

export async function makeTables(ask: Ask, statements: readonly string[], version: number): Promise<void> {
  await ask("create table schema_version (version integer not null)");
  for (const statement of statements) await ask(statement);
  await ask(`insert into schema_version values (${version})`);
}
