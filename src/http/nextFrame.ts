// A result that many are told, as one WebSocket frame of one subscriber: graphql-ws' "next" message, made of the text that
// all share and the few bytes that are its own. Written beside ws, which writes whole frames at once as this does.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Take } from "./sharedGroup.ts";

/** Bytes that may wait for a peer when the next text comes: with more it is slow, and reads by itself. */
const MOST_WAITING = 64 * 1024;
/** RFC 6455, section 5.2: a whole message of text. */
const WHOLE_TEXT = 0x81;
const END = Buffer.from("}");

/** `onSent`: the bytes of a text have left. */
export function createTake(socket: WebSocket, stream: Duplex, id: string, onSent: () => void): Take {
  const head = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  const sent = (error?: Error | null) => {
    if (!error) onSent();
  };
  return (payload) => {
    if (socket.readyState !== socket.OPEN || stream.writableLength > MOST_WAITING) return false;
    stream.write(textFrame([head, payload, END]), sent);
    return true;
  };
}

/** One unmasked frame, as a server sends it. */
export function textFrame(parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const headLength = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headLength + length);
  frame[0] = WHOLE_TEXT;
  frame[1] = headLength === 2 ? length : headLength === 4 ? 126 : 127;
  if (headLength === 4) frame.writeUInt16BE(length, 2);
  if (headLength === 10) frame.writeBigUInt64BE(BigInt(length), 2);
  let at = headLength;
  for (const part of parts) at += part.copy(frame, at);
  return frame;
}
