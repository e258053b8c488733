// Writes the lines of an hour into a folder in parts, part by part, until it is killed, and prints how many hours it has written:
// `partsWriter.ts FOLDER FIRST`. What it writes for an hour is always the same, as what is read again from the log.
import { createFolderTarget } from "../../../src/destinations/files/folderTarget.ts";
import { createHourParts } from "../../../src/destinations/files/hourParts.ts";

const [folder = "", first = "0"] = process.argv.slice(2);
const parts = createHourParts(createFolderTarget(folder));
const { signal } = new AbortController();
for (let at = Number(first); ; at += 1) {
  const day = String(1 + Math.floor(at / 24)).padStart(2, "0");
  const hour = `2026-11-${day}T${String(at % 24).padStart(2, "0")}`;
  const line = (name: string) => {
    const id = `${hour}-${name}`;
    return { id, text: JSON.stringify({ id, timestamp: `${hour}:30:00.000Z` }) };
  };
  await parts.write(hour, ["a", "b"].map(line), signal);
  await parts.write(hour, ["a", "b", "c"].map(line), signal);
  process.stdout.write(`${at}\n`);
}
