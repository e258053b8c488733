import { once } from "node:events";

/** One JSON line on standard output; waits where the reader of the pipe is slower. */
export async function printLine(value: unknown): Promise<void> {
  if (!process.stdout.write(`${JSON.stringify(value)}\n`)) await once(process.stdout, "drain");
}

/** `switchboard events | head`: a reader that has enough is no failure. */
export function endWithReader(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}
