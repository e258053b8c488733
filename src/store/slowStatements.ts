// Logs statements that take long, at the level debug: their text and time, without parameters and without what stands between
// quotation marks.
import type { Logger } from "../logger.ts";
import type { StoreObserver } from "./storeObserver.ts";

/** A statement that takes longer has a line. */
const SLOW_MS = 100;
const MAX_TEXT = 500;

/** Adds the lines to an observer. */
export function logSlowStatements(observer: StoreObserver, log: Logger): StoreObserver {
  return {
    answered(database, milliseconds, statements) {
      observer.answered(database, milliseconds, statements);
      if (milliseconds <= SLOW_MS) return;
      log.debug({ database, ms: Math.round(milliseconds), sql: textOf(statements()) }, "a statement took long");
    },
  };
}

function textOf(statements: readonly string[]): string {
  const text = statements
    .join("; ")
    .replace(/\s+/g, " ")
    .replace(/'(?:[^']|'')*'/g, "'…'");
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
