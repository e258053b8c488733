// SQLite under Kysely, in threads of its own (sqliteThread.ts): one writes, and reads what must not wait; a second one, which
// is started when it is first needed, scans the log.
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
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
import { FULL, INTERRUPTED, IO_ERROR, kindOf, NO_ROOM_FOR_INDEX } from "./sqliteCodes.ts";
import type { Answer, Question, Step, StepResult, ThreadData } from "./sqliteThread.ts";
import { createMutex, type Mutex } from "../../util/semaphore.ts";

/** What SQLite said, with its extended result code (sqlite.org/rescode.html). */
export class SqliteFailure extends Error {
  override readonly name = "SqliteFailure";
  readonly code: number | undefined;
  constructor({ message, code }: NonNullable<Answer["failure"]>) {
    super(message);
    this.code = code;
  }
}

/**
 * Steps in one message to the thread, done in order up to a guard that gives rows, and what came of each that was done. Throws
 * at the first that fails; those before it are done.
 */
export type Exchange = (steps: readonly Step[]) => Promise<readonly StepResult[]>;

export interface SqliteDialect extends Dialect {
  /** Whoever has a connection of it has the thread to itself, until the connection is released. */
  alone: Dialect;
  /** For whoever has the thread to itself: cheaper than as many statements. */
  exchange: Exchange;
}

/** For scans: it only reads. */
export interface ScanDialect extends Dialect {
  /** Before each scan. */
  begin(): void;
  /** Ends the scan that was begun: it fails with INTERRUPTED. */
  interrupt(): void;
}

interface Thread {
  exchange: Exchange;
  close(): Promise<void>;
}

export const THREAD_URL = new URL("./sqliteThread.ts", import.meta.url);

/**
 * Throws SqliteFailure where the file cannot be opened. Where the disk fails later, the process
 * ends by an uncaught exception; where it is full, `onFull` is called. `thread` is for tests of the former.
 */
export async function openSqlite(file: string, thread = THREAD_URL, onFull = () => {}): Promise<SqliteDialect> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const opened = await startThread({ file, scans: null }, thread, onFull);
  const mutex = createMutex();
  return {
    ...dialectOf(opened, mutex, "from begin"),
    alone: dialectOf(opened, mutex, "from the start"),
    exchange: opened.exchange,
  };
}

/** Of a file that is open already. A scan fails with INTERRUPTED where it takes longer than so many milliseconds. */
export function openScans(file: string, milliseconds: number): ScanDialect {
  const ended = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let asked = 0;
  let thread: Promise<Thread> | null = null;
  let isOver = false;
  const start = () =>
    startThread({ file, scans: { ended, milliseconds } }, THREAD_URL).catch((error: unknown) => {
      thread = null;
      throw error;
    });
  const lazy: Thread = {
    async exchange(steps) {
      const { exchange } = await (thread ??= start());
      if (isOver) throw new SqliteFailure({ message: "the scan was ended before it began", code: INTERRUPTED });
      asked += 1;
      return exchange(steps);
    },
    close: async () => (await thread)?.close(),
  };
  return {
    ...dialectOf(lazy, createMutex(), "from begin"),
    begin: () => {
      isOver = false;
    },
    interrupt: () => {
      isOver = true;
      Atomics.store(ended, 0, asked);
    },
  };
}

export const isInterrupted = (error: unknown): boolean => error instanceof SqliteFailure && error.code === INTERRUPTED;

async function startThread(data: ThreadData, thread: URL, onFull = () => {}): Promise<Thread> {
  const worker = new Worker(thread, { workerData: data, execArgv: [] });
  const waiting = new Map<number, PromiseWithResolvers<readonly StepResult[]>>();
  let asked = 0;
  let ended: Error | null = null;

  let isExpected = true;

  const end = (error: Error) => {
    ended ??= error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on("error", (error: Error) => end(error));
  worker.on("exit", () => {
    end(new Error("the database's thread has ended"));
    // It cannot heal, and would refuse everything for ever: the next start begins with a new one.
    if (!isExpected) endProcess(ended as Error);
  });
  worker.on("message", (answer: Answer) => {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (!answer.failure) return asker?.resolve(answer.results ?? []);
    const failure = new SqliteFailure(answer.failure);
    asker?.reject(failure);
    if (isFullDisk(failure)) onFull();
    if (isDiskFailure(failure)) endProcess(failure);
  });

  const opened = Promise.withResolvers<readonly StepResult[]>();
  waiting.set(0, opened);
  await opened.promise;
  isExpected = false;
  return {
    exchange(steps) {
      if (ended) return Promise.reject(ended);
      asked += 1;
      const answer = Promise.withResolvers<readonly StepResult[]>();
      waiting.set(asked, answer);
      worker.postMessage({ id: asked, steps } satisfies Question);
      return answer.promise;
    },
    async close() {
      if (ended) return;
      isExpected = true;
      const exit = once(worker, "exit");
      worker.postMessage("close");
      await exit;
    },
  };
}

const isFullDisk = ({ code }: SqliteFailure): boolean => kindOf(code) === FULL || code === NO_ROOM_FOR_INDEX;
/** A full disk is none that fails, and heals. */
const isDiskFailure = ({ code }: SqliteFailure): boolean => kindOf(code) === IO_ERROR && code !== NO_ROOM_FOR_INDEX;

/** After a failed fsync nobody knows what is on disk, and a second one may say yes to what was lost: it is never asked. */
function endProcess(failure: Error): void {
  setImmediate(() => {
    throw failure;
  });
}

/**
 * `holds`: from when on a connection has the thread to itself, until it is released. From "begin", a statement outside a
 * transaction waits for its turn to be sent, and not for the answers of those before it: the thread keeps their order, and
 * each answer takes a turn of the event loop.
 */
function dialectOf(thread: Thread, mutex: Mutex, holds: "from begin" | "from the start"): Dialect {
  const holding = new Set<DatabaseConnection>();
  const hold = async (connection: DatabaseConnection) => {
    await mutex.acquire();
    holding.add(connection);
  };
  async function send(connection: DatabaseConnection, steps: readonly Step[]): Promise<readonly StepResult[]> {
    if (holding.has(connection)) return await thread.exchange(steps);
    await mutex.acquire();
    const answer = thread.exchange(steps);
    mutex.release();
    return await answer;
  }
  function createConnection(): DatabaseConnection {
    const connection: DatabaseConnection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const [result] = await send(connection, [{ sql, runs: [parameters as Step["runs"][number]] }]);
        const { rows, changes } = result as StepResult;
        return { rows: rows as R[], ...(changes === null ? {} : { numAffectedRows: BigInt(changes) }) };
      },
      streamQuery() {
        throw new Error("the store reads pages, not streams");
      },
    };
    return connection;
  }
  const run = async (connection: DatabaseConnection, text: string) =>
    void (await connection.executeQuery(CompiledQuery.raw(text)));
  return {
    // Told that there is one connection, Kysely lets all who wait for it race for it each time.
    createAdapter: () => Object.defineProperty(new SqliteAdapter(), "supportsMultipleConnections", { value: true }),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => ({
      init: async () => undefined,
      async acquireConnection() {
        const connection = createConnection();
        if (holds === "from the start") await hold(connection);
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
