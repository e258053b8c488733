// The id of a message of JSON-RPC. Its answer must have the very same one: programs that count from a clock or draw numbers send
// integers from 2^53 on.
import { writeSignedInteger, type RawJson, type ReviverContext } from "../format/exactJson.ts";

/** Null, as JSON-RPC has it: the message has no id that an answer could name. */
export type MessageId = string | number | RawJson | null;

/** `message`: what parseExact made of `text`. JSON.stringify writes the id as it was sent. */
export function messageIdOf(message: unknown, text: string): MessageId {
  const id = typeof message === "object" && message !== null && "id" in message ? message.id : null;
  if (typeof id === "number") return id;
  if (typeof id !== "string") return null;
  const isLarge = /^-?[1-9]\d*$/.test(id) && !Number.isSafeInteger(Number(id));
  return isLarge && isNumberIn(text) ? writeSignedInteger(id) : id;
}

/** Whether the id of the message is a number in the text. Such ids are rare: it reads the text once more. */
function isNumberIn(text: string): boolean {
  const ids = new WeakMap<object, string>();
  const root = JSON.parse(text, function (this: unknown, key: string, value: unknown, { source }: ReviverContext) {
    if (key === "id" && source !== undefined) ids.set(this as object, source);
    return value;
  }) as object;
  return ids.get(root)?.startsWith('"') === false;
}
