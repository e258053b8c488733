// Writes results of a shared subscription to one subscriber's socket, as "next" messages of graphql-ws. The JSON text is
// shared by all subscribers; only the operation ID in front of it differs. The frames go to the TCP stream directly, past ws,
// because ws would frame each of thousands of messages separately. ws too writes only whole frames, so both can be mixed
// (test/websocket/wsContract.test.ts).
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import { CONNECTION_LIMITS } from "../config/limits.ts";
import { recordProgress, type Heartbeat } from "./heartbeat.ts";
import type { SendResults, SharedResult } from "../graphql/subscriptions/sharedGroup.ts";

/** RFC 6455, section 5.2: the final frame of a text message. */
const FINAL_TEXT_FRAME = 0x81;
const CLOSING_BRACE = "}".charCodeAt(0);

/** Larger frames are rare, and get a buffer of their own. */
const BUFFER_BYTES = 64 * 1024;

/**
 * One buffer in which the frames of all sockets are built, one after the other. A buffer per socket would produce megabytes
 * of garbage for each event with ten thousand subscribers.
 */
export interface FrameBuffer {
  /** The bytes may be used until the next call. */
  take(size: number): Buffer;
  /** Keeps the bytes that were taken last: the socket has not sent them yet. */
  retain(): void;
}

export function createFrameBuffer(): FrameBuffer {
  let bytes = Buffer.alloc(0);
  let begin = 0;
  let end = 0;
  return {
    take(size) {
      if (size > BUFFER_BYTES) return Buffer.allocUnsafe(size);
      if (begin + size > bytes.length) [bytes, begin] = [Buffer.allocUnsafeSlow(BUFFER_BYTES), 0];
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
  frameBuffer: FrameBuffer;
  heartbeat: Pick<Heartbeat, "lastProgressAt">;
}

export function createSharedResultWriter(deps: SharedResultWriterDeps): SendResults {
  const { socket, stream, id, frameBuffer, heartbeat } = deps;
  const prefix = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
  return (results) => {
    // A slow peer leaves its group: see sharedGroup.ts.
    if (socket.readyState !== socket.OPEN || stream.writableLength > CONNECTION_LIMITS.unsentBytes) return false;
    stream.write(encodeNextFrames(prefix, results, frameBuffer));
    // The system mostly takes all bytes at once; then no callback per write is needed to record progress.
    if (stream.writableLength === 0) recordProgress(heartbeat);
    else frameBuffer.retain();
    return true;
  };
}

/** One unmasked frame, as a server sends it, for each result between the prefix and its closing brace. */
export function encodeNextFrames(
  prefix: Buffer,
  results: readonly Pick<SharedResult, "payload">[],
  frameBuffer: Pick<FrameBuffer, "take">,
): Buffer {
  let size = 0;
  for (const { payload } of results) size += frameSize(prefix.length + payload.length + 1);
  const frames = frameBuffer.take(size);
  let at = 0;
  for (const { payload } of results) {
    at = writeFrameHeader(frames, at, prefix.length + payload.length + 1);
    at += prefix.copy(frames, at);
    at += payload.copy(frames, at);
    frames[at] = CLOSING_BRACE;
    at += 1;
  }
  return frames;
}

const frameSize = (length: number) => length + (length < 126 ? 2 : length < 65_536 ? 4 : 10);

/** Returns the offset of the payload. */
function writeFrameHeader(frames: Buffer, at: number, length: number): number {
  frames[at] = FINAL_TEXT_FRAME;
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
