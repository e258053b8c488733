// Adds lines to the files of a folder until it is killed, and prints the id of each that was taken: `hourFilesWriter.ts FOLDER PREFIX`.
import { createHourFiles } from "../../src/destinations/hourFiles.ts";

const [folder = "", prefix = ""] = process.argv.slice(2);
const clock = () => Date.parse("2026-11-20T10:30:00.000Z");
const files = createHourFiles({ folder, clock, maxBytes: 500 });
for (let at = 0; ; at += 1) {
  const id = `${prefix}${at}`;
  if (await files.add({ id, timestamp: "2026-11-20T09:30:00.000Z" })) process.stdout.write(`${id}\n`);
  if (at % 10 === 0) await files.finish();
}
