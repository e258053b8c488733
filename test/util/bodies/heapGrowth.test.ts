import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { startProgram } from "../../support/program.ts";

const PROGRAM = fileURLToPath(new URL("growingHeap.ts", import.meta.url));

/** Megabytes of the heap at most, while the same garbage is made. */
async function mostWith(...limit: ("usual" | "withLargeBodies")[]): Promise<number> {
  await using program = startProgram(["--expose-gc", PROGRAM, ...limit], {});
  const { mostMb } = await program.line((line) => typeof line["mostMb"] === "number");
  return mostMb as number;
}

it("less garbage gathers in the heap than V8 allows, and still less with large bodies", async () => {
  const byDefault = await mostWith();
  const usual = await mostWith("usual");
  const withLargeBodies = await mostWith("withLargeBodies");
  expect(usual).toBeLessThan(0.9 * byDefault);
  expect(withLargeBodies).toBeLessThan(0.9 * usual);
});
