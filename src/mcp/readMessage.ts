// Reads the message of a request as programs really write it. What the protocol's library would refuse, although its meaning is plain, is
// put right: https://github.com/sipeed/picoclaw/pull/2579, https://github.com/chaitin/MonkeyCode/pull/1268
import { isObject } from "../format/fieldParsers.ts";
import { messageIdOf, type MessageId } from "./messageId.ts";
import { parseRequestJson } from "../graphql/operationParams.ts";

export interface ReadMessage {
  message: unknown;
  id: MessageId;
  /** The error of JSON-RPC that answers it. Null: the library can read it. */
  fault: { code: number; message: string } | null;
}

/** `text`: the body. Null: it is no UTF-8. */
export function readMessage(text: string | null): ReadMessage {
  const message = parseRequestJson(text ?? "");
  const fault = faultOf(message);
  return {
    message: fault ? message : withMeant(message as Record<string, unknown>),
    id: messageIdOf(message, text ?? ""),
    fault,
  };
}

/** One request at a time: each has its own budgets, and the protocol has no batches any more. */
function faultOf(message: unknown): ReadMessage["fault"] {
  if (message === undefined) return { code: -32_700, message: "The body is not JSON, or nested too deeply." };
  if (Array.isArray(message)) return { code: -32_600, message: "A body holds one message. Batches are not accepted." };
  if (!isObject(message)) return { code: -32_600, message: "The body must be a message of JSON-RPC 2.0." };
  return message["method"] === LISTEN ? { code: -32_601, message: NO_LISTEN } : null;
}

const LISTEN = "subscriptions/listen";
const NO_LISTEN =
  "The tools never change while the gateway runs, so there is nothing to listen to. Call follow_calls for events.";

/**
 * Programs in Go, Java and C# write null for members that they leave out, at each depth. Arguments of a tool stay as they are, unless they
 * are text of an object as a whole, or the empty list that PHP writes for an object without members.
 */
function withMeant(message: Readonly<Record<string, unknown>>): object {
  const { params, method } = message;
  if (params === null) return { ...message, params: undefined };
  if (!isObject(params)) return message;
  const { arguments: args, ...others } = params;
  const own = omitNulls(others) as Record<string, unknown>;
  const missing = method === "initialize" && !("capabilities" in own) ? { capabilities: {} } : {};
  return { ...message, params: { ...own, ...missing, ...(args != null && { arguments: meantArguments(args) }) } };
}

function meantArguments(args: unknown): unknown {
  if (Array.isArray(args) && args.length === 0) return {};
  const read = typeof args === "string" ? parseRequestJson(args) : undefined;
  return isObject(read) ? read : args;
}

/** The parser has bounded the depth. */
function omitNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(omitNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, omitNulls(member)]));
}
