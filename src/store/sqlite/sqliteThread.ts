// A thread that has the SQLite file open: an fsync holds this thread, and never the event loop. The one that writes opens the
// file so that a committed transaction is on disk: WAL with synchronous=FULL, both read back, for a file system or a build that
// quietly does otherwise would make every 200 a lie. The other reads, as long as a scan of the log may take.
import { flushCompileCache } from "node:module";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { INTERRUPTED } from "./sqliteCodes.ts";

export interface Step {
  sql: string;
  /** The parameters of each run of it. */
  runs: readonly (readonly SQLInputValue[])[];
  /** Where it gives rows, those behind it are not done. */
  isGuard?: true;
}

/** Done in order, up to the first that fails or whose guard gives rows. */
export interface Question {
  id: number;
  steps: readonly Step[];
}

/** The first message has id 0: the file is open, or why it is not. */
export interface Answer {
  id: number;
  /** Of the steps that were done. */
  results?: StepResult[];
  /** `code` is SQLite's extended result code, where there is one. */
  failure?: { message: string; code: number | undefined };
}

/** Of all runs together. */
export interface StepResult {
  rows: unknown[];
  /** Null where it gives rows. */
  changes: number | null;
}

/** What a thread is started with. */
export interface ThreadData {
  file: string;
  /** Null for the thread that writes. */
  scans: ScanLimits | null;
}

export interface ScanLimits {
  /** Its only entry: the question up to which nobody waits for an answer any more. */
  ended: Int32Array;
  /** How long a question may take. */
  milliseconds: number;
}

const STATEMENTS_KEPT = 200;
/** How long a reader waits for a lock, which is held for an instant where the log of the file begins anew. */
const READER_PATIENCE_MS = 1000;

function openForScans(file: string): DatabaseSync {
  return new DatabaseSync(file, { readOnly: true, timeout: READER_PATIENCE_MS });
}

function open(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 0 });
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

function createRunner(database: DatabaseSync): (step: Step) => StepResult {
  const kept = new Map<string, { statement: StatementSync; givesRows: boolean }>();
  const prepared = (sql: string) => {
    const known = kept.get(sql);
    if (known) return known;
    if (kept.size >= STATEMENTS_KEPT) kept.clear();
    const statement = database.prepare(sql);
    const fresh = { statement, givesRows: statement.columns().length > 0 };
    kept.set(sql, fresh);
    return fresh;
  };
  return ({ sql, runs }) => {
    // A full disk has rolled back already; told so, nobody would hear that it is full.
    if (sql === "rollback" && !database.isTransaction) return { rows: [], changes: 0 };
    const { statement, givesRows } = prepared(sql);
    if (givesRows) return { rows: runs.flatMap((parameters) => statement.all(...parameters)), changes: null };
    return {
      rows: [],
      changes: runs.reduce((sum, parameters) => sum + Number(statement.run(...parameters).changes), 0),
    };
  };
}

/** Makes `alive()` of SQL, which a scan asks again and again: it ends a scan that nobody waits for, or that takes too long. */
function endScans(database: DatabaseSync, { ended, milliseconds }: ScanLimits) {
  let current = 0;
  let endsAt = Infinity;
  database.function("alive", () => {
    if (current > Atomics.load(ended, 0) && performance.now() < endsAt) return 1;
    throw Object.assign(new Error("the scan was ended"), { errcode: INTERRUPTED });
  });
  return (id: number) => {
    current = id;
    endsAt = performance.now() + milliseconds;
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
        say({ id: question.id, results: runAll(question.steps) });
      } catch (error) {
        say({ id: question.id, failure: failureOf(error) });
      }
    });
    say({ id: 0 });
    // This thread's own, where the process keeps one: otherwise it is written at the end, which may be a kill.
    flushCompileCache();
  } catch (error) {
    say({ id: 0, failure: failureOf(error) });
    port.close();
  }
}

serve();
