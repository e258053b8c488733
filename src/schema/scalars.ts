import { GraphQLError, Kind, valueFromASTUntyped, visit, type ValueNode } from "graphql";
import { builder } from "./builder.ts";

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

builder.scalarType("DateTime", {
  description:
    "An instant, RFC 3339. Outputs are UTC with milliseconds: 2026-11-20T09:30:00.000Z. Inputs may carry any offset.",
  extensions: { specifiedByURL: "https://www.rfc-editor.org/rfc/rfc3339" },
  parseValue: readDateTime,
});

builder.scalarType("JSONObject", {
  description: "A JSON object, passed through as it is; an integer beyond 2^53 becomes its text.",
  parseValue: readJsonObject,
  parseLiteral: (node: ValueNode, variables) => readJsonObject(valueFromASTUntyped(exactIntegers(node), variables)),
});

/** As dialect/exactJson.ts has it of variables: what a double would round is kept as a text. */
function exactIntegers(node: ValueNode): ValueNode {
  return visit(node, {
    IntValue: (int) => (Number.isSafeInteger(Number(int.value)) ? undefined : { kind: Kind.STRING, value: int.value }),
  });
}

function readDateTime(value: unknown): string {
  const instant = typeof value === "string" && RFC_3339.test(value) ? instantOrNull(value) : null;
  if (instant === null) throw new GraphQLError("A DateTime is RFC 3339 with an offset, such as 2026-11-20T09:30:00Z.");
  return instant.toString({ fractionalSecondDigits: 3, roundingMode: "floor" });
}

/** Within the four-digit years, beyond which texts do not sort as times do: an offset can lead out of them. */
function instantOrNull(text: string): Temporal.Instant | null {
  try {
    const instant = Temporal.Instant.from(text);
    const { year } = instant.toZonedDateTimeISO("UTC");
    return year >= 1 && year <= 9999 ? instant : null;
  } catch {
    return null;
  }
}

function readJsonObject(value: unknown): Record<string, unknown> {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject) throw new GraphQLError("A JSONObject is a JSON object.");
  return value as Record<string, unknown>;
}
