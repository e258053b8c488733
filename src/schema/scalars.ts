import { GraphQLError, Kind, valueFromASTUntyped, visit, type ValueNode } from "graphql";
import { instantOf } from "../format/instant.ts";
import { parseClockTime } from "../format/parseServiceTime.ts";
import { builder } from "./builder.ts";

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

builder.scalarType("DateTime", {
  description:
    "An instant in the format of RFC 3339. Outputs are UTC with milliseconds: 2026-11-20T09:30:00.000Z. Inputs may have any offset.",
  specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3339",
  parseValue: (value) => readDateTime(value),
  parseLiteral: (node) => readDateTime(valueFromASTUntyped(node), node),
});

builder.scalarType("JSONObject", {
  description: "A JSON object, passed through unchanged. An integer beyond 2^53 becomes a string of its digits.",
  parseValue: (value) => readJsonObject(value),
  parseLiteral: (node, variables) => readJsonObject(valueFromASTUntyped(exactIntegers(node), variables), node),
});

/** As format/exactJson.ts reads variables: an integer that a double would round becomes a string. */
function exactIntegers(node: ValueNode): ValueNode {
  return visit(node, {
    IntValue: (int) => (Number.isSafeInteger(Number(int.value)) ? undefined : { kind: Kind.STRING, value: int.value }),
  });
}

/** `node` is the literal, if there is one; it gives the error its location. */
function readDateTime(value: unknown, node: ValueNode | null = null): string {
  const ms = typeof value === "string" && RFC_3339.test(value) ? millisecondsOf(value) : NaN;
  // An offset can lead to a year outside of the range. NaN is outside, too.
  if (!(ms >= YEAR_1 && ms < YEAR_10000)) {
    throw new GraphQLError("A DateTime is RFC 3339 with an offset, such as 2026-11-20T09:30:00Z.", { nodes: node });
  }
  return instantOf(ms);
}

/** Outside of the four-digit years texts do not sort as times do. */
const YEAR_1 = Date.parse("0001-01-01T00:00:00Z");
const YEAR_10000 = Date.parse("+010000-01-01T00:00:00Z");

/** Epoch milliseconds, rounded down; NaN where no such time exists, such as the 30th of February. */
function millisecondsOf(text: string): number {
  // The text has an offset, so the zone does not matter. Temporal reads leap seconds and rejects impossible dates.
  const ms = parseClockTime(text, "UTC");
  if (ms !== undefined) return ms;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return NaN;
  }
}

function readJsonObject(value: unknown, node: ValueNode | null = null): Record<string, unknown> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject) throw new GraphQLError("A JSONObject is a JSON object.", { nodes: node });
  return value as Record<string, unknown>;
}
