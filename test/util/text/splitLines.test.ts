import { Readable } from "node:stream";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { splitLines } from "../../../src/util/text/splitLines.ts";

it("splits at line feeds alone, however the text comes in chunks", async () => {
  const text = fc.array(fc.constantFrom("a", "\n", "\r", "\u2028", "\u2029", "\u0085", "\v", "😀"), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 8 }), async (chunks) => {
      const parts = chunks.map((chunk) => chunk.join(""));
      const lines = await Array.fromAsync(splitLines(Readable.from(parts)));
      const expected = parts.join("").split("\n");
      // A break ends the last line, and begins none.
      if (expected.at(-1) === "") expected.pop();
      expect(lines).toEqual(expected);
    }),
  );
});
