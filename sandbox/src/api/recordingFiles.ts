// Serves recordings as long as their calls, computed when they are asked for, at signed URLs that expire in real time at every speed.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Call } from "../world/model.ts";
import type { ApiResponse } from "./response.ts";
import { errorResponse } from "./response.ts";
import { createSpeech, SAMPLE_RATE } from "./speech.ts";

export interface Recordings {
  /** A fresh signed path on the base address (`/recordings/…`), or the whole URL. */
  location(call: Pick<Call, "sessionId" | "billsec">, as: "path" | "url"): string;
  /**
   * Answers a GET or HEAD under /recordings/ with audio/wav: 200 or 206, 403 for a wrong signature, 404 for no session id,
   * 410 for an expired URL, 416 for a range outside the file.
   */
  serve(request: { path: string; query: string; range: string | undefined }): ApiResponse;
}

const PREFIX = "/recordings/";
/** A longer call is recorded up to here. */
const MAX_SECONDS = 3600;

export interface RecordingsDeps {
  base: () => string;
  real: () => number;
  ttlS: number;
  /** The name of a call's sound. Calls with the same name and length have the same recording. */
  soundOf: (sessionId: string) => string;
}

export function createRecordings(deps: RecordingsDeps): Recordings {
  const createSound = createSounds();
  // A new secret for each run: URLs of earlier runs are refused.
  const secret = randomBytes(32);
  const sign = (sessionId: string, expires: string, seconds: string) =>
    createHmac("sha256", secret).update(`${sessionId}\n${expires}\n${seconds}`).digest("hex");

  return {
    location: ({ sessionId, billsec }, as) => {
      const expires = String(Math.floor(deps.real() / 1000) + deps.ttlS);
      const seconds = String(Math.min(billsec, MAX_SECONDS));
      const query = `expires=${expires}&seconds=${seconds}&signature=${sign(sessionId, expires, seconds)}`;
      return `${as === "url" ? deps.base() : ""}${PREFIX}${encodeURIComponent(sessionId)}.wav?${query}`;
    },
    serve: ({ path, query, range }) => {
      const sessionId = sessionIdFromPath(path);
      const params = new URLSearchParams(query);
      const [expires, seconds] = [params.get("expires") ?? "", params.get("seconds") ?? ""];
      if (sessionId === null) return errorResponse(404, "no such recording");
      const signature = sign(sessionId, expires, seconds);
      if (!isEqual(params.get("signature") ?? "", signature)) return errorResponse(403, "bad signature");
      if (deps.real() >= Number(expires) * 1000) return errorResponse(410, "the recording URL has expired");
      return rangeResponse(createSound(deps.soundOf(sessionId), Number(seconds)), range);
    },
  };
}

/** Makes recordings: PCM WAV, 8 kHz, mono, 8 bits. The same name and length give the same bytes. */
export function createSounds(): (name: string, seconds: number) => Buffer {
  const speak = createSpeech();
  return (name, seconds) => wavOf(speak(name, seconds));
}

function wavOf(samples: Buffer): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "ascii");
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8, "ascii");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(SAMPLE_RATE, 24);
  head.writeUInt32LE(SAMPLE_RATE, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36, "ascii");
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
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
