// Loaded into a program before its own first line (node --import): at SIGUSR2 it writes what the process used since it was
// asked last (Reading of metered.ts). What it costs, a timer five hundred times a second, is the same for whatever is
// compared. Plain JavaScript, for a program that is measured need not load what strips types.
import { isMainThread } from "node:worker_threads";

const EVERY_MS = 2;

// The threads of the program inherit this file, and have nothing to tell: the processor time is the whole process's.
if (isMainThread) measure();

function measure() {
  let number = 0;
  let cpu = process.cpuUsage();
  /** @type {number[]} */
  let late = [];
  let due = performance.now() + EVERY_MS;

  setInterval(() => {
    const now = performance.now();
    late.push(Math.max(0, now - due));
    // Those that would have been due while the loop was held, and would have waited for the rest of it.
    for (let rest = now - due - EVERY_MS; rest > 0; rest -= EVERY_MS) late.push(rest);
    due = now + EVERY_MS;
  }, EVERY_MS).unref();

  process.on("SIGUSR2", () => {
    const used = process.cpuUsage(cpu);
    const sorted = late.toSorted((a, b) => a - b);
    number += 1;
    const reading = {
      msg: "meter",
      number,
      cpuMs: (used.user + used.system) / 1000,
      latestTurnMs: sorted.at(-1) ?? 0,
      delayP99Ms: sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? 0,
      memoryMb: process.memoryUsage.rss() / 1024 / 1024,
      mostMemoryMb: process.resourceUsage().maxRSS / 1024,
    };
    cpu = process.cpuUsage();
    late = [];
    process.stdout.write(`${JSON.stringify(reading)}\n`);
  });
}
