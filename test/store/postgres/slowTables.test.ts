import { expect, it } from "vitest";
import { schemaVersions } from "../../../src/store/migrations/schemaVersions.ts";
import { postgres } from "../databases.ts";
import { tempStore } from "../tempStore.ts";

it("A new database on PostgreSQL gets its tables also where they take longer together than one statement may", async () => {
  const { url, ask } = await postgres.createEmpty();
  // As on slow storage. A statement may take 5 s at the server and 6 s at the client; these take 10 s together.
  await ask("create function wait() returns event_trigger language plpgsql as 'begin perform pg_sleep(0.1); end'");
  await ask("create event trigger wait on ddl_command_start execute function wait()");
  const { isNew } = await tempStore(url);
  expect(isNew).toBe(true);
  expect(await ask("select version from schema_version")).toEqual([{ version: schemaVersions.length }]);
});
