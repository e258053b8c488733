import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { startLogCheck } from "../../src/events/logCheck.ts";
import { createLogger } from "../../src/logger.ts";
import { degradationOf } from "../../src/server/routes/health.ts";
import { openStore } from "../../src/store/store.ts";
import { appendRows, eventRow, tempFile } from "../store/tempStore.ts";
import { silentLog } from "../support/silentLog.ts";
import { until } from "../support/until.ts";
import { logOver, names } from "./callEnded.ts";

/** So small that no file is checked when it is opened. */
const LARGE = { log: silentLog, maxCheckedBytes: 0 };

async function fileWith(rows: number): Promise<string> {
  const file = tempFile();
  await using store = await openStore({ url: `file:${file}`, log: silentLog });
  await appendRows(
    store.events,
    names(0, rows).map((sessionId) => eventRow({ sessionId })),
  );
  return file;
}

function damageRow(file: string, seq: number): void {
  using database = new DatabaseSync(file);
  database.prepare("update events set caller = '0' where seq = ?").run(seq);
}

describe("a large SQLite file", () => {
  it("is not checked when it is opened after a normal end", async () => {
    const file = await fileWith(3);
    damageRow(file, 2);
    await using store = await openStore({ url: `file:${file}`, ...LARGE });
    expect([store.damagedPositions, store.isCheckDue]).toEqual([[], false]);
  });

  it("is due for a check after a process that did not close it", async () => {
    const file = await fileWith(3);
    // A connection that stays open keeps the write-ahead log, as a killed process leaves it.
    const left = new DatabaseSync(file);
    onTestFinished(() => left.close());
    left.exec("update readers set cursor = cursor; create table left_open (id integer)");
    await using store = await openStore({ url: `file:${file}`, ...LARGE });
    expect(store.isCheckDue).toBe(true);
  });
});

describe("the check of the log in the background", () => {
  it("finds damaged entries that nobody has read, tells its progress, and ends", async () => {
    const file = await fileWith(350);
    damageRow(file, 340);
    await using store = await openStore({ url: `file:${file}`, ...LARGE });
    const log = await logOver(store.events, { isCheckDue: true });
    expect(degradationOf(log, { doubt: () => null }, { aheadMs: () => 0 })).toBe("0 % of the log is checked");
    await until(() => log.checkProgress() === null);
    expect(degradationOf(log, { doubt: () => null }, { aheadMs: () => 0 })).toBe("entries of the log are damaged");
  });

  it("reads on after the database was away, and logs the failure once", async () => {
    const lines: string[] = [];
    const log = createLogger({ level: "error", secrets: [], write: (line) => lines.push(line) });
    let failures = 2;
    const checked: number[] = [];
    const read = async ({ after }: { after: number | null }) => {
      if (after === 1 && failures > 0) {
        failures -= 1;
        throw new Error("away");
      }
      return after === 2 ? [] : [{ seq: (after ?? 0) + 1 } as never];
    };
    await using check = startLogCheck({
      store: { read, head: async () => 2 },
      checkRow: ({ seq }) => checked.push(seq),
      log,
    });
    await until(() => check.progress() === null);
    expect(checked).toEqual([1, 2]);
    expect(lines.length).toBe(1);
  });

  it("stops with the gateway", async () => {
    const check = startLogCheck({
      store: { read: async () => [{ seq: 1 } as never], head: async () => 1_000_000 },
      checkRow: () => undefined,
      log: silentLog,
    });
    await check[Symbol.asyncDispose]();
    expect(check.progress()).toBeLessThan(1);
  });
});
