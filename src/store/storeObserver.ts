// What the metrics learn of the database.

/** `sqlite`: the thread that writes and does short reads. `sqlite_scans`: the thread that scans the log. */
export const databaseNames = ["sqlite", "sqlite_scans", "postgres"] as const;
export type DatabaseName = (typeof databaseNames)[number];

export interface StoreObserver {
  /**
   * The database answered a statement, or several that were sent to a thread of SQLite together. `statements`: their texts, without
   * parameters.
   */
  answered(database: DatabaseName, milliseconds: number, statements: () => readonly string[]): void;
}

export const noStoreObserver: StoreObserver = { answered: () => undefined };

/** Connections to PostgreSQL. */
export interface PoolState {
  /** Open connections, idle ones included. */
  open: number;
  idle: number;
  /** Statements and transactions that wait for a connection. */
  waiting: number;
}
