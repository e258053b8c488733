// Links the name of a type to its place in docs/reference/types.md.
import { getNamedType, isSpecifiedScalarType, type GraphQLType } from "graphql";

/** Such as `[CallLog!]!`, with a link on the name. */
export function typeLink(type: GraphQLType): string {
  const named = getNamedType(type);
  const text = `\`${String(type)}\``;
  return isSpecifiedScalarType(named) ? text : `[${text}](types.md#${named.name.toLowerCase()})`;
}
