// The thread that has the SQLite file: an fsync holds this thread, and never the event loop. It opens the file so that a
// committed transaction is on disk: WAL with synchronous=FULL, both read back, for a file system or a build that quietly
// does otherwise would make every 200 a lie.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

export interface Statement {
  id: number;
  sql: string;
  parameters: readonly SQLInputValue[];
}

/** The first message has id 0: the file is open, or why it is not. */
export interface Answer {
  id: number;
  rows?: unknown[];
  changes?: number;
  /** `code` is SQLite's extended result code, where there is one. */
  failure?: { message: string; code: number | undefined };
}

const STATEMENTS_KEPT = 200;

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  // One process owns the file: another could commit between this one's commits and never be heard of here.
  setAndReadBack(database, "locking_mode", "exclusive", "exclusive");
  setAndReadBack(database, "journal_mode", "wal", "wal");
  setAndReadBack(database, "synchronous", "full", 2);
  // What is deleted is written over: a number that was erased is not left in a free page.
  setAndReadBack(database, "secure_delete", "on", 1);
  setAndReadBack(database, "foreign_keys", "on", 1);
  return database;
}

function setAndReadBack(database: DatabaseSync, pragma: string, value: string, expected: string | number): void {
  database.exec(`pragma ${pragma} = ${value}`);
  const found = Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0];
  if (found !== expected) throw new Error(`SQLite kept ${pragma} at ${String(found)} where ${value} was asked for`);
}

function createRunner(database: DatabaseSync): (statement: Statement) => Answer {
  const kept = new Map<string, StatementSync>();
  const prepared = (sql: string): StatementSync => {
    const known = kept.get(sql);
    if (known) return known;
    if (kept.size >= STATEMENTS_KEPT) kept.clear();
    const statement = database.prepare(sql);
    kept.set(sql, statement);
    return statement;
  };
  return ({ id, sql, parameters }) => {
    // A full disk has rolled back already; told so, nobody would hear that it is full.
    if (sql === "rollback" && !database.isTransaction) return { id, rows: [] };
    const statement = prepared(sql);
    if (statement.columns().length > 0) return { id, rows: statement.all(...parameters) };
    return { id, rows: [], changes: Number(statement.run(...parameters).changes) };
  };
}

function failureOf(error: unknown): NonNullable<Answer["failure"]> {
  const { message, errstr, errcode } = error as Error & { errstr?: string; errcode?: number };
  return { message: errstr ?? message, code: errcode };
}

function serve(): void {
  const port = parentPort;
  if (!port) throw new Error("this file is a thread's");
  const say = (answer: Answer) => port.postMessage(answer);
  try {
    const database = open((workerData as { file: string }).file);
    const run = createRunner(database);
    port.on("message", (statement: Statement | "close") => {
      if (statement === "close") {
        database.close();
        port.close();
        return;
      }
      try {
        say(run(statement));
      } catch (error) {
        say({ id: statement.id, failure: failureOf(error) });
      }
    });
    say({ id: 0 });
  } catch (error) {
    say({ id: 0, failure: failureOf(error) });
    port.close();
  }
}

serve();
