// Loaded into a program before its own first line (node --import): at SIGUSR2 it writes what the process used since it was
// asked last. What it costs, a timer a hundred times a second, is the same for whatever is compared.
import type { Reading } from "./metered.ts";

const EVERY_MS = 10;

let number = 0;
let cpu = process.cpuUsage();
let late: number[] = [];
let due = performance.now() + EVERY_MS;

setInterval(() => {
  const now = performance.now();
  late.push(Math.max(0, now - due));
  due = now + EVERY_MS;
}, EVERY_MS).unref();

process.on("SIGUSR2", () => {
  const used = process.cpuUsage(cpu);
  number += 1;
  const reading: Reading & { msg: string; number: number } = {
    msg: "meter",
    number,
    cpuMs: (used.user + used.system) / 1000,
    latestTurnMs: Math.max(0, ...late),
    memoryMb: process.memoryUsage.rss() / 1024 / 1024,
  };
  cpu = process.cpuUsage();
  late = [];
  process.stdout.write(`${JSON.stringify(reading)}\n`);
});
