import { CombinedGraphQLErrors, type ErrorLike } from "@apollo/client";
import { gatewayError, type GatewayError } from "../../shared/messageFor.ts";

export function errorsOf(error: ErrorLike | undefined): GatewayError[] {
  if (!error) return [];
  if (!CombinedGraphQLErrors.is(error)) return [gatewayError(undefined)];
  return error.errors.map(({ extensions }) => gatewayError(extensions));
}
