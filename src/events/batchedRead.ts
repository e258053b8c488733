// Combines reads that are requested at the same time into one query: ten thousand subscribers that wake together cost one.
// Nothing is cached, so an answer is never older than its request.
import type { Logger } from "../logger.ts";
import type { Signal } from "../util/signal.ts";
import { createAbortable } from "./followLog.ts";

/** A read without a key: all callers that wait get the answer of one read. */
export function shareRead<Value>(read: () => Promise<Value>): () => Promise<Value> {
  const readBatch = createBatchedRead(async () => new Map([["only", await read()]]));
  return async () => (await readBatch(["only"])).get("only") as Value;
}

/**
 * Runs `read` for one batch at a time. Keys requested while a batch runs form the next batch. The answer may hold keys of
 * other callers. Where `read` rejects, every caller of the batch gets the error.
 */
export function createBatchedRead<Key, Value>(
  read: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>> {
  let running: Promise<unknown> = Promise.resolve();
  let next: { keys: Set<Key>; answer: Promise<ReadonlyMap<Key, Value>> } | null = null;

  function openBatch() {
    const keys = new Set<Key>();
    const answer = running.then(() => {
      next = null;
      return read([...keys]);
    });
    running = answer.catch(() => undefined);
    return { keys, answer };
  }

  return (keys) => {
    next ??= openBatch();
    for (const key of keys) next.keys.add(key);
    return next.answer;
  };
}

/** `through`: the position of the last row, or of the reader where there are none. Null: nothing can be read after these rows. */
export interface RowBatch<Row> {
  rows: readonly Row[];
  through: number | null;
}

export interface RowFollowerDeps<Row> {
  /** The position after which new rows follow. */
  readHead(): Promise<number>;
  /** Some of the rows after a position, in order. */
  readAfter(position: number): Promise<RowBatch<Row>>;
  /** Notified when there may be new rows. */
  changes: Signal;
  /** A notification can be lost: rows are read again after so long. */
  maxWaitMs: number;
  log: Logger;
  /** What the log says where rows cannot be read. They are read again later. */
  failure: string;
}

/**
 * Follows rows that have an order, such as recordings in the order of settling. Each follower has a position and reads from the store; followers that wake
 * together share one query.
 */
export interface RowFollower<Row> {
  /** All who ask at the same time share one read. Rejects where the store fails. */
  head(): Promise<number>;
  /**
   * Each row after a position, in order and as it is when it is read. Ends after the last row of a batch without a position, and by `return()`, at once.
   */
  follow(after: number): AsyncIterableIterator<Row>;
}

export function createRowFollower<Row>({
  readHead,
  readAfter,
  changes,
  maxWaitMs,
  log,
  failure,
}: RowFollowerDeps<Row>): RowFollower<Row> {
  const readBatches = createBatchedRead(async (positions: readonly number[]) => {
    const batches = positions.map(async (position) => [position, await readBatch(position)] as const);
    return new Map(await Promise.all(batches));
  });
  async function readBatch(position: number): Promise<RowBatch<Row>> {
    try {
      return await readAfter(position);
    } catch (err) {
      log.warn({ err }, failure);
      return { rows: [], through: position };
    }
  }

  function follow(after: number): AsyncIterableIterator<Row> {
    const listener = changes.listen();
    const { isAborted, unlessAborted, iterate } = createAbortable(listener);
    async function* rows(): AsyncGenerator<Row, void, undefined> {
      let position: number | null = after;
      while (position !== null && !isAborted()) {
        listener.reset();
        const batch: RowBatch<Row> | undefined = (await unlessAborted(readBatches([position])))?.get(position);
        if (!batch) return;
        yield* batch.rows;
        position = batch.through;
        if (batch.rows.length === 0) await listener.wait(maxWaitMs);
      }
    }
    return iterate(rows());
  }
  return { head: shareRead(readHead), follow };
}
