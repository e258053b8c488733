import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { freeBuffer, joinAndFree } from "../../../src/util/bodies/freeBuffer.ts";

const BYTES = 32 * 1024 * 1024;
const held = () => process.memoryUsage().arrayBuffers;

describe("freeBuffer", () => {
  it("frees the memory at once, without the garbage collector", () => {
    const buffer = Buffer.alloc(BYTES, 1);
    const before = held();
    freeBuffer(buffer);
    expect(buffer).toHaveLength(0);
    expect(before - held()).toBeGreaterThan(0.9 * BYTES);
  });

  it("leaves a buffer that shares its memory with another as it is", () => {
    const whole = randomBytes(100);
    const expected = Buffer.from(whole);
    freeBuffer(whole.subarray(0, 10));
    const small = Buffer.from("of the pool");
    freeBuffer(small);
    expect(whole).toEqual(expected);
    expect(small.toString()).toBe("of the pool");
  });
});

describe("joinAndFree", () => {
  it("returns the bytes of all parts in their order", () => {
    const parts = [0, 1, 5000, 65_536, 3].map((length) => randomBytes(length));
    const expected = Buffer.concat(parts);
    expect(joinAndFree(parts)).toEqual(expected);
    expect(joinAndFree([])).toHaveLength(0);
  });

  it("keeps no second copy of large parts", () => {
    const parts = Array.from({ length: 8 }, () => Buffer.alloc(BYTES / 8, 1));
    const before = held();
    expect(joinAndFree(parts)).toHaveLength(BYTES);
    expect(held() - before).toBeLessThan(0.1 * BYTES);
  });
});
