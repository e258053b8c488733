import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { watchFile } from "../../src/auth/watchedFile.ts";
import { createLogger } from "../../src/logger.ts";
import { readTextFileSync } from "../../src/util/textFile.ts";
import { tempFile } from "../store/tempStore.ts";

/** A file that is watched, and how often its reads were refused. `refuses`: whether the next read fails as without a free descriptor. */
async function watched() {
  const file = tempFile();
  writeFileSync(file, "first");
  const lines: string[] = [];
  const log = createLogger({ level: "info", secrets: [], write: (line) => lines.push(line) });
  const state = { refuses: 0, changes: 0 };
  const read = async () => {
    if (state.refuses-- > 0) throw new Error("cannot be read (EMFILE)");
    return readTextFileSync(file, 1000);
  };
  const watching = await watchFile({ file, variable: "API_KEYS_FILE", read, log, pollIntervalMs: 3_600_000 });
  watching.onChange(() => (state.changes += 1));
  const told = () => lines.filter((line) => line.includes("previous content stays")).length;
  return { file, state, told, ...watching };
}

describe("A watched file", () => {
  it("that cannot be read for a while after a change is read later, though it does not change again", async () => {
    await using watching = await watched();
    const { file, state, told, current, reread } = watching;
    writeFileSync(file, "a key was taken out");
    state.refuses = 3;
    for (let tries = 0; tries < 3; tries += 1) {
      await reread();
      expect([current(), told(), state.changes]).toEqual(["first", 1, 1]);
    }
    await reread();
    expect([current(), told(), state.changes]).toEqual(["a key was taken out", 1, 2]);
  });

  it("whose content cannot be used is read and told once", async () => {
    await using watching = await watched();
    const { file, state, told, current, reread } = watching;
    writeFileSync(file, Buffer.from([0xff, 0xfe, 0xff]));
    for (let tries = 0; tries < 3; tries += 1) await reread();
    expect([current(), told(), state.changes]).toEqual(["first", 1, 1]);
  });
});
