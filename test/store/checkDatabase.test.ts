import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { createLogger } from "../../src/logger.ts";
import { openStore } from "../../src/store/store.ts";
import { appendRows, eventRow, open, seqs, tempFile, WHOLE } from "./tempStore.ts";

/** Changes an index's definition without changing its content. */
function redefineIndex(file: string, name: string, content: string, definition: string): string[] {
  using database = new DatabaseSync(file, { defensive: false });
  database.exec(`drop index if exists ${name}; ${content}; pragma writable_schema = on`);
  database.prepare("update sqlite_schema set sql = ? where name = ?").run(definition, name);
  database.exec("pragma writable_schema = reset");
  const rows = database.prepare("pragma integrity_check").all();
  return rows.flatMap((row) => Object.values(row)).map(String);
}

async function fileWithTwoCalls(): Promise<string> {
  const file = tempFile();
  await using store = await open(`file:${file}`);
  await appendRows(store.events, [eventRow({ sessionId: "a" }), eventRow({ sessionId: "b" })]);
  return file;
}

describe("checkDatabase", () => {
  it("recognises SQLite's messages about rows that an index lacks, and rebuilds the index", async () => {
    const file = await fileWithTwoCalls();
    const definition = "CREATE INDEX events_by_end on events (ended_at)";
    const findings = redefineIndex(file, "events_by_end", `${definition} where ended_at < ''`, definition);
    expect(findings.toSorted()).toEqual([
      "row 1 missing from index events_by_end",
      "row 2 missing from index events_by_end",
      "wrong # of entries in index events_by_end",
    ]);
    const lines: string[] = [];
    const log = createLogger({ level: "error", secrets: [], write: (line) => lines.push(line) });
    await using store = await openStore({ url: `file:${file}`, log });
    expect(lines.join("")).toContain("damaged indexes of the database were rebuilt from its rows");
    expect(seqs(await store.events.read(WHOLE))).toEqual([1, 2]);
  });

  it("says nothing about a file without damage, and rebuilds nothing", async () => {
    const file = await fileWithTwoCalls();
    const lines: string[] = [];
    const log = createLogger({ level: "info", secrets: [], write: (line) => lines.push(line) });
    await using store = await openStore({ url: `file:${file}`, log });
    expect(lines).toEqual([]);
    expect(seqs(await store.events.read(WHOLE))).toEqual([1, 2]);
  });

  it("knows SQLite's message about entries that are not unique", async () => {
    const file = await fileWithTwoCalls();
    const content = "create index by_source on events (source)";
    const findings = redefineIndex(file, "by_source", content, "CREATE UNIQUE INDEX by_source on events (source)");
    expect(findings).toEqual(["non-unique entry in index by_source"]);
  });
});
