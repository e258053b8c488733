import type { GraphQLResponse, PayloadError } from "relay-runtime";
import { gatewayError, type GatewayError } from "../../shared/messageFor.ts";

/** At run time they have the gateway's `extensions`. */
type CodedError = PayloadError & { extensions?: Record<string, unknown> };

export function errorsOfPayload(errors: readonly PayloadError[] | null | undefined): GatewayError[] {
  return (errors ?? []).map(({ extensions }: CodedError) => gatewayError(extensions));
}

export function errorsOfResponse(response: GraphQLResponse): GatewayError[] {
  return "errors" in response ? errorsOfPayload(response.errors) : [];
}

/** Relay puts the errors of an answer without data into `source`, and so does recipes/relaySubscribe.ts. */
export function errorsOf(error: unknown): GatewayError[] {
  const { source } = error as { source?: { errors?: readonly PayloadError[] } };
  return source?.errors ? errorsOfPayload(source.errors) : [gatewayError(undefined)];
}
