// Webhooks that a gateway refuses because the machine did not run it. PostgreSQL ends the transaction of a gateway that stalls for two
// seconds while it holds the log's lock, so that the others can append. The webhooks of that transaction get 503, restart or not.
import type { LogLines } from "../support/logLines.ts";

interface Line {
  msg?: string;
  err?: { message?: string };
}

const ENDED = "terminating connection due to idle-in-transaction timeout";
const LOST = "Client has encountered a connection error and is not queryable";

/** Whether this gateway refused webhooks, and for that reason alone. It logs at the level debug. Repeated failures share a line. */
export function refusals({ output }: Pick<LogLines, "output">): "none" | "of stalls" | "others" {
  const lines = output.filter((text) => text.startsWith("{")).map((text) => JSON.parse(text) as Line);
  const refused = lines.filter(({ msg }) => msg?.startsWith("a webhook could not be stored"));
  if (refused.length === 0) return "none";
  const hasStalled = lines.some(({ err }) => err?.message === ENDED);
  const isOfStall = ({ err }: Line) => !err?.message || [ENDED, LOST].some((cause) => err.message?.endsWith(cause));
  return hasStalled && refused.every(isOfStall) ? "of stalls" : "others";
}
