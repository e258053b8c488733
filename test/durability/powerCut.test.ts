import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Kysely, sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { open, tempFile, WHOLE } from "../store/tempStore.ts";
import { temporaryDirectory } from "../support/gateway.ts";
import { startProgram } from "../support/program.ts";
import { until } from "../support/until.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Kills a writer after 300 events and opens the synced bytes. `kept` was confirmed by the writer; `stored` is in the files. */
async function cutPower(library: string, synchronous: string) {
  await using directory = await temporaryDirectory();
  const synced = join(directory.path, "synced");
  mkdirSync(synced);
  const args = [here("./syncedWriter.ts"), join(directory.path, "log.db"), synchronous];
  await using writer = startProgram(args, { LD_PRELOAD: library, SYNCED: synced });
  await until(() => writer.output.length > 300);
  writer.process.kill("SIGKILL");
  await writer.exited;
  const kept = writer.output
    .filter((line) => line.endsWith("}"))
    .map((line) => (JSON.parse(line) as { kept: string }).kept);
  if (!existsSync(join(synced, "log.db"))) return { kept, stored: [] };
  await using store = await open(`file:${join(synced, "log.db")}`).catch(() => null);
  const rows = (await store?.events.read(WHOLE).catch(() => [])) ?? [];
  return { kept, stored: rows.map(({ sessionId }) => sessionId) };
}

const library = join(tmpdir(), `switchboard-only-synced-${process.pid}.so`);
const hasCompiler = spawnSync("cc", ["-shared", "-fPIC", "-o", library, here("./onlySynced.c"), "-ldl"]).status === 0;

afterAll(() => rmSync(library, { force: true }));

describe("A power cut", () => {
  it("meets a SQLite file whose commits are synced", async () => {
    await using db = new Kysely<object>({ dialect: await openSqlite(tempFile()) });
    expect((await sql`pragma synchronous`.execute(db)).rows).toEqual([{ synchronous: 2 }]);
    expect((await sql`pragma journal_mode`.execute(db)).rows).toEqual([{ journal_mode: "wal" }]);
  });

  it.runIf(hasCompiler)("loses no confirmed event if only synced bytes survive", { timeout: 300_000 }, async () => {
    const { kept, stored } = await cutPower(library, "as it is");
    expect(kept.length).toBeGreaterThan(200);
    expect(kept.filter((id) => !stored.includes(id))).toEqual([]);
  });

  it.runIf(hasCompiler)(
    "loses events if SQLite syncs less, which shows that the test works",
    { timeout: 300_000 },
    async () => {
      const { kept, stored } = await cutPower(library, "normal");
      expect(kept.filter((id) => !stored.includes(id)).length).toBeGreaterThan(0);
    },
  );
});
