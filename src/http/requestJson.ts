// Parses the JSON of a request: an HTTP body and a WebSocket message are read alike.
import { isTextDeeperThan } from "../dialect/depth.ts";
import { parseExact } from "../dialect/exactJson.ts";

/** No variable needs as many, and a parser takes seconds for a body of nothing but brackets. */
const MOST_LEVELS = 1000;

/** Undefined where the text is not JSON, or is nested too deeply. Ids beyond 2^53 that a client wrote as numbers stay exact. */
export function parseRequestJson(text: string): unknown {
  try {
    return isTextDeeperThan(MOST_LEVELS, text) ? undefined : parseExact(text);
  } catch {
    return undefined;
  }
}
