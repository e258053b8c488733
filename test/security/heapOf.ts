// Reads the heap of a gateway that runs as its own process.
import { createReadStream } from "node:fs";
import { fileURLToPath } from "node:url";
import type { GatewayProgram } from "../support/gateway.ts";
import type { Environment } from "../support/program.ts";

/** Variables with which a gateway writes heap snapshots into the file. */
export const heapAt = (file: string): Environment => ({
  NODE_OPTIONS: `--import ${fileURLToPath(new URL("./heapOnSignal.ts", import.meta.url))}`,
  HEAP: file,
});

/** How often each text occurs in the heap after garbage collection. `file`: as passed to heapAt. */
export async function countInHeap(gateway: GatewayProgram, file: string, texts: readonly string[]): Promise<number[]> {
  const isWritten = ({ msg }: Record<string, unknown>) => msg === "the heap is written";
  const before = gateway.output.filter((line) => line.includes("the heap is written")).length;
  let seenLines = 0;
  const written = gateway.line((line) => isWritten(line) && (seenLines += 1) > before);
  gateway.process.kill("SIGUSR2");
  await written;
  const counts = texts.map(() => 0);
  const longest = Math.max(...texts.map(({ length }) => length));
  let rest = "";
  for await (const chunk of createReadStream(file, { encoding: "latin1", highWaterMark: 1 << 20 })) {
    const seen = rest + String(chunk);
    // A text across the end of a chunk is counted with the next chunk.
    const whole = seen.length - longest;
    texts.forEach((text, at) => {
      for (let found = seen.indexOf(text); found !== -1 && found < whole; found = seen.indexOf(text, found + 1))
        counts[at] = (counts[at] ?? 0) + 1;
    });
    rest = seen.slice(Math.max(0, whole));
  }
  return counts;
}
