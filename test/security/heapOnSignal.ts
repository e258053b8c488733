// Loaded into a gateway before its own first line (node --import): at SIGUSR2 it writes all that its heap holds into the
// file HEAP, with every text whole, and says so.
import { setFlagsFromString, writeHeapSnapshot } from "node:v8";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  setFlagsFromString("--heap-snapshot-string-limit=1000000000");
  process.on("SIGUSR2", () => {
    writeHeapSnapshot(process.env["HEAP"]);
    process.stdout.write(`{"msg":"the heap is written"}\n`);
  });
}
