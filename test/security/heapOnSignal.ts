// Preloaded into a gateway (node --import). On SIGUSR2 it writes a heap snapshot, with all texts whole, into the
// file HEAP, and logs it.
import { setFlagsFromString, writeHeapSnapshot } from "node:v8";
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  setFlagsFromString("--heap-snapshot-string-limit=1000000000");
  process.on("SIGUSR2", () => {
    writeHeapSnapshot(process.env["HEAP"]);
    process.stdout.write(`{"msg":"the heap is written"}\n`);
  });
}
