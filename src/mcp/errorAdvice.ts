// What an agent can do about each error. Messages say what is wrong.
import type { ErrorCode } from "../errors.ts";

export const errorAdvice: Readonly<Record<ErrorCode, string>> = {
  BAD_USER_INPUT: "Correct the argument that the message names, and call the tool again.",
  UNAUTHENTICATED: "Stop: a person has to give this agent a valid key or token.",
  FORBIDDEN:
    "Leave out what the message names, or ask a person for a key with the scope, or the access, that it needs. A repeat is refused, too.",
  RATE_LIMITED: "Wait for the seconds in retryAfter, and then call the tool again.",
  QUERY_TOO_COMPLEX: "Ask for less: a smaller first, a smaller maxItems, a shorter time, fewer IDs.",
  DOCUMENT_NOT_TRUSTED: "Stop, and tell a person: the gateway does not let this tool run.",
  PERSISTED_QUERY_NOT_SUPPORTED: "Stop, and tell a person: the gateway does not let this tool run.",
  GRAPHQL_PARSE_FAILED: "Stop, and tell a person: the document of this tool is wrong.",
  GRAPHQL_VALIDATION_FAILED: "Stop, and tell a person: the document of this tool is wrong.",
  CURSOR_INVALID: "Use the cursor only with the arguments that it came with, or begin without one.",
  CURSOR_EXPIRED: "Go on with the cursor of this error. What lies before it is no longer kept.",
  UPSTREAM_UNAVAILABLE: "The calling service cannot be reached. Try again in a minute, and then tell a person.",
  UPSTREAM_TIMEOUT: "The calling service was too slow. Try again once, and then tell a person.",
  UPSTREAM_RATE_LIMITED: "Wait for the seconds in retryAfter, or a minute, and then call the tool again.",
  UPSTREAM_REJECTED: "The calling service refused it. A repeat is refused, too: tell a person.",
  UPSTREAM_CONTRACT: "The calling service answered something unreadable. Tell a person.",
  UPSTREAM_FILTER_IGNORED: "The calling service does not know this filter. Ask without it.",
  SUBSCRIPTION_INTERRUPTED: "Call the tool again with the last cursor that you have.",
  STORE_UNAVAILABLE: "The gateway's database does not answer. Try again in a minute.",
  INTERNAL: "Try again once, and then tell a person the requestId.",
};
