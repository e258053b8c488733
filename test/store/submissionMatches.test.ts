import { describe, expect, it } from "vitest";
import { dialects } from "../../src/store/migrations/dialects.ts";
import { correlation, eventLog, submissionMatches } from "../../src/store/migrations/schemaVersions.ts";
import { databases } from "./databases.ts";

describe.each(databases)("The migration submissionMatches on %s", (name, { createEmpty }) => {
  it("leaves matched_by of old submissions null, and keeps their tasks waiting", async () => {
    const { ask } = await createEmpty();
    const dialect = dialects[name === "SQLite" ? "sqlite" : "postgres"];
    for (const statement of [...eventLog(dialect), ...correlation(dialect)]) await ask(statement);
    await ask(`insert into submissions
      values ('a', 'web', 'key', '', 'RESOLVED', 'Reminder', '1', 2, '2026-11-20T09:30:00.000Z', '7')`);
    await ask(`insert into met_tasks values ('1', '2026', 1), ('2', '2026', 0)`);
    for (const statement of submissionMatches(dialect)) await ask(statement);
    expect(await ask("select task_id, matched_by, marked from submissions")).toEqual([
      { task_id: "7", matched_by: null, marked: 1 },
    ]);
    expect(await ask("select task_id, waits from met_tasks order by task_id")).toEqual([
      { task_id: "1", waits: 2 },
      { task_id: "2", waits: 0 },
    ]);
  });
});
