// Writes an answer in parts as multipart/mixed, as the specification of incremental delivery over HTTP has it.
import type { Parts } from "../../graphql/executor/answerInParts.ts";
import type { ResponseHeaders } from "../securityHeaders.ts";
import type { Exchange } from "./exchange.ts";
import { writeResults } from "./writeResults.ts";

const BOUNDARY = "-";
const HEADERS: ResponseHeaders = {
  "content-type": `multipart/mixed; boundary="${BOUNDARY}"`,
  // Proxies must not collect, compress or store the parts.
  "cache-control": "private, no-cache, no-transform",
  "x-accel-buffering": "no",
  "content-encoding": "none",
};

export async function writeMultipart(parts: Parts, exchange: Exchange): Promise<void> {
  const { response, headers } = exchange;
  response.writeHead(200, { ...headers, ...HEADERS });
  await writeResults(parts, encodePart, exchange);
  response.end(`\r\n--${BOUNDARY}--\r\n`);
}

function encodePart(part: object): Buffer {
  const head = `\r\n--${BOUNDARY}\r\ncontent-type: application/json; charset=utf-8\r\n\r\n`;
  return Buffer.from(head + JSON.stringify(part));
}
