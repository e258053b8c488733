// The structured logger: JSON lines on standard output, or readable lines if that is a terminal. It masks secrets and phone
// numbers in every line, and adds the fields of the current work (util/logContext.ts).
import pino from "pino";
import { errorMessage } from "./util/logging/errorMessage.ts";
import { createFailureLog, type FailureLog } from "./util/logging/failureLog.ts";
import { logFields } from "./util/logContext.ts";
import { createLineOutput, type LineOutput } from "./util/logging/lineOutput.ts";
import { readableLine } from "./util/logging/readableLine.ts";
import { terminalText } from "./util/logging/terminalText.ts";

type LogLevelOfLine = "debug" | "info" | "warn" | "error";
export type LogLevel = LogLevelOfLine | "silent";
export type Write = (fields: Record<string, unknown>, message: string) => void;

export interface Logger {
  debug: Write;
  info: Write;
  /** Pass the cause of a failure as `err`. Its stack is written and masked too. Repetitions are counted: util/logging/failureLog.ts. */
  warn: Write;
  /** As `warn`. */
  error: Write;
  /** From now on this text is never written, like the secrets that the log was created with. */
  hide(secret: string): void;
  /** False: `debug` writes nothing, so that its fields need not be made. */
  logsDebug: boolean;
  /** Lines that standard output did not take, since the start. */
  lostLines(): number;
}

export interface LoggerOptions {
  level: LogLevel;
  /** Values that must never be written, such as the access token. */
  secrets: readonly string[];
  /** Where lines go. Default: standard output. */
  write?: (line: string) => void;
}

const OWN = Symbol("own number");

/**
 * Marks a position or a count that the gateway made itself, so that the log does not take its digits for a phone number. Only for
 * fields of a line, and never for a number that came from outside.
 */
export const ownNumber = (value: number): unknown => ({ [OWN]: value });

/**
 * Whether a secret is so short that words contain it, as placeholders such as `token` are. It is masked where it is a whole text, and not
 * inside of others, which nobody could read then.
 */
export const isShortSecret = (secret: string): boolean => secret.length < 8;
const SCHEME = /^(?:Bearer|Basic) /i;

const PHONE_LIKE = /\+?\d{7,}/g;
/** Each text and each number of a JSON line. */
const JSON_SCALAR = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Masks every run of 7 or more digits except its last 2, so that no phone number stays readable. */
export function maskDigitRuns(text: string): string {
  return text.replace(PHONE_LIKE, (run) => `***${run.slice(-2)}`);
}

/**
 * Masks each complete line, so that no field, message or stack escapes. Callers still choose the fields that they log: masking is
 * the second line of defence. Writing a line never throws. Disposing it writes the counts of repeated failures.
 */
export function createLogger({ level, secrets, write }: LoggerOptions): Logger & Disposable {
  // A text may contain JSON, in which characters of a secret are escaped. So both spellings are masked.
  let hidden: readonly string[] = [];
  const short = new Set<string>();
  const hide = (...texts: readonly string[]) => {
    for (const text of texts) if (text !== "" && isShortSecret(text)) short.add(text);
    const spellings = texts
      .filter((secret) => !isShortSecret(secret))
      .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
    hidden = [...new Set([...hidden, ...spellings])].toSorted((a, b) => b.length - a.length);
  };
  hide(...secrets);
  const maskSecrets = (text: string) =>
    short.has(text.replace(SCHEME, ""))
      ? "***"
      : maskDigitRuns(hidden.reduce((rest, secret) => rest.replaceAll(secret, "***"), text));
  /** The own numbers of the line that is being written, as its text has them. */
  let ownNumbers: string[] = [];
  const unmarkNumbers = (fields: Record<string, unknown>) => {
    const marked = Object.entries(fields).flatMap(([name, value]) =>
      isOwnNumber(value) ? [[name, value[OWN]] as const] : [],
    );
    ownNumbers = marked.map(([, value]) => JSON.stringify(value));
    return marked.length === 0 ? fields : { ...fields, ...Object.fromEntries(marked) };
  };
  // Mask each scalar separately: masking across quotes and escapes would break the JSON.
  const maskLine = (line: string) => {
    // Hexadecimal IDs have digits in a row, and must stay as other programs log them.
    const ids = Object.values(logFields());
    return line.replace(JSON_SCALAR, (scalar) => {
      if (ownNumbers.includes(scalar)) return scalar;
      if (!scalar.startsWith('"')) return maskSecrets(scalar) === scalar ? scalar : "0";
      const text = JSON.parse(scalar) as string;
      const masked = ids.includes(text) ? text : maskSecrets(text);
      return masked === text ? scalar : JSON.stringify(masked);
    });
  };

  const output: LineOutput = write ? { write, lostLines: () => 0 } : standardOutput();
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorFields },
      formatters: { level: (label) => ({ level: label }), log: unmarkNumbers },
      // A copy, because pino adds the line's own fields to it.
      mixin: () => ({ ...logFields() }),
      // People read lines of JSON on a terminal, too.
      hooks: { streamWrite: (line) => terminalText(maskLine(line)) },
    },
    output,
  );
  const writeAt = (lineLevel: LogLevelOfLine): Write => logger[lineLevel].bind(logger);
  const safely =
    (lineLevel: LogLevelOfLine, write = writeAt(lineLevel)): Write =>
    (fields, message) => {
      try {
        write(fields, message);
      } catch {
        // A field could not be read, such as a getter of a foreign error.
        logger[lineLevel](message);
      }
    };
  const [warnings, errors] = [countRepetitions(writeAt("warn")), countRepetitions(writeAt("error"))];
  return {
    debug: safely("debug"),
    info: safely("info"),
    warn: safely("warn", warnings.write),
    error: safely("error", errors.write),
    hide: (secret) => hide(secret),
    logsDebug: logger.isLevelEnabled("debug"),
    lostLines: output.lostLines,
    [Symbol.dispose]() {
      warnings[Symbol.dispose]();
      errors[Symbol.dispose]();
    },
  };
}

/** Lines with `err` are failures, which are counted by their message. The code has a closed list of messages. */
function countRepetitions(write: Write): { write: Write } & Disposable {
  const failures = new Map<string, FailureLog>();
  function failuresOf(message: string): FailureLog {
    const known = failures.get(message);
    if (known) return known;
    const created = createFailureLog({
      write: (fields) => write(fields, message),
      writeShort: (fields) => write({ ...fields, err: withoutStack(fields["err"]) }, message),
    });
    failures.set(message, created);
    return created;
  }
  return {
    write(fields, message) {
      if ("err" in fields) failuresOf(message).add(fields);
      else write(fields, message);
    },
    [Symbol.dispose]() {
      for (const each of failures.values()) each[Symbol.dispose]();
    },
  };
}

const isOwnNumber = (value: unknown): value is { [OWN]: number } =>
  typeof value === "object" && value !== null && OWN in value;

/** To read `process.stdout` makes a pipe or socket non-blocking, so that a reader that stands still does not stop the gateway. */
function standardOutput(): LineOutput {
  const { isTTY } = process.stdout;
  const format = isTTY ? readableLine : (line: string) => line;
  const output = createLineOutput({ fd: 1, lossLine: (lines) => format(lossLine(lines)) });
  return { ...output, write: (line) => output.write(format(line)) };
}

function lossLine(lines: number): string {
  const msg = "lines of the log were lost here: standard output did not take them";
  return `${JSON.stringify({ level: "warn", time: new Date().toISOString(), lines, msg })}\n`;
}

/** Pino's fields of an error, with the messages of all causes joined: "It failed: the cause". */
function errorFields(error: Error): pino.SerializedError {
  const fields = pino.stdSerializers.err(error);
  if (error instanceof Error) fields.message = errorMessage(error);
  if (isOfNetwork(error)) delete (fields as Partial<typeof fields>).stack;
  return fields;
}

/** Whether a connection failed: the message says how, and the stack shows Node's own code alone. */
function isOfNetwork(error: unknown): boolean {
  for (let each = error, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth += 1) {
    if (NETWORK_CODES.has((each as NodeJS.ErrnoException).code ?? "")) return true;
  }
  return false;
}
const NETWORK_CODES = new Set(
  "ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT ENOTFOUND EAI_AGAIN EHOSTUNREACH ENETUNREACH EADDRNOTAVAIL".split(" "),
);

/** A text, so that pino adds nothing to it. */
function withoutStack(err: unknown): unknown {
  return err instanceof Error ? `${err.name}: ${errorMessage(err)}` : err;
}
