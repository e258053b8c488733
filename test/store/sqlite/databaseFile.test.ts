import { readdirSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { restrictPermissions } from "../../../src/store/sqlite/databaseFile.ts";
import { tempFile } from "../tempStore.ts";

it.runIf(process.platform === "linux")("A file whose permissions are restricted is not left open", () => {
  const openFiles = () => readdirSync("/proc/self/fd").length;
  const file = tempFile();
  writeFileSync(file, "");
  const before = openFiles();
  for (let count = 0; count < 50; count += 1) restrictPermissions(file);
  expect(openFiles()).toBeLessThan(before + 50);
});
