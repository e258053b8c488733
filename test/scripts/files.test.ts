import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../support/gateway.ts";

const PROGRAM = resolve(import.meta.dirname, "../../scripts/files.ts");

/** What the check prints for a folder of empty files. */
async function check(files: readonly string[]): Promise<string> {
  await using directory = await temporaryDirectory();
  for (const file of files) {
    mkdirSync(dirname(join(directory.path, file)), { recursive: true });
    writeFileSync(join(directory.path, file), "");
  }
  const { promise, resolve: done } = Promise.withResolvers<string>();
  execFile(process.execPath, [PROGRAM, directory.path], (error, _, stderr) => {
    expect(error === null).toBe(stderr === "");
    done(stderr.replaceAll(`${directory.path}/`, ""));
  });
  return await promise;
}

it("refuses a base name that occurs twice", async () => {
  expect(await check(["a/one.ts", "b/two.ts"])).toBe("");
  expect(await check(["a/one.ts", "b/one.ts"])).toBe("the base name is not unique: a/one.ts, b/one.ts\n");
});

it("accepts the same base name in schema/ and resolvers/, and nowhere else", async () => {
  expect(await check(["schema/task.ts", "resolvers/task.ts"])).toBe("");
  expect(await check(["schema/task.ts", "resolvers/task.ts", "a/task.ts"])).toContain("the base name is not unique");
});

it("refuses a 25th file in a folder, apart from schema/ and resolvers/", async () => {
  const filesIn = (folder: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${folder}/${folder}${i}.ts`);
  expect(await check(filesIn("a", 24))).toBe("");
  expect(await check(filesIn("a", 25))).toBe("a holds 25 files, at most 24\n");
  expect(await check(filesIn("schema", 25))).toBe("");
});
