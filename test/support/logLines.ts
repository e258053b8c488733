// Collects the lines that a program writes, and waits for log lines among them.

export type LogLine = Record<string, unknown>;

export interface LogLines {
  /** The lines so far, log lines included. */
  output: string[];
  /** Resolves with the first log line that fits, an earlier one included. */
  line: (fits: (line: LogLine) => boolean) => Promise<LogLine>;
}

/** `add` takes one line without its end. */
export function collectLines(): LogLines & { add: (text: string) => void } {
  const output: string[] = [];
  const listeners = new Set<(text: string) => void>();
  return {
    output,
    add(text) {
      output.push(text);
      for (const listener of listeners) listener(text);
    },
    line: (fits) =>
      new Promise((resolve) => {
        const check = (text: string) => {
          const line = parsed(text);
          if (!line || !fits(line)) return;
          listeners.delete(check);
          resolve(line);
        };
        listeners.add(check);
        output.forEach(check);
      }),
  };
}

function parsed(text: string): LogLine | null {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return null;
  }
}
