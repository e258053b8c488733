// Server-sent events through Yoga, in the same format as those of serverSentEvents.ts. Yoga's own have no IDs, and it would answer
// a subscription with multipart, even if text/event-stream is accepted too.
import type { ExecutionResult } from "graphql";
import type { FetchAPI, Plugin } from "graphql-yoga";
import type { Parts } from "../../graphql/executor/answerInParts.ts";
import type { OperationResult } from "../../graphql/operation.ts";
import { COMPLETE, encodeResult, encodeRetry } from "./eventStreamFormat.ts";
import { EVENT_STREAM_HEADERS, PING, PING_INTERVAL_MS } from "./eventStreamFormat.ts";
import { acceptsOnlyEventStream, partsTypeOf } from "./accept.ts";
import { toMultipart } from "./multipartParts.ts";
import { headOf } from "./jsonHandler.ts";

export function sendEventStreams(): Plugin {
  return {
    onResultProcess({ request, result, setResultProcessor }) {
      if ("isOneAnswer" in result && partsTypeOf(request.headers.get("accept")) === "multipart/mixed")
        return setResultProcessor((parts, fetchApi) => toMultipart(parts as Parts, fetchApi), "multipart/mixed");
      const isStream = Symbol.asyncIterator in result;
      if (isStream || acceptsOnlyEventStream(request.headers.get("accept") ?? ""))
        setResultProcessor((each, fetchApi) => toResponse(each as OperationResult, fetchApi), "text/event-stream");
    },
  };
}

function toResponse(result: OperationResult, { ReadableStream, Response }: FetchAPI): Response {
  const results = Symbol.asyncIterator in result ? result : null;
  const head = headOf(results ? undefined : (result as ExecutionResult).errors, "application/json");
  let pings: NodeJS.Timeout | undefined;
  const stream = new ReadableStream<Buffer>({
    start(controller) {
      // Some browsers ignore a response until its first byte.
      controller.enqueue(Buffer.from(results ? PING + encodeRetry(Math.random()) : PING));
      pings = setInterval(
        () => (controller.desiredSize ?? 0) > 0 && controller.enqueue(Buffer.from(PING)),
        PING_INTERVAL_MS,
      );
      if (results) return;
      controller.enqueue(encodeResult(result as ExecutionResult));
      end(controller);
    },
    async pull(controller) {
      const step = await results?.next();
      if (step?.done === false) controller.enqueue(encodeResult(step.value));
      else if (step) end(controller);
    },
    async cancel() {
      clearInterval(pings);
      await results?.return?.();
    },
  });
  function end(controller: ReadableStreamDefaultController<Buffer>): void {
    clearInterval(pings);
    controller.enqueue(Buffer.from(COMPLETE));
    controller.close();
  }
  return new Response(stream, { status: head.status, headers: { ...EVENT_STREAM_HEADERS, ...head.headers } });
}
