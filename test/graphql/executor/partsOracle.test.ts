import * as fc from "fast-check";
import { executeRootSelectionSet } from "graphql";
import { expect, it } from "vitest";
import { isDivisible, withoutIncremental } from "../../../src/graphql/executor/incrementalDirectives.ts";
import { createRandom } from "./generatedOperations.ts";
import { generateItem, generateQuery } from "./generatedParts.ts";
import { mergeParts, type Part } from "./mergeParts.ts";
import { operationOf, partsOf, partsOfOracle } from "./partsOf.ts";

it("merges to what graphql-js merges to, and without errors to the answer in one piece", async () => {
  const seen = { divided: 0, failedFragments: 0, shared: 0 };
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.constantFrom(0, 0.03), async (seed, errorShare) => {
      const random = createRandom(seed);
      const query = generateQuery(random);
      const source = generateItem(random, errorShare, 3);
      const operation = operationOf(query, source);
      fc.pre(isDivisible(operation));
      const [parts, expected] = [await partsOf(operation), await partsOfOracle(operation)];
      const merged = merge(parts);
      expect([query, merged.data]).toEqual([query, merge(expected).data]);
      expect(failuresOf(parts)).toEqual(failuresOf(expected));
      const whole = await executeRootSelectionSet(withoutIncremental(operation));
      if (!whole.errors) expect(merged).toEqual({ data: whole.data, left: 0 });
      if (parts.length > 1) seen.divided += 1;
      if (failuresOf(parts).length > 0) seen.failedFragments += 1;
      if (parts.some(({ incremental = [] }) => incremental.some(({ subPath }) => subPath))) seen.shared += 1;
    }),
    { numRuns: 200 },
  );
  expect(seen.divided).toBeGreaterThan(30);
  expect(seen.failedFragments).toBeGreaterThan(1);
  expect(seen.shared).toBeGreaterThan(1);
});

const merge = (parts: readonly Part[]) =>
  parts.length > 1 ? mergeParts(parts) : { data: parts[0]?.data, left: 0, ...(parts[0]?.errors && { errors: [] }) };

/** The places and labels of what failed as a whole. */
function failuresOf(parts: readonly Part[]): string[] {
  const failed = new Set(
    parts.flatMap(({ completed = [] }) => completed.flatMap(({ id, errors }) => (errors ? [id] : []))),
  );
  const all = parts.flatMap(({ pending = [] }) => pending);
  return all.flatMap(({ id, path, label }) => (failed.has(id) ? [`${label ?? ""} ${path.join(".")}`] : [])).sort();
}
