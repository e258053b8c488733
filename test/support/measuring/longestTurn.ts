// Measures the longest turn of a gateway's event loop; loaded with `node --import`. On SIGUSR2 it prints the longest and the
// total processor time of the main thread since the last signal, in ms. Time in which the machine did not run the thread does
// not count.
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
