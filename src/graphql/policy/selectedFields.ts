// What of a document is really selected: whoever judges an operation before it runs asks here.
import {
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  type SelectionNode,
  type ValidatedExecutionArgs,
} from "graphql";

/** By `@skip` or `@include`. Throws a GraphQLError where a variable that is null stands for their Boolean. */
export function isLeftOut(node: SelectionNode, variables: ValidatedExecutionArgs["variableValues"]): boolean {
  const skip = getDirectiveValues(GraphQLSkipDirective, node, variables);
  const include = getDirectiveValues(GraphQLIncludeDirective, node, variables);
  return skip?.["if"] === true || include?.["if"] === false;
}
