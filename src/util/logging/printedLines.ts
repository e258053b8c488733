// What libraries print. Standard output is the gateway's log, a JSON object a line, and some libraries write to it with `console` what they did not
// expect, such as what an odd server sent: https://github.com/nats-io/nats.js ("reader closed"). Such texts become entries of the log, cut and
// masked as all are.
import { format } from "node:util";

const METHODS = ["log", "info", "debug", "warn", "error", "trace", "dir"] as const;
const MAX_LENGTH = 1000;

/** For the whole process, until it is disposed of. */
export function takePrintedLines(log: { warn(fields: { err: Error }, message: string): void }): Disposable {
  const before = METHODS.map((method) => [method, console[method]] as const);
  const take = (...args: unknown[]) => log.warn({ err: printed(format(...args)) }, "a library printed a text");
  for (const method of METHODS) console[method] = take;
  return {
    [Symbol.dispose]() {
      for (const [method, own] of before) console[method] = own;
    },
  };
}

/** As an error, so that repetitions are counted. */
function printed(text: string): Error {
  const error = new Error(text.slice(0, MAX_LENGTH).toWellFormed());
  delete error.stack;
  return error;
}
