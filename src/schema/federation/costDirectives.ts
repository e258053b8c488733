// @cost and @listSize of a field. A router adds up such figures before it plans; the gateway counts exactly, by the arguments.
import {
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  type ConstDirectiveNode,
  type GraphQLField,
} from "graphql";
import { MAX_FIRST, MAX_LIST_LENGTH } from "../../resolvers/inputRules.ts";
import { nodeId } from "../../resolvers/nodeId.ts";
import { extensionsOf } from "../extensions.ts";
import { directive } from "./directive.ts";

/** The arguments that need the most requests: a call by its id, the longest lists, a page after a cursor. */
const COSTLY_ID = nodeId("CallLog", "1");
const COSTLIEST = {
  id: COSTLY_ID,
  ids: Array.from({ length: MAX_LIST_LENGTH }, () => COSTLY_ID),
  taskIds: Array.from({ length: MAX_LIST_LENGTH }, () => "1"),
  first: MAX_FIRST,
};

/** `@cost`: the requests to the service that the field needs at worst. `@listSize`: what the arguments say of its length. */
export function costDirectives(field: GraphQLField<unknown, unknown>): ConstDirectiveNode[] {
  const count = extensionsOf(field).requests;
  if (count === undefined) return listSize(field);
  const hasCursor = field.args.some(({ name }) => name === "after");
  const weights = [count(COSTLIEST), hasCursor ? count({ ...COSTLIEST, after: "" }) : 0];
  return [directive("cost", { weight: Math.max(...weights) }), ...listSize(field)];
}

function listSize(field: GraphQLField<unknown, unknown>): ConstDirectiveNode[] {
  const has = (argument: string) => field.args.some(({ name }) => name === argument);
  if (has("ids") || has("taskIds")) return [directive("listSize", { assumedSize: MAX_LIST_LENGTH })];
  if (!has("first")) return [];
  const slicing = { slicingArguments: ["first"], requireOneSlicingArgument: false };
  if (isListType(getNullableType(field.type))) return [directive("listSize", slicing)];
  return [directive("listSize", { ...slicing, sizedFields: pagesOf(field) })];
}

/** The lists of a connection. */
function pagesOf({ type }: GraphQLField<unknown, unknown>): string[] {
  const named = getNamedType(type);
  if (!isObjectType(named)) return [];
  const fields = Object.values(named.getFields());
  return fields.filter((field) => isListType(getNullableType(field.type))).map(({ name }) => name);
}
