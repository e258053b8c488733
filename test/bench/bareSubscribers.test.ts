// Tests the WebSocket frames of the benchmark's clients.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { frame, readFrames } from "../../bench/contest/bareSubscribers.ts";

/** A server's frame, which is not masked. */
function serverFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  if (payload.length < 126) return Buffer.concat([Buffer.from([129, payload.length]), payload]);
  const head = Buffer.from([129, 126, 0, 0]);
  head.writeUInt16BE(payload.length, 2);
  return Buffer.concat([head, payload]);
}

describe("frames", () => {
  it("are read whole from pieces of any size", () => {
    const texts = fc.array(fc.string({ maxLength: 400 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 50 }), (sent, size) => {
        const bytes = Buffer.concat(sent.map(serverFrame));
        const read: string[] = [];
        let rest: Buffer = Buffer.alloc(0);
        for (let at = 0; at < bytes.length; at += size) {
          rest = readFrames(Buffer.concat([rest, bytes.subarray(at, at + size)]), (_, text) =>
            read.push(text.toString()),
          );
        }
        expect(read).toEqual(sent);
        expect(rest).toHaveLength(0);
      }),
    );
  });

  it("of a client are masked, as the protocol requires", () => {
    expect(frame(1, "hi")).toEqual(Buffer.from([129, 130, 0, 0, 0, 0, 104, 105]));
    expect(frame(1, "x".repeat(300)).subarray(0, 4)).toEqual(Buffer.from([129, 254, 1, 44]));
  });
});
