import { cpSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isPrivate, PRIVATE } from "../../scripts/package/privateFiles.ts";
import { textAt } from "../house/sources.ts";
import { temporaryDirectory } from "../support/gateway.ts";

it("The package leaves out the files with secrets that a checkout may hold, in any folder", async () => {
  await using directory = await temporaryDirectory();
  const [from, to] = [join(directory.path, "ops"), join(directory.path, "package")];
  mkdirSync(join(from, "secrets"), { recursive: true });
  for (const name of [
    ".env",
    ".env.old.2",
    "api-keys.json",
    "keys.json",
    "secrets/token",
    "example.env",
    "compose.yml",
  ])
    writeFileSync(join(from, name), "canary");
  cpSync(from, to, { recursive: true, filter: (path) => !isPrivate(path) });
  const left = [".env", ".env.old.2", "api-keys.json", "keys.json", "secrets"].filter((name) =>
    existsSync(join(to, name)),
  );
  expect(left).toEqual([]);
  expect(["example.env", "compose.yml"].every((name) => existsSync(join(to, name)))).toBe(true);
});

it("No image and no commit has them either", () => {
  const ignoredByGit = textAt(".gitignore").split("\n");
  const ignoredByImages = textAt(".dockerignore").split("\n");
  for (const name of PRIVATE) {
    expect(ignoredByGit).toContain(name === "secrets" ? "secrets/" : name);
    expect(ignoredByImages).toContain(`**/${name}`);
  }
});
