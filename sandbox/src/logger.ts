// Where the sandbox reports what happens. Its caller passes one in.

type Write = (fields: Record<string, unknown>, message: string) => void;

/** Writing a line never throws. The cause of a failure is the field `err`. */
export interface Logger {
  info: Write;
  warn: Write;
  error: Write;
}
