// Writes an answer as multipart/mixed, in parts or in one piece, as the specification of incremental delivery over HTTP has it.
import type { ExecutionResult } from "graphql";
import type { Parts } from "../../graphql/executor/answerInParts.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import type { Exchange } from "./exchange.ts";
import { headOf, jsonOf } from "./writeJson.ts";
import { writeResults } from "./writeResults.ts";

const BOUNDARY = "-";
const HEADERS: ResponseHeaders = {
  "content-type": `multipart/mixed; boundary="${BOUNDARY}"`,
  // Proxies must not collect, compress or store the parts.
  "cache-control": "private, no-cache, no-transform",
  "x-accel-buffering": "no",
  "content-encoding": "none",
};
const OK = { status: 200, headers: {} };

export async function writeMultipart(result: ExecutionResult | Parts, exchange: Exchange): Promise<void> {
  const { response, headers } = exchange;
  const isWhole = !("isOneAnswer" in result);
  const head = isWhole ? headOf(result.errors, "application/graphql-response+json") : OK;
  response.writeHead(head.status, { ...headers, ...HEADERS, ...head.headers });
  if (isWhole) response.write(encodePart(result));
  else await writeResults(result, encodePart, exchange);
  response.end(`\r\n--${BOUNDARY}--\r\n`);
}

function encodePart(part: ExecutionResult): Buffer {
  const head = `\r\n--${BOUNDARY}\r\ncontent-type: application/json; charset=utf-8\r\n\r\n`;
  return Buffer.from(head + jsonOf(part));
}
