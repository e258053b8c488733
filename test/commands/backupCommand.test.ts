import { expect, it } from "vitest";
import { backupCommand, restoreCommand } from "../../src/commands/backupCommand.ts";

it.each([
  ["backup", backupCommand],
  ["restore", restoreCommand],
])("switchboard %s names the tool for PostgreSQL, and not the database's address", async (_, command) => {
  const refusal = await command("x.db", { DATABASE_URL: "postgres://canary:canary@db/calls" }).catch(String);
  expect(refusal).toContain("DATABASE_URL is PostgreSQL: use its own tools (docs/operating.md#backups)");
  expect(refusal).not.toContain("canary");
});
