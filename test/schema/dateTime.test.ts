import * as fc from "fast-check";
import { assertScalarType, parse, validate } from "graphql";
import { describe, expect, it } from "vitest";
import { schema } from "../../src/schema/schema.ts";

const read = (value: unknown) => assertScalarType(schema.getType("DateTime")).coerceInputValue(value);

describe("DateTime", () => {
  it("reads any offset and fraction, and rounds down to milliseconds in UTC", () => {
    const date = fc.date({ min: new Date("0002-01-01"), max: new Date("9998-12-31"), noInvalidDate: true });
    const fraction = fc.stringMatching(/^(\.\d{1,9})?$/);
    const offset = fc.oneof(fc.constantFrom("Z", "z"), fc.stringMatching(/^[+-](0\d|1\d|2[0-3]):[0-5]\d$/));
    fc.assert(
      fc.property(date, fraction, fc.constantFrom("T", "t", " "), offset, (at, digits, between, shift) => {
        const text = `${at.toISOString().slice(0, 19).replace("T", between)}${digits}${shift}`;
        const instant = Temporal.Instant.from(text);
        expect(read(text)).toBe(instant.toString({ fractionalSecondDigits: 3, roundingMode: "floor" }));
      }),
    );
  });

  it.each(["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2024-02-29T00:00:00Z"])("reads %s", (text) => {
    expect(read(text)).toBe(Temporal.Instant.from(text).toString({ fractionalSecondDigits: 3 }));
  });

  it.each([
    "0001-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "2026-02-30T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:00:00",
    "2026-01-01",
    "2026-01-01T00:00:00.1234567891Z",
    "2026-01-01T00:00:00.Z",
    "2026-01-01T00:00:00+24:00",
    "+012026-01-01T00:00:00Z",
    1767225600000,
    null,
  ])("rejects %s", (value) => {
    expect(() => read(value)).toThrow("RFC 3339");
  });
});

describe("an invalid literal is reported with its location", () => {
  it.each([
    ["DateTime", `{ callLogs(filter: { since: "2026" }) { totalCount } }`, `"2026"`],
    ["DateTime", `{ callLogs(filter: { since: 2026 }) { totalCount } }`, "2026"],
    ["JSONObject", `mutation { createTask(input: { numbers: [{ number: "1", extra: [4] }] }) { replayed } }`, "[4]"],
  ])("of a %s in %s", (type, text, literal) => {
    const places = validate(schema, parse(text))
      .filter(({ message }) => message.startsWith(`A ${type} is`))
      .flatMap(({ locations }) => locations ?? []);
    expect(places).toEqual([{ line: 1, column: text.indexOf(literal) + 1 }]);
  });
});
