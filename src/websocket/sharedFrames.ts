// Results that many are told, as WebSocket frames of one subscriber: graphql-ws' "next" messages, made of the text that all
// share and the few bytes that are its own. Written beside ws, which writes whole frames at once as this does.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { recordProgress, type Heartbeat } from "./heartbeat.ts";
import type { SendPayloads } from "../graphql/subscriptions/sharedGroup.ts";

/** Bytes that may wait for a peer when the next text comes: with more it is slow, and reads by itself. */
const MOST_WAITING = 64 * 1024;
/** RFC 6455, section 5.2: a whole message of text. */
const WHOLE_TEXT = 0x81;
const END = "}".charCodeAt(0);

/** Larger frames are rare, and have bytes of their own. */
const SPACE = 64 * 1024;

/**
 * Bytes that frames are made in, for one socket after the other: bytes for each of ten thousand are garbage of megabytes an
 * event, and its collection holds up all who are told.
 */
export interface FrameBuffer {
  /** Good until the next call. */
  take(size: number): Buffer;
  /** What was taken last is still to be read: it is not given out again. */
  retain(): void;
}

export function createFrameBuffer(): FrameBuffer {
  let bytes = Buffer.alloc(0);
  let begin = 0;
  let end = 0;
  return {
    take(size) {
      if (size > SPACE) return Buffer.allocUnsafe(size);
      if (begin + size > bytes.length) [bytes, begin] = [Buffer.allocUnsafeSlow(SPACE), 0];
      end = begin + size;
      return bytes.subarray(begin, end);
    },
    retain() {
      begin = end;
    },
  };
}

export interface SharedResultWriterDeps {
  socket: WebSocket;
  stream: Duplex;
  id: string;
  space: FrameBuffer;
  /** Progress is noted when nothing waits for the peer any more, at the latest with the text behind. */
  liveness: Pick<Heartbeat, "progressAt">;
}

export function createSharedResultWriter({
  socket,
  stream,
  id,
  space,
  liveness,
}: SharedResultWriterDeps): SendPayloads {
  const head = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  return (payloads) => {
    if (socket.readyState !== socket.OPEN || stream.writableLength > MOST_WAITING) return false;
    stream.write(nextFrames(head, payloads, space));
    // Mostly the system takes all at once, and no callback of each write is needed to know it.
    if (stream.writableLength === 0) recordProgress(liveness);
    else space.retain();
    return true;
  };
}

/** A message for each payload between the head and its closing brace: unmasked frames, as a server sends them. */
export function nextFrames(head: Buffer, payloads: readonly Buffer[], space: Pick<FrameBuffer, "take">): Buffer {
  let size = 0;
  for (const payload of payloads) size += frameSize(head.length + payload.length + 1);
  const frames = space.take(size);
  let at = 0;
  for (const payload of payloads) {
    at = writeFrameHead(frames, at, head.length + payload.length + 1);
    at += head.copy(frames, at);
    at += payload.copy(frames, at);
    frames[at] = END;
    at += 1;
  }
  return frames;
}

const frameSize = (length: number) => length + (length < 126 ? 2 : length < 65_536 ? 4 : 10);

/** Gives where the message begins. */
function writeFrameHead(frames: Buffer, at: number, length: number): number {
  frames[at] = WHOLE_TEXT;
  if (length < 126) {
    frames[at + 1] = length;
    return at + 2;
  }
  if (length < 65_536) {
    frames[at + 1] = 126;
    return frames.writeUInt16BE(length, at + 2);
  }
  frames[at + 1] = 127;
  return frames.writeBigUInt64BE(BigInt(length), at + 2);
}
