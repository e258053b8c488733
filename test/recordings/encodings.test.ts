import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { allNamed, fetcherWith, host, outcomeOf, SOUND } from "./hosts.ts";
import { sha256 } from "./world.ts";

async function outcomeIn(encoding: string, body: Buffer): Promise<string> {
  const headers = { "content-type": "audio/wav", "content-encoding": encoding, "content-length": body.length };
  const files = await host((_, response) => response.writeHead(200, headers).end(body));
  return outcomeOf(fetcherWith({ rules: allNamed }), `${files.url}/1.wav`);
}

describe("A recording with a Content-Encoding", () => {
  it.each([
    ["gzip", gzipSync(SOUND)],
    ["x-gzip", gzipSync(SOUND)],
    ["deflate", deflateSync(SOUND)],
    ["Deflate", deflateRawSync(SOUND)],
    ["br", brotliCompressSync(SOUND)],
    ["zstd", zstdCompressSync(SOUND)],
    ["br, gzip", gzipSync(brotliCompressSync(SOUND))],
    ["identity", SOUND],
  ])("of %s is decoded", async (encoding, body) => {
    expect(await outcomeIn(encoding, body)).toBe(sha256(SOUND));
  });

  it.each([
    ["gzip, gzip, gzip", gzipSync(SOUND), "The response has a Content-Encoding that the gateway does not know."],
    ["compress", SOUND, "The response has a Content-Encoding that the gateway does not know."],
    ["gzip", SOUND, "The file is not what its Content-Encoding says."],
    ["gzip", gzipSync(SOUND).subarray(0, -9), "The file is not what its Content-Encoding says."],
    ["deflate", SOUND, "The file is not what its Content-Encoding says."],
    ["br", SOUND, "The file is not what its Content-Encoding says."],
    ["zstd", SOUND, "The file is not what its Content-Encoding says."],
  ])("of %s that cannot be decoded is tried again for a while, and says why", async (encoding, body, why) => {
    expect(await outcomeIn(encoding, body)).toBe(`${why} (briefly)`);
  });
});
