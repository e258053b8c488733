// Refusals of requests to /graphql and /session that do not become an operation.
import { credentialFault, type CredentialFault } from "../auth/authenticate.ts";
import { neededText, SUBMITTING } from "../auth/scopes.ts";
import { BODY_BUDGET, BODY_LIMITS, CALLBACK_LIMITS } from "../config/limits.ts";
import { CodedError } from "../errors.ts";
import type { Refusal } from "./httpResponse.ts";

const MIB = 1024 * 1024;

/** Credentials that were not checked: too many of the address failed, or the identity provider cannot be reached. */
export function refusalOfAdmission(error: unknown): Refusal {
  if (!(error instanceof CodedError)) throw error;
  return retryLater(error, error.code === "RATE_LIMITED" ? 429 : 503);
}

export function retryLater({ code, message, retryAfter = 1 }: CodedError, status: number): Refusal {
  const headers = { "retry-after": String(retryAfter), connection: "close" };
  return { status, code, message, retryAfter, headers };
}

const credentialMessages: Readonly<Record<CredentialFault, string>> = {
  missing: "Credentials are required: Authorization: Bearer <key>.",
  malformed: "The header Authorization must be: Bearer <key or token>.",
  unknown: "The key or token in the header Authorization is not valid.",
};

/** `authorization`: the credentials that were not accepted. */
export function unauthenticated(authorization: string | undefined): Refusal {
  return {
    status: 401,
    code: "UNAUTHENTICATED",
    message: credentialMessages[credentialFault(authorization)],
    headers: { "www-authenticate": "Bearer", connection: "close" },
  };
}
export const wrongMethod: Refusal = {
  status: 405,
  code: "BAD_USER_INPUT",
  message: "GraphQL requests must be sent by POST, or by GET for queries and subscriptions.",
  headers: { allow: "GET, POST" },
};
export const otherSite: Refusal = {
  status: 403,
  code: "FORBIDDEN",
  message:
    "The request may come from a page of another site. Name its origin in CORS_ORIGINS, or send the header x-switchboard-preflight.",
};
export const wrongType: Refusal = {
  status: 415,
  code: "BAD_USER_INPUT",
  message: "The body must be application/json in UTF-8, without content encoding.",
  headers: { connection: "close" },
};
export const notAcceptable: Refusal = {
  status: 406,
  code: "BAD_USER_INPUT",
  message: "Accept must name application/json, application/graphql-response+json or text/event-stream.",
};
export const tooLarge: Refusal = {
  status: 413,
  code: "QUERY_TOO_COMPLEX",
  message: `The body is over ${BODY_LIMITS.graphql / MIB} MiB, or ${BODY_LIMITS.graphqlWithTasks / MIB} MiB with the scope ${neededText(SUBMITTING)}.`,
  headers: { connection: "close" },
};
export const tooManyStreams: Refusal = {
  status: 429,
  code: "RATE_LIMITED",
  message: "Too many streams and sockets are open.",
  retryAfter: 1,
  headers: { connection: "close" },
};
/** For a subscription with a callback URL (callbacks/). */
export const callbackRefused = (message: string): Refusal => ({ status: 400, code: "BAD_USER_INPUT", message });
export const tooManyHeartbeats: Refusal = {
  status: 429,
  code: "RATE_LIMITED",
  message: `The subscriptions of this viewer would need more than ${CALLBACK_LIMITS.heartbeatsPerSecond} heartbeats a second to this router: ask for a longer heartbeatIntervalMs, or for none (0).`,
  retryAfter: 1,
};
export const overBodyBudget: Refusal = {
  status: 429,
  code: "RATE_LIMITED",
  message: `Bodies of unfinished requests may have ${BODY_BUDGET.ofCaller / MIB} MiB per caller, and ${BODY_BUDGET.total / MIB} MiB in total.`,
  retryAfter: 1,
  headers: { connection: "close" },
};
export const foreignOrigin: Refusal = {
  status: 403,
  code: "FORBIDDEN",
  message: "Pages of this origin may not use the gateway. Name it in CORS_ORIGINS.",
};
export const foreignHost: Refusal = {
  status: 403,
  code: "FORBIDDEN",
  message:
    "Without authentication, agents use the gateway by a name of this machine, or by one that CORS_ORIGINS names.",
};
export const wrongAgentMethod: Refusal = {
  status: 405,
  code: "BAD_USER_INPUT",
  message:
    "Messages of the Model Context Protocol are sent by POST. There are no sessions and no streams of the server.",
  headers: { allow: "POST" },
};
export const tooLargeForAgents: Refusal = {
  status: 413,
  code: "QUERY_TOO_COMPLEX",
  message: `The body is over ${BODY_LIMITS.mcp / 1024} KiB. Create larger tasks at /graphql.`,
  headers: { connection: "close" },
};
export const wrongSessionMethod: Refusal = {
  status: 405,
  code: "BAD_USER_INPUT",
  message: "POST opens a session, and DELETE ends it.",
  headers: { allow: "POST, DELETE" },
};
export const needsTls: Refusal = {
  status: 400,
  code: "BAD_USER_INPUT",
  message: "A page of another site gets a session over TLS only. Behind a proxy that ends TLS set TRUST_PROXY.",
};
