// What a person should do about an error, by its code (docs/errors.md).

export interface GatewayError {
  code: string;
  /** Seconds. */
  retryAfter?: number;
}

/** `extensions` is that of a GraphQL error. An error without a code never reached the gateway, or its answer was lost. */
export function gatewayError(extensions: Record<string, unknown> | undefined): GatewayError {
  const { code, retryAfter } = extensions ?? {};
  return {
    code: typeof code === "string" ? code : "NETWORK",
    ...(typeof retryAfter === "number" ? { retryAfter } : {}),
  };
}

export function messageFor({ code, retryAfter }: GatewayError): string {
  switch (code) {
    case "UNAUTHENTICATED":
      return "The key is wrong or no longer valid. Enter another one.";
    case "FORBIDDEN":
      return "Your key does not allow this. Ask for a key with the missing scope.";
    case "RATE_LIMITED":
    case "UPSTREAM_RATE_LIMITED":
      return `There were too many requests. Try again in ${retryAfter ?? 60} seconds.`;
    case "QUERY_TOO_COMPLEX":
      return "This asks for too much at once. Choose a shorter range, or fewer rows.";
    case "CURSOR_EXPIRED":
      return "Some calls between then and now are no longer kept. Reload the list.";
    case "CURSOR_INVALID":
      return "This place in the list is not valid any more. Reload the list.";
    case "UPSTREAM_UNAVAILABLE":
    case "UPSTREAM_TIMEOUT":
      return "The calling service does not answer, so something is missing here. Try again later.";
    case "UPSTREAM_REJECTED":
    case "UPSTREAM_CONTRACT":
    case "UPSTREAM_FILTER_IGNORED":
      return "The calling service answered wrongly, so something is missing here. Tell the operator.";
    case "SUBSCRIPTION_INTERRUPTED":
      return "Live calls were interrupted. Try again.";
    case "STORE_UNAVAILABLE":
      return "The gateway cannot use its database now. Try again later.";
    case "NETWORK":
      return "The gateway was not reached, or its answer was lost. Try again.";
    default:
      return `This did not work (${code}). Tell the operator.`;
  }
}
