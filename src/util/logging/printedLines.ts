// What libraries print. Standard output is the gateway's log, a JSON object a line, and some libraries write to it with `console` what they did not
// expect, such as what an odd server sent (@nats-io/nats-core: "reader closed"). Such a text becomes an entry of the log. Only its first words are
// shown: what follows may be what the server was sent before, with passwords and calls.

const METHODS = ["log", "info", "debug", "warn", "error", "trace", "dir"] as const;
const FIRST_WORDS = /^[A-Za-z ]{1,60}/;

/** For the whole process, until it is disposed of. */
export function takePrintedLines(log: { warn(fields: { err: Error }, message: string): void }): Disposable {
  const before = METHODS.map((method) => [method, console[method]] as const);
  const take = (...args: unknown[]) => log.warn({ err: printed(args) }, "a library printed a text");
  for (const method of METHODS) console[method] = take;
  return {
    [Symbol.dispose]() {
      for (const [method, own] of before) console[method] = own;
    },
  };
}

/** As an error, so that repetitions are counted. */
function printed(args: readonly unknown[]): Error {
  const [first] = args;
  const words = typeof first === "string" ? (FIRST_WORDS.exec(first)?.[0].trim() ?? "") : "";
  const names = args.filter((arg) => arg instanceof Error).map(({ constructor }) => constructor.name);
  const error = new Error([words, ...names].filter((text) => text !== "").join(": ") || "no words");
  delete error.stack;
  return error;
}
