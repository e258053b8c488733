// Keeps what Node compiles during a test run: programs that tests start (program.ts) then start with half the work.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export default async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "switchboard-compiled-"));
  // The workers, which start after this, get it with their environment.
  process.env["NODE_COMPILE_CACHE"] = folder;
  // A program that is just ending may still write to it.
  return () => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
