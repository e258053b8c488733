// Loaded into a gateway before its own first line (node --import): at SIGUSR2 it tells the most milliseconds of the
// processor that the main thread has spent between two looks at its timers since it last told, and all that it spent. The
// time in which a loaded machine did not run the thread does not count.
import { isMainThread } from "node:worker_threads";

if (isMainThread) {
  const spent = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let longest = 0;
  let last = spent();
  let first = last;
  setInterval(() => {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1).unref();
  process.on("SIGUSR2", () => {
    const now = spent();
    process.stdout.write(`${JSON.stringify({ msg: "turns", longestMs: longest, totalMs: now - first })}\n`);
    longest = 0;
    first = now;
  });
}
