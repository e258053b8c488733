// How much of a request's variables graphql-js may print: an error of coercion quotes the value whole, six times over, though
// nobody is told of it. A megabyte of members would hold the event loop for half a second.
import {
  getNamedType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
} from "graphql";
import { LIMITS } from "./documentLimits.ts";

export const TOO_MUCH_TO_PRINT = `An object among the variables has more than ${LIMITS.members} members.`;

/** Whether an object among the variables has, with the objects in it, more members than any input may need. */
export function isTooMuchToPrint(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  const declared = definitions.flatMap((node) =>
    node.kind === "OperationDefinition" ? (node.variableDefinitions ?? []) : [],
  );
  return declared.some(({ variable, type: node }) => {
    const value = variables[variable.name.value];
    if (typeof value !== "object" || value === null) return false;
    const type = typeFromAST(schema, node);
    return isInputType(type) && widthOf(type, value) > LIMITS.members;
  });
}

/** No input is as deep, and of what is in it three levels are printed. */
const DEEPEST = 30;

/** Members of the value and of the objects in it; of a list the widest item's, for few of its items are printed. */
function widthOf(type: GraphQLInputType | null, value: unknown, level = 0): number {
  if (typeof value !== "object" || value === null || level > DEEPEST) return 0;
  if (Array.isArray(value)) {
    const item = type && itemTypeOf(type);
    return value.reduce((widest: number, each) => Math.max(widest, widthOf(item, each, level + 1)), 0);
  }
  const named = type && getNamedType(type);
  // Its members are free: it has rules of its own.
  if (named?.name === "JSONObject") return 0;
  const fields = isInputObjectType(named) ? named.getFields() : {};
  let width = 0;
  for (const [name, member] of Object.entries(value)) {
    width += 1 + widthOf(fields[name]?.type ?? null, member, level + 1);
    if (width > LIMITS.members) break;
  }
  return width;
}

function itemTypeOf(type: GraphQLInputType): GraphQLInputType {
  if (isNonNullType(type)) return itemTypeOf(type.ofType);
  return isListType(type) ? type.ofType : type;
}
