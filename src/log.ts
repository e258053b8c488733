// The one structured logger: JSON lines on standard output, with secrets and phone numbers masked here, once.
import pino from "pino";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";
type Write = (fields: Record<string, unknown>, message: string) => void;

export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  /** Give the cause as `err`: its stack is written, and masked like all else. */
  error: Write;
}

export interface LogOptions {
  level: LogLevel;
  /** Values that must never be written, such as the access token. */
  secrets: readonly string[];
  /** Where lines go; default: standard output. */
  write?: (line: string) => void;
}

const PHONE_LIKE = /\+?\d{7,}/g;
/** The texts and the numbers of a JSON line, each whole. */
const JSON_SCALAR = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** Hides every run of 7 or more digits but its last 2: a phone number wherever it stands in a text. */
export function maskDigits(text: string): string {
  return text.replace(PHONE_LIKE, (run) => `***${run.slice(-2)}`);
}

/**
 * A line is masked whole, after it was built: no field, message or stack can get past it. Fields are still chosen one
 * by one where a line is written, for masking is the second net and not the first.
 */
export function createLog({ level, secrets, write }: LogOptions): Log {
  // A text may hold JSON itself, where some characters of a secret are written escaped: both spellings are looked for.
  const hidden = secrets
    .filter((secret) => secret.length > 0)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
    .toSorted((a, b) => b.length - a.length);
  const maskText = (text: string) => maskDigits(hidden.reduce((rest, secret) => rest.replaceAll(secret, "***"), text));
  // Scalar by scalar: cut across JSON's own escapes and quotes, a line would be no JSON any more.
  const maskLine = (line: string) =>
    line.replace(JSON_SCALAR, (scalar) => {
      if (!scalar.startsWith('"')) return maskText(scalar) === scalar ? scalar : "0";
      const text = JSON.parse(scalar) as string;
      const masked = maskText(text);
      return masked === text ? scalar : JSON.stringify(masked);
    });

  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: fieldsOf },
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: maskLine },
    },
    write ? { write } : pino.destination({ fd: 1, sync: true }),
  );
}

/** As pino has them; but its joined messages read "It failed.: the cause", and a cause without words tells nothing. */
function fieldsOf(error: Error): pino.SerializedError {
  const fields = pino.stdSerializers.err(error);
  if (error instanceof Error) fields.message = messagesOf(error).join(": ");
  return fields;
}

function messagesOf(error: Error, outer: readonly unknown[] = []): string[] {
  const { message, name, cause, code = name } = error as Error & { code?: string | number };
  const told = message || String(code);
  const seen = [...outer, error];
  if (!(cause instanceof Error) || seen.includes(cause)) return [told];
  return [told.replace(/\.$/, ""), ...messagesOf(cause, seen)];
}
