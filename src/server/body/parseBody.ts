// Parses the body of a POST into the parameters of an operation: small bodies at once, large ones in time slices.
import type { ServerResponse } from "node:http";
import type { Viewer } from "../../auth/scopes.ts";
import { JsonLimitError, parseInSteps } from "../../format/slicedJson.ts";
import type { TimeSlices, Steps } from "../../util/timeSlices.ts";
import type { MaybePromise } from "../../util/maybePromise.ts";
import type { Refusal } from "../httpResponse.ts";
import { freeBuffer } from "../../util/bodies/freeBuffer.ts";
import { createLargeBodyQueue } from "./largeBodyQueue.ts";
import { JSON_LIMITS, LARGE_BODY_LIMITS } from "../../config/limits.ts";
import { parseRequestJson, SOURCE_PARAMS, type OperationRequest } from "../../graphql/operationParams.ts";
import { holdTurn } from "../../util/bodies/bodyTurn.ts";

const notJson: Refusal = {
  status: 400,
  code: "BAD_USER_INPUT",
  message: "The body is not valid JSON, or it is nested too deeply.",
};
const notUnicode: Refusal = {
  status: 400,
  code: "BAD_USER_INPUT",
  message: "A text in the body is not valid Unicode: it has an unpaired surrogate.",
};
const overLimit = { status: 400, code: "QUERY_TOO_COMPLEX" } as const;
const tooManyWaiting: Refusal = {
  status: 429,
  code: "RATE_LIMITED",
  message: `At most ${LARGE_BODY_LIMITS.waiting} large bodies of a caller may wait to be parsed.`,
  retryAfter: 1,
};
const notRequest: Refusal = {
  status: 400,
  code: "BAD_USER_INPUT",
  message: "The body must be one object with a query.",
};
const batch: Refusal = {
  status: 400,
  code: "BAD_USER_INPUT",
  message:
    "The body is a list, but batches are not supported: send each operation in a request of its own. With Apollo Client use HttpLink in place of BatchHttpLink; elsewhere switch the client's batching off.",
};

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The parameters of an operation, or why there are none. */
export type ParsedBody = { params: OperationRequest } | { refusal: Refusal };

/** Frees a large body: `body` is empty then, and the parameters hold its turn. */
export type ParseBody = (body: Buffer, from: BodySource) => MaybePromise<ParsedBody>;

export interface BodySource {
  viewer: Viewer;
  /** A key of connectionQuota.ts, for the limits of large bodies. */
  caller: string;
  /** It closes when the client disconnects. */
  response: ServerResponse;
}

export function createParseBody(slices: TimeSlices): ParseBody {
  const largeBodies = createLargeBodyQueue({
    maxActive: LARGE_BODY_LIMITS.active,
    maxWaitingPerCaller: LARGE_BODY_LIMITS.waiting,
  });
  return (body, { viewer, caller, response }) => {
    if (body.length <= LARGE_BODY_LIMITS.minBytes) return parseSmall(body);
    const turn = largeBodies.enter(caller, response);
    if (!turn) return { refusal: tooManyWaiting };
    return turn.then(async (release) => {
      const parsed = response.destroyed
        ? { refusal: notJson }
        : await parseLarge(body, (steps) => slices.run(viewer.name, steps));
      if ("params" in parsed) holdTurn(parsed.params, release);
      else release();
      return parsed;
    });
  };
}

function parseSmall(body: Buffer): ParsedBody {
  try {
    const value = parseRequestJson(utf8.decode(body));
    return value === undefined ? { refusal: notJson } : toParams(value);
  } catch {
    return { refusal: notJson };
  }
}

async function parseLarge(body: Buffer, run: <T>(steps: Steps<T>) => Promise<T>): Promise<ParsedBody> {
  try {
    return toParams(await run(parseInSteps(body, JSON_LIMITS)));
  } catch (error) {
    if (error instanceof JsonLimitError)
      return { refusal: { ...overLimit, message: `The body exceeds a limit. ${error.message}` } };
    return { refusal: error instanceof URIError ? notUnicode : notJson };
  } finally {
    freeBuffer(body);
  }
}

function toParams(value: unknown): ParsedBody {
  if (Array.isArray(value)) return { refusal: batch };
  return isOperationRequest(value) ? { params: value } : { refusal: notRequest };
}

function isOperationRequest(value: unknown): value is OperationRequest {
  return typeof value === "object" && value !== null && SOURCE_PARAMS.some((name) => Object.hasOwn(value, name));
}
