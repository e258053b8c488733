// Reads the arguments of a field. Those without variables are coerced once.
import { BREAK, getArgumentValues, visit, type FieldNode, type GraphQLField, type VariableValues } from "graphql";

type Arguments = Record<string, unknown>;

/** Returns a function that gives and throws the same as getArgumentValues. */
export function readArguments(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (values: VariableValues) => Arguments {
  if (hasVariables(node)) return (values) => getArgumentValues(field, node, values, undefined, true);
  const constant = getArgumentValues(field, node);
  return () => constant;
}

/** Not isConstValueNode of graphql-js: it takes a list or object for constant if one of its values is (graphql 17). */
function hasVariables({ arguments: nodes = [] }: FieldNode): boolean {
  let isFound = false;
  const Variable = () => {
    isFound = true;
    return BREAK;
  };
  for (const argument of nodes) visit(argument, { Variable });
  return isFound;
}
