import { describe, expect, it } from "vitest";
import { correlation } from "../../src/store/migrations/submissionTasks.ts";
import { eventLog } from "../../src/store/migrations/initialTables.ts";
import { submissionMatches } from "../../src/store/migrations/submissionMatches.ts";
import { words } from "../../src/store/migrations/sqlDialect.ts";
import { databases } from "./databases.ts";

describe.each(databases)("on %s, a database of the version before", (name, { create }) => {
  it("has submissions of which nobody knows what they were found by, and whose tasks wait as they did", async () => {
    const { ask } = await create();
    const spoken = words[name === "SQLite" ? "sqlite" : "postgres"];
    for (const statement of [...eventLog(spoken), ...correlation(spoken)]) await ask(statement);
    await ask(`insert into submissions
      values ('a', 'web', 'key', '', 'RESOLVED', 'Reminder', '1', 2, '2026-11-20T09:30:00.000Z', '7')`);
    await ask(`insert into met_tasks values ('1', '2026', 1), ('2', '2026', 0)`);
    for (const statement of submissionMatches(spoken)) await ask(statement);
    expect(await ask("select task_id, matched_by, marked from submissions")).toEqual([
      { task_id: "7", matched_by: null, marked: 1 },
    ]);
    expect(await ask("select task_id, waits from met_tasks order by task_id")).toEqual([
      { task_id: "1", waits: 2 },
      { task_id: "2", waits: 0 },
    ]);
  });
});
