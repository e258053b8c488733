// Parses the JSON of a request: an HTTP body and a WebSocket message are read alike.
import { isTextDeeperThan } from "../format/jsonDepth.ts";
import { parseExact } from "../format/exactJson.ts";
import { LIMITS } from "./documents/documentLimits.ts";

/** Undefined where the text is not JSON, or is nested too deeply. Ids beyond 2^53 that a client wrote as numbers stay exact. */
export function parseRequestJson(text: string): unknown {
  try {
    return isTextDeeperThan(LIMITS.bodyLevels, text) ? undefined : parseExact(text);
  } catch {
    return undefined;
  }
}
