// Gives a request to the protocol's library and sends its answer, in the form that the client takes.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { MessageId } from "./messageId.ts";
import { clientSignalOf } from "../graphql/clientSignal.ts";
import { lastEventData } from "../util/text/lastEventData.ts";

const JSON_TYPE = "application/json";
const EVENTS = "text/event-stream";

/**
 * The library is given no credentials. In the revisions of 2025 it refuses clients that do not name both forms of an answer, and many
 * name one or none: https://github.com/modelcontextprotocol/typescript-sdk/issues/1944
 */
export function toFetchRequest({ headers }: IncomingMessage, response: ServerResponse): Request {
  const { authorization: _, cookie: __, ...others } = headers;
  const sent = new Headers();
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined && !name.startsWith(":")) sent.set(name, String(value));
  }
  sent.set("accept", `${JSON_TYPE}, ${EVENTS}`);
  return new Request("http://gateway/mcp", { method: "POST", headers: sent, signal: clientSignalOf(response)() });
}

/**
 * Sends it in one piece, also an answer in the form of server-sent events. A response whose head is sent counts as a stream. A drain
 * would cut it, and the outcome of a running tool would be lost.
 */
export async function sendAnswer(
  { headers: { accept = "" } }: IncomingMessage,
  response: ServerResponse,
  answer: Response,
  id: MessageId,
): Promise<void> {
  const text = await answer.text();
  if (response.destroyed) return;
  const isEvents = answer.headers.get("content-type")?.startsWith(EVENTS) ?? false;
  const asEvents = isEvents && accept.includes(EVENTS) && typeof id !== "object";
  const message = isEvents ? lastEventData(text) : text;
  const isMessage = !asEvents && message !== "";
  const body = isMessage ? withId(message, id) : text;
  for (const [name, value] of answer.headers) if (name !== "connection") response.setHeader(name, value);
  if (isMessage) response.setHeader("content-type", JSON_TYPE);
  const own = { "content-length": Buffer.byteLength(body), "cache-control": "no-store" };
  response.writeHead(answer.status, own).end(body);
}

/** The library knows no integers from 2^53 on. */
function withId(message: string, id: MessageId): string {
  if (typeof id !== "object" || id === null) return message;
  return JSON.stringify({ ...(JSON.parse(message) as object), id });
}
