// Reads the parameters of a GET (GraphQL over HTTP, "GET"), and the ID of the last event that a browser has received. IDs beyond
// 2^53 that a client wrote as numbers stay exact, as in a POST.
import type { IncomingMessage } from "node:http";
import { tryParseExact } from "../../format/exactJson.ts";
import { SOURCE_PARAMS, type OperationRequest } from "../../graphql/operationParams.ts";
import type { Refusal } from "../httpResponse.ts";

const notJson: Refusal = {
  status: 400,
  code: "BAD_USER_INPUT",
  message: "variables and extensions must be valid JSON.",
};
const noQuery: Refusal = {
  status: 400,
  code: "BAD_USER_INPUT",
  message: "A GET must have the parameter query, or documentId.",
};

/** `target`: path and query of the request. */
export function readGetParameters(target: string): { params: OperationRequest } | { refusal: Refusal } {
  const start = target.indexOf("?");
  const values = Object.fromEntries(new URLSearchParams(start < 0 ? "" : target.slice(start)));
  if (SOURCE_PARAMS.every((name) => values[name] === undefined)) return { refusal: noQuery };
  const params: OperationRequest = {};
  // An empty name of an operation means none.
  for (const name of ["query", "documentId", "doc_id", "operationName"] as const)
    if (values[name] || (name === "query" && values[name] !== undefined)) params[name] = values[name];
  for (const name of ["variables", "extensions"] as const) {
    const text = values[name];
    if (text === undefined) continue;
    const parsed = tryParseExact(text);
    if (parsed === undefined) return { refusal: notJson };
    params[name] = parsed;
  }
  return { params };
}

/** Null: none was sent. Browsers leave out an empty one. */
export function lastEventIdOf({ headers }: IncomingMessage): string | null {
  const id = headers["last-event-id"];
  return typeof id === "string" && id !== "" ? id : null;
}
