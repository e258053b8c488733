import type { CombinedError } from "urql";
import { gatewayError, type GatewayError } from "../../shared/messageFor.ts";

export function errorsOf(error: CombinedError | undefined): GatewayError[] {
  if (!error) return [];
  if (error.networkError) return [gatewayError(undefined)];
  return error.graphQLErrors.map(({ extensions }) => gatewayError(extensions));
}
