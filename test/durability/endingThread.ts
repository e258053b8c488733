// A database thread that starts, and ends at its first request.
import { parentPort } from "node:worker_threads";

parentPort?.on("message", () => process.exit(0));
parentPort?.postMessage({ id: 0 });
