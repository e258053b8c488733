// Answers one request: checks its operation once, applies what HTTP asks of it, runs it, and gives the result to its writer.
import type { GraphQLError, OperationTypeNode } from "graphql";
import type { Parts } from "../../graphql/executor/answerInParts.ts";
import { mutationByGet, subscriptionNotAccepted } from "../../graphql/graphqlErrors.ts";
import type { Operation, OperationPipeline, OperationResult } from "../../graphql/operation.ts";
import type { OperationRequest } from "../../graphql/operationParams.ts";
import { createErrorPublisher } from "../../graphql/publishError.ts";
import type { Logger } from "../../logger.ts";
import { andThen, type MaybePromise } from "../../util/maybePromise.ts";
import type { Accepted } from "./accept.ts";
import { createEventStream } from "./eventStream.ts";
import type { Exchange } from "./exchange.ts";
import { lastEventIdOf } from "./getParameters.ts";
import type { AnswerCached } from "./httpCache.ts";
import { writeJson } from "./writeJson.ts";
import { writeMultipart } from "./writeMultipart.ts";
import type { WriteByYoga } from "./yoga.ts";

export type Answer = (params: OperationRequest, exchange: Exchange) => MaybePromise<void>;

export interface AnswerDeps {
  pipeline: OperationPipeline;
  /** False: Yoga writes the answers in one piece (FAST_PATH). */
  fastPath: boolean;
  /** Answers a query by GET to a client that accepts JSON alone. Null: no client may keep an answer. */
  answerCached: AnswerCached | null;
  log: Logger;
}

export function createAnswer({ pipeline, fastPath, answerCached, log }: AnswerDeps): Answer {
  const eventStream = createEventStream();
  const loadYoga = createYogaLoader();

  function write(result: OperationResult, exchange: Exchange): MaybePromise<void> {
    const { response, accepted, headers } = exchange;
    if (Symbol.asyncIterator in result) {
      const isMultipart = accepted.parts === "multipart/mixed" && "isOneAnswer" in result;
      return isMultipart ? writeMultipart(result as Parts, exchange) : eventStream.write(result, exchange);
    }
    if (accepted.onlyEvents) return eventStream.write(result, exchange);
    if (!fastPath) return loadYoga().then((writeByYoga) => writeByYoga(result, exchange));
    if (accepted.json) return writeJson(response, result, accepted.json, headers);
    return writeMultipart(result, exchange);
  }

  function run(operation: Operation, exchange: Exchange): MaybePromise<void> {
    const { request, response, accepted, clientSignal } = exchange;
    const finish = (result: OperationResult) => write(result, exchange);
    if (!accepted.events && !accepted.parts) return andThen(operation.run(clientSignal), finish);
    const source = { lastEventId: lastEventIdOf(request) };
    const send = eventStream.senderTo(response);
    return andThen(operation.run(clientSignal, send, source, accepted.parts !== null), finish);
  }

  // Not async: most operations need no further promise.
  return (params, exchange) => {
    const { request, accepted, grant } = exchange;
    const operation = pipeline.prepare(params, grant);
    if ("errors" in operation) return write(operation, exchange);
    const isGet = request.method === "GET";
    const refusal = findRefusal(operation.kind, isGet, accepted);
    if (refusal) return write({ errors: [createErrorPublisher(log)(refusal)] }, exchange);
    const { json, isPlain } = accepted;
    if (isGet && answerCached && isPlain && json) return answerCached(operation, json, exchange, write);
    // Where Yoga cannot be loaded, a mutation must not have run.
    if (operation.kind === "mutation" && !fastPath) return loadYoga().then(() => run(operation, exchange));
    return run(operation, exchange);
  };
}

/** A GET changes nothing, and a subscription needs a stream. */
function findRefusal(kind: OperationTypeNode, isGet: boolean, accepted: Accepted): GraphQLError | null {
  if (kind === "mutation" && isGet) return mutationByGet();
  return kind === "subscription" && !accepted.events ? subscriptionNotAccepted() : null;
}

/** Imports Yoga for its first answer: most gateways never need it, start sooner and need less memory. */
function createYogaLoader(): () => Promise<WriteByYoga> {
  let loaded: Promise<WriteByYoga> | undefined;
  return () =>
    (loaded ??= import("./yoga.ts")
      .then(({ createYogaWriter }) => createYogaWriter())
      .catch((error: unknown) => {
        // File descriptors may be used up only now.
        loaded = undefined;
        throw error;
      }));
}
