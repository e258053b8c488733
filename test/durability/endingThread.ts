// A thread that opens, and ends at the first thing it is asked.
import { parentPort } from "node:worker_threads";

parentPort?.on("message", () => process.exit(0));
parentPort?.postMessage({ id: 0 });
