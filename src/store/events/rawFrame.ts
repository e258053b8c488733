// The form in which raw deliveries are stored: the bodies of one commit in one compressed frame. A body alone takes several times
// the processor time to compress, and stays larger.
import { constants, gunzipSync, gzip, gzipSync } from "node:zlib";
import { promisify } from "node:util";
import type { RawFrame } from "./eventWriter.ts";

/** The body that brought an entry of the log. */
export interface RawBody {
  /** The entry's position. */
  seq: number;
  body: Uint8Array;
}

/** Bytes before a body: its entry's distance from the frame's first one, and its length. */
const HEAD_BYTES = 8;
/** A longer frame is split. A single body has 256 KiB at most. */
const MAX_FRAME_BYTES = 1024 * 1024;
/** The fastest. gzip has a checksum, so that damage is noticed. */
const OPTIONS = { level: constants.Z_BEST_SPEED };

/** The bodies, in order, as one sequence of bytes. They must not be empty. */
export function frameOf(bodies: readonly RawBody[]): Uint8Array<ArrayBuffer> {
  const [{ seq: first } = { seq: 0 }] = bodies;
  // Not from the shared pool: the frame is copied to another thread together with its whole memory.
  const frame = Buffer.from(new ArrayBuffer(bodies.reduce((sum, { body }) => sum + HEAD_BYTES + body.byteLength, 0)));
  let at = 0;
  for (const { seq, body } of bodies) {
    frame.writeUInt32BE(seq - first, at);
    frame.writeUInt32BE(body.byteLength, at + 4);
    frame.set(body, at + HEAD_BYTES);
    at += HEAD_BYTES + body.byteLength;
  }
  return frame;
}

export const compressFrame = (frame: Uint8Array): Uint8Array => gzipSync(frame, OPTIONS);

/** The same outside of the event loop. */
export const compressLater = (frame: Uint8Array): Promise<Buffer> => promisify(gzip)(frame, OPTIONS);

/** Null where the disk has damaged the frame. */
export function bodiesOf(first: number, compressed: Uint8Array): RawBody[] | null {
  const frame = uncompressed(compressed);
  if (frame === null) return null;
  const bodies: RawBody[] = [];
  for (let at = 0; at + HEAD_BYTES <= frame.length;) {
    const [seq, end] = [first + frame.readUInt32BE(at), at + HEAD_BYTES + frame.readUInt32BE(at + 4)];
    bodies.push({ seq, body: frame.subarray(at + HEAD_BYTES, end) });
    at = end;
  }
  return bodies;
}

function uncompressed(compressed: Uint8Array): Buffer | null {
  try {
    return gunzipSync(compressed);
  } catch {
    return null;
  }
}

/** The bodies of the deliveries that added a row, in frames of a limited size. `rows`: one of each delivery, null if it added none. */
export function rawFramesOf(
  rows: readonly ({ seq: number; receivedAt: string } | null)[],
  deliveries: readonly { body?: Uint8Array | null }[],
): RawFrame[] {
  const frames: { received_at: string; bodies: RawBody[] }[] = [];
  let bytes = Infinity;
  for (const [index, row] of rows.entries()) {
    const body = deliveries[index]?.body;
    if (!row || !body) continue;
    bytes += body.byteLength;
    if (bytes > MAX_FRAME_BYTES) {
      frames.push({ received_at: row.receivedAt, bodies: [] });
      bytes = body.byteLength;
    }
    const frame = frames.at(-1) as (typeof frames)[number];
    frame.bodies.push({ seq: row.seq, body });
    frame.received_at = row.receivedAt;
  }
  return frames.map(({ received_at, bodies }) => ({
    first_seq: (bodies[0] as RawBody).seq,
    received_at,
    frame: frameOf(bodies),
  }));
}
