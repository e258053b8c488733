// A directive with its arguments, as a node of a document.
import { Kind, parseConstValue, type ConstDirectiveNode } from "graphql";

/** The arguments are JSON without objects, which GraphQL writes in the same way. */
export function directive(
  name: string,
  args: Readonly<Record<string, string | number | boolean | readonly unknown[]>> = {},
): ConstDirectiveNode {
  return {
    kind: Kind.DIRECTIVE,
    name: { kind: Kind.NAME, value: name },
    arguments: Object.entries(args).map(([key, value]) => ({
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: key },
      value: parseConstValue(JSON.stringify(value)),
    })),
  };
}
