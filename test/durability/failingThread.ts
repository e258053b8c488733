// A database thread whose disk fails at the first commit. It answers with SQLite's code of a failed fsync.
import { parentPort } from "node:worker_threads";
import type { Question } from "../../src/store/sqlite/sqliteThread.ts";

const SQLITE_IOERR_FSYNC = 1034;

parentPort?.on("message", ({ id, steps }: Question) => {
  const failure = { message: "disk I/O error", code: SQLITE_IOERR_FSYNC };
  parentPort?.postMessage(
    steps.at(-1)?.sql === "commit" ? { id, failure } : { id, results: [{ rows: [], changes: 0 }] },
  );
});
parentPort?.postMessage({ id: 0 });
