// Files whose Content-Type is not that of their bytes.
import { describe, expect, it } from "vitest";
import { allNamed, fetcherWith, host, outcomeOf, SOUND } from "./hosts.ts";
import { sha256 } from "./world.ts";

async function outcomeAs(type: string, body: Buffer | string): Promise<string> {
  const bytes = typeof body === "string" ? Buffer.from(body, "latin1") : body;
  const files = await host((_, response) => response.writeHead(200, { "content-type": type }).end(bytes));
  return outcomeOf(fetcherWith({ rules: allNamed }), `${files.url}/1.wav`);
}

describe("A recording that is said to be another file", () => {
  it.each([
    "application/octet-stream",
    "application/x-wav",
    "wav",
    "application/unknown",
    "audio/vnd.wav",
    "video/mp4",
    // What servers say of audio whose name has an ending that they do not know: see test/corpus/mediaTypes.ts
    "text/plain;charset=utf-8",
    "text/html; charset=UTF-8",
    "application/json",
    "application/xml",
    "image/jpeg",
    "application/pdf",
    "application/x-zip-compressed",
    "multipart/form-data; boundary=x",
  ])("is kept as the audio that its bytes show: %s", async (type) => {
    expect(await outcomeAs(type, SOUND)).toBe(sha256(SOUND));
  });
});

describe("A file that is no audio", () => {
  it.each([
    ["a document said to be a text", "text/plain", "%PDF-1.7\n%\xe2\xe3"],
    ["a list said to be a text", "text/plain; charset=utf-8", "#EXTM3U\n#EXT"],
    ["a program said to be a text", "text/plain", "\x7fELF\x02\x01\x01\0\0"],
  ])("is given up at once if it is %s", async (_, type, body) => {
    expect(await outcomeAs(type, body)).toMatch(/Content-Type is not audio. \(never\)$/);
  });

  it.each([
    ["plain words", "text/plain", "Recording is being processed"],
    ["JSON that is said to be a picture", "image/png", '{"status":"processing"}'],
    ["UTF-16", "application/octet-stream", Buffer.from('\ufeff{"code":404}', "utf16le")],
  ])("is tried again for a day if it is a message in %s", async (_, type, body) => {
    expect(await outcomeAs(type, body)).toMatch(/does not begin with .* \(forADay\)$/);
  });
});
