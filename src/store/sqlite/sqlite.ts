// SQLite for Kysely, in worker threads (sqliteThread.ts), so that an fsync never blocks the event loop. One thread writes and
// does short reads. A second thread scans the log; it starts with the first scan.
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { dirname, extname } from "node:path";
import { Worker } from "node:worker_threads";
import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
} from "kysely";
import { noStoreObserver, type DatabaseName, type StoreObserver } from "../storeObserver.ts";
import { FULL, INTERRUPTED, IO_ERROR, primaryCode, NO_ROOM_FOR_INDEX } from "./sqliteCodes.ts";
import type { Answer, Question, Step, StepResult, ThreadData } from "./sqliteThread.ts";
import { createMutex, type Mutex } from "../../util/semaphore.ts";

/** An error of SQLite, with its extended result code (sqlite.org/rescode.html). */
export class SqliteFailure extends Error {
  override readonly name = "SqliteFailure";
  readonly code: number | undefined;
  constructor({ message, code }: NonNullable<Answer["failure"]>) {
    super(message);
    this.code = code;
  }
}

/**
 * Sends several steps to the thread in one message. The thread runs them in order and stops after a guard that returns rows.
 * Returns the results of the steps that ran. Rejects at the first step that fails; the steps before it stay done.
 */
export type Exchange = (steps: readonly Step[]) => Promise<readonly StepResult[]>;

export interface SqliteDialect extends Dialect {
  /** A connection of this dialect has the thread to itself until it is released. */
  alone: Dialect;
  /** For a connection that has the thread to itself. One exchange costs less than several statements. */
  exchange: Exchange;
}

/** The dialect of the read-only thread for scans. */
export interface ScanDialect extends Dialect {
  /** Call it before each scan. */
  begin(): void;
  /** Ends the current scan, which then fails with INTERRUPTED. */
  interrupt(): void;
}

interface Thread {
  exchange: Exchange;
  close(): Promise<void>;
}

/** TypeScript in the repository, JavaScript in the built package. */
export const THREAD_URL = new URL(`./sqliteThread${extname(import.meta.url)}`, import.meta.url);

/**
 * Opens the file in a thread that writes. Throws SqliteFailure if that fails. If the disk fails later, an uncaught exception
 * ends the process; if the disk is full, it calls `onFull`. Tests replace `thread` to simulate a failing disk.
 */
export async function openSqlite(
  file: string,
  thread = THREAD_URL,
  onFull = () => {},
  observer = noStoreObserver,
): Promise<SqliteDialect> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const opened = observed(await startThread({ file, scans: null }, thread, onFull), "sqlite", observer);
  const mutex = createMutex();
  return {
    ...dialectOf(opened, mutex, "in transactions"),
    alone: dialectOf(opened, mutex, "always"),
    exchange: opened.exchange,
  };
}

/** Scans a file that is already open. A scan that takes longer than `maxMs` fails with INTERRUPTED. */
export function openScans(file: string, maxMs: number, observer = noStoreObserver): ScanDialect {
  const endedThrough = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let lastId = 0;
  let thread: Promise<Thread> | null = null;
  let isInterrupted = false;
  const start = () =>
    startThread({ file, scans: { endedThrough, maxMs } }, THREAD_URL).catch((error: unknown) => {
      thread = null;
      throw error;
    });
  const lazy: Thread = {
    async exchange(steps) {
      const { exchange } = await (thread ??= start());
      if (isInterrupted) throw new SqliteFailure({ message: "the scan was ended before it began", code: INTERRUPTED });
      lastId += 1;
      return exchange(steps);
    },
    close: async () => (await thread)?.close(),
  };
  return {
    ...dialectOf(observed(lazy, "sqlite_scans", observer), createMutex(), "in transactions"),
    begin: () => {
      isInterrupted = false;
    },
    interrupt: () => {
      isInterrupted = true;
      Atomics.store(endedThrough, 0, lastId);
    },
  };
}

export const wasInterrupted = (error: unknown): boolean => error instanceof SqliteFailure && error.code === INTERRUPTED;

function observed(thread: Thread, name: DatabaseName, observer: StoreObserver): Thread {
  if (observer === noStoreObserver) return thread;
  return {
    exchange(steps) {
      const startedAt = performance.now();
      const statements = () => steps.map(({ sql }) => sql);
      return thread.exchange(steps).finally(() => observer.answered(name, performance.now() - startedAt, statements));
    },
    close: thread.close,
  };
}

async function startThread(data: ThreadData, thread: URL, onFull = () => {}): Promise<Thread> {
  const worker = new Worker(thread, { workerData: data, execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<readonly StepResult[]>>();
  let lastId = 0;
  /** Why the thread has ended; null while it runs. */
  let failure: Error | null = null;
  /** The thread may end while it opens the file, and after `close`. */
  let mayEnd = true;

  const end = (error: Error) => {
    failure ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on("error", (error: Error) => end(error));
  worker.on("exit", () => {
    end(new Error("the database's thread has ended"));
    // Without its thread the gateway would refuse everything, so the process ends and can be restarted.
    if (!mayEnd) endProcess(failure as Error);
  });
  worker.on("message", (answer: Answer) => {
    const request = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (!answer.failure) return request?.resolve(answer.results ?? []);
    const error = new SqliteFailure(answer.failure);
    request?.reject(error);
    if (isFullDisk(error)) onFull();
    if (isDiskFailure(error)) endProcess(error);
  });

  // The thread answers without a question, under id 0, when the file is open.
  const opened = Promise.withResolvers<readonly StepResult[]>();
  waiting.set(0, opened);
  await opened.promise;
  mayEnd = false;
  return {
    exchange(steps) {
      if (failure) return Promise.reject(failure);
      lastId += 1;
      const answer = Promise.withResolvers<readonly StepResult[]>();
      waiting.set(lastId, answer);
      worker.postMessage({ id: lastId, steps } satisfies Question);
      return answer.promise;
    },
    async close() {
      if (failure) return;
      mayEnd = true;
      const exit = once(worker, "exit");
      worker.postMessage("close");
      await exit;
    },
  };
}

const isFullDisk = ({ code }: SqliteFailure): boolean => primaryCode(code) === FULL || code === NO_ROOM_FOR_INDEX;
/** A full disk is not a failure of the disk: writes succeed again when there is space. */
const isDiskFailure = ({ code }: SqliteFailure): boolean =>
  primaryCode(code) === IO_ERROR && code !== NO_ROOM_FOR_INDEX;

/** After a failed fsync the disk's content is unknown, and a second fsync may succeed although data was lost. So never retry. */
function endProcess(failure: Error): void {
  setImmediate(() => {
    throw failure;
  });
}

/**
 * `exclusive`: when a connection has the thread to itself: from the begin of a transaction, or from the moment when it is acquired;
 * always until it is released. A statement outside a transaction waits only for its turn to be sent, and not for the answers
 * to earlier statements: the thread runs them in order.
 */
function dialectOf(thread: Thread, mutex: Mutex, exclusive: "in transactions" | "always"): Dialect {
  const holding = new Set<DatabaseConnection>();
  const hold = async (connection: DatabaseConnection) => {
    await mutex.acquire();
    holding.add(connection);
  };
  async function send(connection: DatabaseConnection, steps: readonly Step[]): Promise<readonly StepResult[]> {
    if (holding.has(connection)) return await thread.exchange(steps);
    await mutex.acquire();
    const results = thread.exchange(steps);
    mutex.release();
    return await results;
  }
  function createConnection(): DatabaseConnection {
    const connection: DatabaseConnection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const [result] = await send(connection, [{ sql, runs: [parameters as Step["runs"][number]] }]);
        const { rows, changes } = result as StepResult;
        return { rows: rows as R[], ...(changes === null ? {} : { numAffectedRows: BigInt(changes) }) };
      },
      streamQuery() {
        throw new Error("The store reads pages and has no streams.");
      },
    };
    return connection;
  }
  const run = async (connection: DatabaseConnection, text: string) =>
    void (await connection.executeQuery(CompiledQuery.raw(text)));
  return {
    // The mutex decides which connection may send, because it wakes one waiting query. With a single connection, Kysely would
    // wake all of them each time.
    createAdapter: () => Object.defineProperty(new SqliteAdapter(), "supportsMultipleConnections", { value: true }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => ({
      init: async () => undefined,
      async acquireConnection() {
        const connection = createConnection();
        if (exclusive === "always") await hold(connection);
        return connection;
      },
      async releaseConnection(connection) {
        if (holding.delete(connection)) mutex.release();
      },
      async beginTransaction(connection) {
        await hold(connection);
        await run(connection, "begin immediate");
      },
      commitTransaction: (connection) => run(connection, "commit"),
      rollbackTransaction: (connection) => run(connection, "rollback"),
      destroy: () => thread.close(),
    }),
  };
}
