// Gives each error of a request its public form (errors.ts), with the request's ID.
import type { GraphQLError } from "graphql";
import { publicError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { requestIdOrNew } from "../util/requestId.ts";

/** Makes an error public: it gets a code and the request's ID, and an unknown error is logged and loses its message. */
export type PublishError = (error: unknown) => GraphQLError;

/** For one request. Its ID is created for the first error: most requests have none. */
export function createErrorPublisher(log: Logger): PublishError {
  let requestId: string | undefined;
  return (error) => {
    requestId ??= requestIdOrNew();
    return publicError(error, { requestId, log });
  };
}
