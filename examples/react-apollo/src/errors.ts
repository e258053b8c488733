import { CombinedGraphQLErrors, ServerError, type ErrorLike } from "@apollo/client";
import type { GraphQLFormattedError } from "graphql";
import { gatewayError, type GatewayError } from "../../shared/messageFor.ts";

export function errorsOf(error: ErrorLike | undefined): GatewayError[] {
  if (!error) return [];
  return graphqlErrors(error).map(({ extensions }) => gatewayError(extensions));
}

function graphqlErrors(error: ErrorLike): readonly Pick<GraphQLFormattedError, "extensions">[] {
  if (CombinedGraphQLErrors.is(error)) return error.errors;
  // A refusal before the operation, such as 401, is JSON whose errors Apollo Client does not read.
  if (ServerError.is(error) && error.response.headers.get("content-type")?.startsWith("application/json"))
    return (JSON.parse(error.bodyText) as { errors: GraphQLFormattedError[] }).errors;
  return [{}];
}
