// Safari runs modules before one that they import has ended its top-level await: https://bugs.webkit.org/show_bug.cgi?id=242740,
// https://github.com/mdn/browser-compat-data/issues/26075. The console's entry point is in a file that the files of its views import.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "vite";
import { beforeAll, expect, it } from "vitest";
import { buildConsole } from "./consoleStage.ts";

const ASSETS = fileURLToPath(new URL("../../console/dist/assets", import.meta.url));

/** Whether a part of a program awaits outside functions. */
function awaits(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(awaits);
  if (typeof part !== "object" || part === null) return false;
  const { type, await: isAwaited } = part as { type?: string; await?: boolean };
  if (type === "AwaitExpression" || (type === "ForOfStatement" && isAwaited)) return true;
  if (type?.includes("Function")) return false;
  return Object.values(part).some(awaits);
}

beforeAll(buildConsole);

it("No file of the console has an await at its top level", () => {
  expect(awaits(parseAst("const texts = [await load()];"))).toBe(true);
  expect(awaits(parseAst("export {}; for await (const text of texts());"))).toBe(true);
  expect(awaits(parseAst("const load = async () => await texts(); class A { async b() { await 0; } }"))).toBe(false);
  const files = readdirSync(ASSETS).filter((name) => name.endsWith(".js"));
  expect(files.length).toBeGreaterThan(20);
  expect(files.filter((name) => awaits(parseAst(readFileSync(join(ASSETS, name), "utf8"))))).toEqual([]);
});
