// Loaded before a program: kills it, as a power cut would, before its statement number KILL_AT reaches the database.
import { DatabaseSync, StatementSync, type SQLInputValue } from "node:sqlite";

const killAt = Number(process.env["KILL_AT"]);
let statements = 0;

function countStatement(): void {
  statements += 1;
  if (statements === killAt) process.kill(process.pid, "SIGKILL");
}

const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  countStatement();
  exec.call(this, sql);
};
const { run } = StatementSync.prototype;
StatementSync.prototype.run = function (this: StatementSync, ...values: SQLInputValue[]) {
  countStatement();
  return Reflect.apply(run, this, values) as ReturnType<typeof run>;
} as StatementSync["run"];
