import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { hasWal, readWalState } from "../../../src/store/sqlite/writeAheadLog.ts";
import { tempFile } from "../tempStore.ts";

const HEADER = 32;

/** A file whose write-ahead log holds this many commits, as a process leaves it that is killed. */
function fileWithCommits(commits: number): string {
  const file = tempFile();
  const database = new DatabaseSync(file);
  onTestFinished(() => database.close());
  database.exec("pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (x)");
  database.exec("pragma wal_checkpoint(truncate)");
  for (let commit = 0; commit < commits; commit += 1) database.exec(`insert into t values (${commit})`);
  const copy = tempFile();
  for (const end of ["", "-wal"]) copyFileSync(file + end, copy + end);
  return copy;
}

/** Changes the log. */
function change(file: string, edit: (log: Buffer) => Buffer): string {
  writeFileSync(`${file}-wal`, edit(readFileSync(`${file}-wal`)));
  return file;
}

const flip = (at: number) => (log: Buffer) => {
  log.writeUInt8(log.readUInt8(at) ^ 0xff, at);
  return log;
};

describe("The write-ahead log of a SQLite file", () => {
  it("is whole where there is none, or an empty one", () => {
    const file = tempFile();
    expect([readWalState(file), hasWal(fileWithCommits(1))]).toEqual(["whole", true]);
    const empty = change(fileWithCommits(1), () => Buffer.alloc(0));
    expect([readWalState(empty), hasWal(empty)]).toEqual(["whole", false]);
  });

  it("is whole with all its commits", () => {
    for (const commits of [1, 2, 5]) expect(readWalState(fileWithCommits(commits))).toBe("whole");
  });

  it.each(Array.from({ length: HEADER / 4 }, (_, word) => word * 4))(
    "is damaged with a changed byte %i of its header",
    (at) => {
      expect(readWalState(change(fileWithCommits(1), flip(at)))).toBe("damaged");
    },
  );

  it("is torn if its last commit is cut short or changed", () => {
    expect(readWalState(change(fileWithCommits(3), (log) => log.subarray(0, -1)))).toBe("torn");
    expect(readWalState(change(fileWithCommits(3), (log) => flip(log.length - 1)(log)))).toBe("torn");
  });

  it("is damaged if commits follow a changed one", () => {
    expect(readWalState(change(fileWithCommits(3), flip(HEADER + 40)))).toBe("damaged");
  });
});
