import { expect, it } from "vitest";
import { ablations } from "../../bench/support/ablations.ts";
import { textAt } from "../house/sources.ts";

const edits = ablations.flatMap(({ name, edits: own }) => own.map((edit) => ({ name, ...edit })));

it.each(edits)("The edit that takes out the $name changes one place of $file", ({ file, from, to }) => {
  expect(textAt(file).split(from)).toHaveLength(2);
  expect(to).not.toBe(from);
});
