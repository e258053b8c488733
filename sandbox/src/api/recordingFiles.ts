// Serves recordings: short tones computed from the session id, at signed URLs that expire in real time at every speed.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { createRandom } from "../random.ts";
import type { ApiResponse } from "./response.ts";
import { errorResponse } from "./response.ts";

export interface Recordings {
  /** A fresh signed path on the base address (`/recordings/…`), or the whole URL. */
  location(sessionId: string, as: "path" | "url"): string;
  /**
   * Answers a GET or HEAD under /recordings/ with audio/wav: 200 or 206, 403 for a wrong signature, 404 for no session id,
   * 410 for an expired URL, 416 for a range outside the file.
   */
  serve(request: { path: string; query: string; range: string | undefined }): ApiResponse;
}

const SAMPLE_RATE = 8000;
const PREFIX = "/recordings/";

export function createRecordings(deps: { base: () => string; real: () => number; ttlS: number }): Recordings {
  // A new secret for each run: URLs of earlier runs are refused.
  const secret = randomBytes(32);
  const sign = (sessionId: string, expires: string) =>
    createHmac("sha256", secret).update(`${sessionId}\n${expires}`).digest("hex");

  return {
    location: (sessionId, as) => {
      const expires = String(Math.floor(deps.real() / 1000) + deps.ttlS);
      const query = `expires=${expires}&signature=${sign(sessionId, expires)}`;
      return `${as === "url" ? deps.base() : ""}${PREFIX}${encodeURIComponent(sessionId)}.wav?${query}`;
    },
    serve: ({ path, query, range }) => {
      const sessionId = sessionIdFromPath(path);
      const params = new URLSearchParams(query);
      const expires = params.get("expires") ?? "";
      if (sessionId === null) return errorResponse(404, "no such recording");
      if (!isEqual(params.get("signature") ?? "", sign(sessionId, expires))) return errorResponse(403, "bad signature");
      if (deps.real() >= Number(expires) * 1000) return errorResponse(410, "the recording URL has expired");
      return rangeResponse(createWav(sessionId), range);
    },
  };
}

/** A PCM WAV (8 kHz, mono, 16 bit) of half a second to two seconds; the same bytes for the same session. */
export function createWav(sessionId: string): Buffer {
  const random = createRandom("recording", sessionId);
  const samples = Math.floor(SAMPLE_RATE * (0.5 + 1.5 * random.next()));
  const tones = [random.int(220, 440), random.int(440, 880)];
  const data = Buffer.alloc(44 + samples * 2);
  data.write("RIFF", 0, "ascii");
  data.writeUInt32LE(36 + samples * 2, 4);
  data.write("WAVEfmt ", 8, "ascii");
  data.writeUInt32LE(16, 16);
  data.writeUInt16LE(1, 20);
  data.writeUInt16LE(1, 22);
  data.writeUInt32LE(SAMPLE_RATE, 24);
  data.writeUInt32LE(SAMPLE_RATE * 2, 28);
  data.writeUInt16LE(2, 32);
  data.writeUInt16LE(16, 34);
  data.write("data", 36, "ascii");
  data.writeUInt32LE(samples * 2, 40);
  for (let at = 0; at < samples; at += 1) {
    // Two tones that alternate every quarter of a second.
    const tone = tones[Math.floor(at / (SAMPLE_RATE / 4)) % 2] ?? 440;
    data.writeInt16LE(Math.round(9000 * Math.sin((2 * Math.PI * tone * at) / SAMPLE_RATE)), 44 + at * 2);
  }
  return data;
}

function rangeResponse(body: Buffer, range: string | undefined): ApiResponse {
  const headers = { "content-type": "audio/wav", "accept-ranges": "bytes" };
  const asked = range === undefined ? null : /^bytes=(\d*)-(\d*)$/.exec(range);
  if (!asked || (asked[1] === "" && asked[2] === "")) return { status: 200, headers, body };
  const [, from = "", to = ""] = asked;
  const start = from === "" ? Math.max(0, body.length - Number(to)) : Number(from);
  const end = from === "" || to === "" ? body.length - 1 : Math.min(Number(to), body.length - 1);
  if (start > end) return { status: 416, headers: { ...headers, "content-range": `bytes */${body.length}` }, body: "" };
  const part = { ...headers, "content-range": `bytes ${start}-${end}/${body.length}` };
  return { status: 206, headers: part, body: body.subarray(start, end + 1) };
}

function sessionIdFromPath(path: string): string | null {
  const name = path.startsWith(PREFIX) && path.endsWith(".wav") ? path.slice(PREFIX.length, -".wav".length) : "";
  try {
    return decodeURIComponent(name) || null;
  } catch {
    return null;
  }
}

function isEqual(given: string, right: string): boolean {
  return given.length === right.length && timingSafeEqual(Buffer.from(given), Buffer.from(right));
}
