// An answer in parts as multipart/mixed, as the specification of incremental delivery over HTTP has it.
import type { FetchAPI } from "graphql-yoga";
import type { Parts } from "../../graphql/executor/answerInParts.ts";

const BOUNDARY = "-";
const HEADERS = {
  "content-type": `multipart/mixed; boundary="${BOUNDARY}"`,
  // Proxies must not collect, compress or store the parts.
  "cache-control": "private, no-cache, no-transform",
  "x-accel-buffering": "no",
  "content-encoding": "none",
};

/** Reads the next part when the one before was taken. */
export function toMultipart(parts: Parts, { ReadableStream, Response }: FetchAPI): Response {
  const stream = new ReadableStream<Buffer>({
    async pull(controller) {
      const step = await parts.next();
      if (!step.done) return controller.enqueue(encodePart(step.value));
      controller.enqueue(Buffer.from(`\r\n--${BOUNDARY}--\r\n`));
      controller.close();
    },
    async cancel() {
      await parts.return?.();
    },
  });
  return new Response(stream, { status: 200, headers: HEADERS });
}

function encodePart(part: object): Buffer {
  const head = `\r\n--${BOUNDARY}\r\ncontent-type: application/json; charset=utf-8\r\n\r\n`;
  return Buffer.from(head + JSON.stringify(part));
}
