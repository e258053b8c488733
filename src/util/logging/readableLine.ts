// A line of the log for people at a terminal: the time of day, the level, the message and the fields, and an error's stack below.
import { terminalLine } from "./terminalText.ts";

interface LogLine extends Record<string, unknown> {
  level: string;
  /** ISO 8601, in UTC. */
  time: string;
  msg?: string;
  err?: { stack?: string };
}

/** `14:03:22.120 WARN  the message  field="value"`, in the terminal's time zone. A line that is not JSON stays as it is. */
export function readableLine(line: string): string {
  const parsed = parseLine(line);
  if (!parsed) return line;
  const { level, time, msg = "", err, ...fields } = parsed;
  const texts = Object.entries(fields).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const head = `${timeOfDay(time)} ${level.toUpperCase().padEnd(5)} ${[msg, ...texts].join("  ")}`;
  const stack = err?.stack?.split("\n").map((each) => `    ${each}`) ?? [];
  return `${[head, ...stack].map(terminalLine).join("\n")}\n`;
}

function parseLine(line: string): LogLine | null {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return null;
  }
}

function timeOfDay(time: string): string {
  const date = new Date(time);
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) =>
    String(part).padStart(2, "0"),
  );
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}
