import { Duplex } from "node:stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { WebSocket } from "ws";
import { createFrameBuffer, createSharedResultWriter, encodeNextFrames } from "../../src/websocket/sharedFrames.ts";

const OPEN = { readyState: 1, OPEN: 1 } as WebSocket;

/** A socket that writers its bytes at once, or only on `drain` if it is slow. */
function peer(isSlow: boolean) {
  const received: Buffer[] = [];
  let waiting: (() => void) | null = null;
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _, done) {
      const accept = () => {
        received.push(Buffer.from(chunk));
        done();
      };
      if (isSlow) waiting = accept;
      else accept();
    },
  });
  const drain = async () => {
    for (isSlow = false; waiting; await new Promise(setImmediate)) {
      const accept = waiting;
      waiting = null;
      accept();
    }
  };
  return { stream, drain, bytes: () => Buffer.concat(received) };
}

const resultOf = (payload: Buffer) => ({ cursor: "", payload });
const framesOf = (id: string, texts: readonly Buffer[]) =>
  encodeNextFrames(Buffer.from(`{"id":"${id}","type":"next","payload":`), texts.map(resultOf), createFrameBuffer());

describe("the frame buffer of many sockets", () => {
  it("gives each socket its own frames, also slow ones", async () => {
    const text = fc.integer({ min: 0, max: 20_000 }).map((length) => Buffer.from("x".repeat(length)));
    const large = fc.constant(Buffer.from("y".repeat(100_000)));
    const texts = fc.array(fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: large }), { minLength: 1 });
    const speeds = fc.array(fc.boolean(), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(speeds, texts, async (areSlow, each) => {
        const frameBuffer = createFrameBuffer();
        const peers = areSlow.map(peer);
        const writers = peers.map(({ stream }, at) =>
          createSharedResultWriter({
            socket: OPEN,
            stream,
            id: `${at}`,
            frameBuffer,
            heartbeat: { lastProgressAt: 0 },
          }),
        );
        const accepted = peers.map((): Buffer[] => []);
        for (const payload of each)
          writers.forEach((write, at) => write([resultOf(payload)]) && accepted[at]?.push(payload));
        for (const { drain } of peers) await drain();
        for (const [at, { bytes }] of peers.entries()) {
          const expected = accepted[at]?.map((payload) => framesOf(`${at}`, [payload])) ?? [];
          expect(bytes().equals(Buffer.concat(expected))).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("is not reused while a socket has not sent its frames", () => {
    const frameBuffer = createFrameBuffer();
    const { buffer, byteOffset } = frameBuffer.take(700);
    expect([frameBuffer.take(700).buffer, frameBuffer.take(700).byteOffset]).toEqual([buffer, byteOffset]);
    frameBuffer.retain();
    expect(frameBuffer.take(700).byteOffset).toBe(byteOffset + 700);
  });
});
