// The worker thread that has the SQLite file open. The writing thread uses WAL with synchronous=FULL, so that a committed
// transaction is on disk. It reads both settings back, because a file system or build may silently ignore them. The scanning
// thread opens the file read-only.
import { flushCompileCache } from "node:module";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { compressFrame } from "../events/rawFrame.ts";
import { INTERRUPTED } from "./sqliteCodes.ts";

export interface Step {
  sql: string;
  /** The parameters of each run of the statement. */
  runs: readonly (readonly SQLInputValue[])[];
  /** If this step returns rows, the later steps do not run. */
  isGuard?: true;
}

/** Steps run in order, up to the first that fails or the first guard that returns rows. */
export interface Question {
  id: number;
  steps: readonly Step[];
}

/** The first answer has id 0: the file is open, or could not be opened. */
export interface Answer {
  id: number;
  /** The results of the steps that ran. */
  results?: StepResult[];
  /** `code`: SQLite's extended result code, if there is one. */
  failure?: { message: string; code: number | undefined };
}

/** The result of all runs of a step. */
export interface StepResult {
  rows: unknown[];
  /** The number of changed rows. Null if the statement returns rows. */
  changes: number | null;
}

/** The thread's `workerData`. */
export interface ThreadData {
  file: string;
  /** Null for the thread that writes. */
  scans: ScanLimits | null;
}

export interface ScanLimits {
  /** Shared memory with one entry: scans with this id or a lower one were ended, because nobody waits for them. */
  endedThrough: Int32Array;
  /** The time limit of a scan in milliseconds. */
  maxMs: number;
}

const MAX_STATEMENTS = 200;
/** How long a scan waits for a lock. The writer holds one for a moment when it restarts the write-ahead log. */
const SCAN_LOCK_TIMEOUT_MS = 1000;

function openForScans(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: SCAN_LOCK_TIMEOUT_MS });
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
  setAndReadBack(database, "journal_mode", "wal", "wal");
  setAndReadBack(database, "synchronous", "full", 2);
  // Overwrites deleted data, so that no erased phone number stays in a free page.
  setAndReadBack(database, "secure_delete", "on", 1);
  setAndReadBack(database, "foreign_keys", "on", 1);
  database.function("compressed", (frame) => compressFrame(frame as Uint8Array));
  return database;
}

function setAndReadBack(database: DatabaseSync, pragma: string, value: string, expected: string | number): void {
  database.exec(`pragma ${pragma} = ${value}`);
  const found = Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0];
  if (found !== expected) throw new Error(`SQLite did not accept ${pragma} = ${value}: it is ${String(found)}`);
}

function createRunner(database: DatabaseSync): (step: Step) => StepResult {
  const statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>();
  const prepared = (sql: string) => {
    const known = statements.get(sql);
    if (known) return known;
    if (statements.size >= MAX_STATEMENTS) statements.clear();
    const statement = database.prepare(sql);
    const fresh = { statement, returnsRows: statement.columns().length > 0 };
    statements.set(sql, fresh);
    return fresh;
  };
  return ({ sql, runs }) => {
    // When the disk is full, SQLite has rolled back already. An error here would hide the first one.
    if (sql === "rollback" && !database.isTransaction) return { rows: [], changes: 0 };
    const { statement, returnsRows } = prepared(sql);
    if (returnsRows) return { rows: runs.flatMap((parameters) => statement.all(...parameters)), changes: null };
    return {
      rows: [],
      changes: runs.reduce((sum, parameters) => sum + Number(statement.run(...parameters).changes), 0),
    };
  };
}

/**
 * Adds the SQL function `alive()`, which a scan calls regularly. It ends the scan if nobody waits for it or if it takes too
 * long. Returns the function to call before each question.
 */
function endScans(database: DatabaseSync, { endedThrough, maxMs }: ScanLimits) {
  let current = 0;
  let endsAt = Infinity;
  database.function("alive", () => {
    if (current > Atomics.load(endedThrough, 0) && performance.now() < endsAt) return 1;
    throw Object.assign(new Error("the scan was ended"), { errcode: INTERRUPTED });
  });
  return (id: number) => {
    current = id;
    endsAt = performance.now() + maxMs;
  };
}

function failureOf(error: unknown): NonNullable<Answer["failure"]> {
  const { message, errstr, errcode } = error as Error & { errstr?: string; errcode?: number };
  return { message: errstr ?? message, code: errcode };
}

function runStatements(): void {
  const port = parentPort;
  if (!port) throw new Error("sqliteThread.ts runs only in a worker thread");
  const reply = (answer: Answer) => port.postMessage(answer);
  try {
    const { file, scans } = workerData as ThreadData;
    const database = scans ? openForScans(file) : open(file);
    const begin = scans ? endScans(database, scans) : () => undefined;
    const run = createRunner(database);
    const runAll = (steps: readonly Step[]) => {
      const results: StepResult[] = [];
      for (const step of steps) {
        const result = run(step);
        results.push(result);
        if (step.isGuard && result.rows.length > 0) break;
      }
      return results;
    };
    port.on("message", (question: Question | "close") => {
      if (question === "close") {
        database.close();
        port.close();
        return;
      }
      begin(question.id);
      try {
        reply({ id: question.id, results: runAll(question.steps) });
      } catch (error) {
        reply({ id: question.id, failure: failureOf(error) });
      }
    });
    reply({ id: 0 });
    // Writes this thread's compile cache now: the process may be killed before it would be written at the end.
    flushCompileCache();
  } catch (error) {
    reply({ id: 0, failure: failureOf(error) });
    port.close();
  }
}

runStatements();
