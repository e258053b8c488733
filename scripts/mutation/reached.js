// Records which functions ran, one name a line, at once, because a test's process may be killed at any time. REACHED_FILE names
// the file; each test file has its own, and the programs that it starts write to the same one.
import { appendFileSync } from "node:fs";

let file;
let names = new Set();

export function __reached(name) {
  if (file !== process.env.REACHED_FILE) {
    file = process.env.REACHED_FILE;
    names = new Set();
  }
  if (file === undefined || names.has(name)) return;
  names.add(name);
  appendFileSync(file, `${name}\n`);
}
