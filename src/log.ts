// The structured logger: JSON lines on standard output, or readable lines if that is a terminal. It masks secrets and phone
// numbers in every line, and adds the fields of the current work (util/logContext.ts).
import pino from "pino";
import { logFields } from "./util/logContext.ts";
import { readableLine } from "./util/readableLine.ts";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";
type Write = (fields: Record<string, unknown>, message: string) => void;

export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  /** Pass the cause as `err`. Its stack is written and masked too. */
  error: Write;
  /** From now on this text is never written, like the secrets that the log was created with. */
  hide(secret: string): void;
}

export interface LogOptions {
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

const PHONE_LIKE = /\+?\d{7,}/g;
/** Each text and each number of a JSON line. */
const JSON_SCALAR = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Masks every run of 7 or more digits except its last 2, so that no phone number stays readable. */
export function maskDigitRuns(text: string): string {
  return text.replace(PHONE_LIKE, (run) => `***${run.slice(-2)}`);
}

/**
 * Masks each complete line, so that no field, message or stack escapes. Callers still choose the fields that they log: masking is
 * the second line of defence.
 */
export function createLog({ level, secrets, write }: LogOptions): Log {
  // A text may contain JSON, in which characters of a secret are escaped. So both spellings are masked.
  let hidden: readonly string[] = [];
  const hide = (...texts: readonly string[]) => {
    const spellings = texts
      .filter((secret) => secret.length > 0)
      .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
    hidden = [...new Set([...hidden, ...spellings])].toSorted((a, b) => b.length - a.length);
  };
  hide(...secrets);
  const maskSecrets = (text: string) =>
    maskDigitRuns(hidden.reduce((rest, secret) => rest.replaceAll(secret, "***"), text));
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

  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: errorFields },
      formatters: { level: (label) => ({ level: label }), log: unmarkNumbers },
      // A copy, because pino adds the line's own fields to it.
      mixin: () => ({ ...logFields() }),
      hooks: { streamWrite: maskLine },
    },
    write ? { write } : standardOutput(),
  );
  return Object.assign(logger, { hide: (secret: string) => hide(secret) });
}

const isOwnNumber = (value: unknown): value is { [OWN]: number } =>
  typeof value === "object" && value !== null && OWN in value;

function standardOutput(): pino.DestinationStream {
  const output = pino.destination({ fd: 1, sync: true });
  return process.stdout.isTTY ? { write: (line) => output.write(readableLine(line)) } : output;
}

/** Pino's fields of an error, with the messages of all causes joined: "It failed: the cause". */
function errorFields(error: Error): pino.SerializedError {
  const fields = pino.stdSerializers.err(error);
  if (error instanceof Error) fields.message = messagesOf(error).join(": ");
  return fields;
}

function messagesOf(error: Error, outer: readonly unknown[] = []): string[] {
  const { message, name, cause, code = name } = error as Error & { code?: string | number };
  const text = message || String(code);
  const seen = [...outer, error];
  if (!(cause instanceof Error) || seen.includes(cause)) return [text];
  return [text.replace(/\.$/, ""), ...messagesOf(cause, seen)];
}
