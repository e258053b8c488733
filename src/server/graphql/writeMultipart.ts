// Writes an answer as multipart/mixed, in parts or in one piece, as the specification of incremental delivery over HTTP has it.
import type { ExecutionResult } from "graphql";
import type { Parts } from "../../graphql/executor/answerInParts.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import type { Exchange } from "./exchange.ts";
import { headOf, jsonOf } from "./writeJson.ts";
import { writeResults } from "./writeResults.ts";

const BOUNDARY = "-";
const TYPE: ResponseHeaders = { "content-type": `multipart/mixed; boundary="${BOUNDARY}"` };
const PARTS_HEADERS: ResponseHeaders = {
  ...TYPE,
  // Proxies must not collect, compress or store the parts.
  "cache-control": "private, no-store, no-transform",
  "x-accel-buffering": "no",
  "content-encoding": "none",
};

export async function writeMultipart(result: ExecutionResult | Parts, exchange: Exchange): Promise<void> {
  const { response, headers } = exchange;
  if ("isOneAnswer" in result) {
    response.writeHead(200, { ...headers, ...PARTS_HEADERS });
    await writeResults(result, encodePart, exchange);
  } else {
    const head = headOf(result.errors, "application/graphql-response+json");
    response.writeHead(head.status, { ...headers, ...TYPE, ...head.headers });
    response.write(encodePart(result));
  }
  response.end(`\r\n--${BOUNDARY}--\r\n`);
}

function encodePart(part: ExecutionResult): Buffer {
  const head = `\r\n--${BOUNDARY}\r\ncontent-type: application/json; charset=utf-8\r\n\r\n`;
  return Buffer.from(head + jsonOf(part));
}
