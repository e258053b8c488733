import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { compileSchema, readExactId, readNumber, readText, type Read } from "../../src/format/fieldParsers.ts";

const schemaOf = <T>(read: Read<T>) =>
  z.unknown().transform((value, context): T => {
    const result = read(value);
    if (result !== undefined) return result;
    context.addIssue({ code: "custom" });
    return z.NEVER;
  });
const nullableList = <T extends z.ZodType>(item: T) =>
  z
    .array(item)
    .nullable()
    .transform((list) => list ?? []);
const [exactId, number, text] = [schemaOf(readExactId), schemaOf(readNumber), schemaOf(readText)];
const shape = z.object({
  id: exactId,
  name: text.optional(),
  total: number.pipe(z.int().nonnegative()),
  rows: nullableList(z.object({ id: exactId, words: nullableList(text).optional() })),
  creator: z.object({ email: z.unknown() }).nullable(),
  pair: z.tuple([z.string(), z.unknown()]).optional(),
});

const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(undefined, NaN, -1, 0, 1.5, "7", "07", "", 2 ** 53));
const ids = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(0, 7, "7", "12345678901234567890") }, odd);
const values = fc.oneof(
  odd,
  fc.record(
    {
      id: ids,
      name: fc.oneof(fc.string(), odd),
      total: fc.oneof({ weight: 5, arbitrary: fc.nat() }, odd),
      rows: fc.oneof(
        { weight: 5, arbitrary: fc.array(fc.record({ id: ids, words: odd }, { requiredKeys: ["id"] })) },
        fc.constant(null),
        odd,
      ),
      creator: fc.oneof(fc.constant(null), fc.record({ email: odd }), odd),
      pair: fc.oneof(fc.tuple(fc.string(), odd), odd),
      unknown: odd,
    },
    { requiredKeys: [] },
  ),
  fc.record({ id: fc.constant(7), total: fc.nat(), rows: fc.constant(null), creator: fc.constant(null) }),
);

describe("A compiled schema", () => {
  it("reads what zod reads, and finds the same faults at the same paths", () => {
    const quick = compileSchema(shape);
    let read = 0;
    fc.assert(
      fc.property(values, (value) => {
        const [plain, made] = [shape.safeParse(value), quick(value)];
        if (plain.success) read += 1;
        expect(made.success).toBe(plain.success);
        expect(made.data).toEqual(plain.data);
        expect(made.error?.issues).toEqual(plain.error?.issues);
      }),
      { numRuns: 2000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  it("copies only the fields of the schema into a new object", () => {
    const value = { id: 7, total: 0, rows: [{ id: 1, secret: "s" }], creator: null, secret: "s" };
    const read = compileSchema(shape)(value).data;
    expect(JSON.stringify(read)).not.toContain("secret");
    expect(read).not.toBe(value);
  });

  it("is refused if it is asynchronous", () => {
    expect(() =>
      compileSchema(z.object({ later: z.string().refine(async () => Promise.resolve(true)) }))({}),
    ).toThrow();
  });
});
