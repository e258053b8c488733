// Tells which selections of a document `@skip` and `@include` exclude.
import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  type SelectionNode,
  type ValidatedExecutionArgs,
} from "graphql";

/** Throws a GraphQLError if a variable for their Boolean is null. */
export function isSkipped(node: SelectionNode, variables: ValidatedExecutionArgs["variableValues"]): boolean {
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.["if"] === true) return true;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.["if"] === false;
}
