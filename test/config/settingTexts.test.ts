// Values and files of settings as people's programs were met to write them.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readApiKeys } from "../../src/auth/apiKeys.ts";
import { readSecretFile } from "../../src/config/secretFiles.ts";
import { readConfig } from "../../src/config/config.ts";
import { settingFiles, settingTexts } from "../corpus/settingTexts.ts";
import { temporaryDirectory, type Directory } from "../support/gateway.ts";
import { problems } from "./environment.ts";
import { companionsOf } from "./samples.ts";

let directory: Directory;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

async function fileWith(content: string | Buffer): Promise<string> {
  const file = join(directory.path, "file");
  await writeFile(file, content);
  return file;
}

describe.each(settingTexts)("A secret with $what", ({ text, right }) => {
  it("is read from a variable without it, or refused by the variable's name", () => {
    const usual = companionsOf("UPSTREAM_TOKEN");
    const env = { ...usual, UPSTREAM_TOKEN: text };
    if (right === null) expect(problems(env).join("\n")).toMatch(/^UPSTREAM_TOKEN must not/);
    else expect(readConfig(env)).toEqual(readConfig({ ...usual, UPSTREAM_TOKEN: right }));
  });

  it("is read from a file without it, or refused without its text", async () => {
    const file = await fileWith(text);
    if (right !== null) return expect(readSecretFile(file)).toBe(right);
    expect(() => readSecretFile(file)).toThrow(/^names a file whose content must not/);
    expect(() => readSecretFile(file)).not.toThrow(/canary/);
  });
});

it.each(settingFiles)("A file of keys is read as it was written by $what", async ({ bytes }) => {
  const keys = [{ name: "网页", sha256: "a".repeat(64), scopes: ["calls:read"] }];
  expect(await readApiKeys(await fileWith(bytes(JSON.stringify(keys))))).toEqual(keys);
});
