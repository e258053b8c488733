// GET /recordings/…: streams an archived recording, whole or a byte range, for a signed address. The audit log names the viewer
// before the first byte is sent. playLimits.ts limits and logs the plays.
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { ScopeCheck } from "../../auth/authenticate.ts";
import { CodedError } from "../../errors.ts";
import type { Logger } from "../../logger.ts";
import type { RecordingAddressSigner, RecordingGrant } from "../../recordings/recordingAddress.ts";
import { extensionOf } from "../../recordings/audioType.ts";
import type { ByteRange, RecordingStorage } from "../../recordings/recordingStorage.ts";
import { instantOf } from "../../format/instant.ts";
import type { AuditStore } from "../../store/audit/auditStore.ts";
import type { RecordingRow, RecordingStore } from "../../store/recordings/recordingStore.ts";
import type { TimeSlices } from "../../util/timeSlices.ts";
import { addressOf, networkOf } from "../connections/clientAddress.ts";
import type { ConnectionGuard } from "../connections/connectionGuard.ts";
import { matchesEtag, sendText } from "../httpResponse.ts";
import { setHeaders, type ResponseHeaders } from "../securityHeaders.ts";
import type { PlayLimits, PlayLog } from "./playLimits.ts";

export interface RecordingRouteDeps {
  addresses: Pick<RecordingAddressSigner, "verify">;
  recordings: Pick<RecordingStore, "bySessions">;
  storage: Pick<RecordingStorage, "read">;
  holdsScope: ScopeCheck;
  audit: Pick<AuditStore, "addPlay">;
  clock: () => number;
  connectionGuard: Pick<ConnectionGuard, "recordAccepted">;
  limits: PlayLimits;
  plays: Pick<PlayLog, "add">;
  /** Each part of a recording is sent in a slice: with many plays at once, they would fill every turn of the event loop. */
  slices: Pick<TimeSlices, "waitForSlice">;
  trustedProxies: number;
  log: Logger;
}

/** A client that reads nothing for this long is disconnected: it holds a file open. */
const STALL_TIMEOUT_MS = 60_000;
const NOT_ARCHIVED = "The recording is not archived.\n";
const TOO_MANY = "Too many recordings are played at once, or were played in this minute. Try again later.\n";
const NOT_AUDITED = "The database cannot note now who plays the recording, so it is not served. Try again later.\n";

export function createRecordingRoute(deps: RecordingRouteDeps) {
  const {
    addresses,
    recordings,
    storage,
    holdsScope,
    audit,
    clock,
    connectionGuard,
    limits,
    plays,
    slices,
    trustedProxies,
    log,
  } = deps;

  async function findArchived(sessionId: string): Promise<ArchivedRow | null> {
    const row = (await recordings.bySessions([sessionId])).get(sessionId);
    return row && isArchived(row) ? row : null;
  }

  async function addPlay({ viewer, sessionId }: RecordingGrant): Promise<"added" | "erased" | "failed"> {
    try {
      return (await audit.addPlay({ actor: viewer, at: instantOf(clock()), sessionId })) ? "added" : "erased";
    } catch (err) {
      log.error({ err }, "a recording was not served, because its entry in the audit log could not be written");
      return "failed";
    }
  }

  /** `admitted`: frees the place of the play. Null: it is refused. `retryAfter`: seconds. */
  async function admit(grant: RecordingGrant, request: IncomingMessage) {
    try {
      return { admitted: await limits.admit(grant, addressOf(request, trustedProxies)), retryAfter: 1 };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return { admitted: null, retryAfter: error.retryAfter ?? 1 };
    }
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", headers } = request;
    setHeaders(response, RECORDING_HEADERS);
    // The CORS headers are set already. A page that draws a waveform asks for them.
    if (method === "OPTIONS") return void response.writeHead(204).end();
    if (method !== "GET" && method !== "HEAD") return sendText(response, 405, "", { allow: "GET, HEAD, OPTIONS" });
    const grant = addresses.verify(request.url ?? "");
    const isGranted = grant !== null && (grant.byToken || holdsScope(grant.viewer, "recordings:read"));
    if (!isGranted) return sendText(response, 403, "The address is not valid, or has expired.\n");
    connectionGuard.recordAccepted(networkOf(request.socket.remoteAddress));
    const { admitted, retryAfter } = await admit(grant, request);
    if (!admitted) return sendText(response, 429, TOO_MANY, { "retry-after": String(retryAfter) });
    if (response.destroyed) return admitted();
    response.once("close", admitted);
    const row = await findArchived(grant.sessionId);
    if (!row) return sendText(response, 404, NOT_ARCHIVED);

    const { bytes, sha256, contentType } = row;
    const etag = `"${sha256}"`;
    const isOtherVersion = headers["if-range"] !== undefined && headers["if-range"] !== etag;
    // HEAD ignores Range (RFC 9110, 14.2).
    const range = isOtherVersion || method === "HEAD" ? null : parseByteRange(headers.range, bytes);
    const cacheHeaders = { etag, "accept-ranges": "bytes", "cache-control": "private, no-cache" };
    // The recording has the name that its address has; `viewer` is the name of a key.
    const recording = Buffer.from(grant.sessionId).toString("base64url");
    const slice = () => slices.waitForSlice(grant.viewer);
    const logServed = (status: number) =>
      plays.add({ viewer: grant.viewer, recording, method, status, range: range ?? "whole" });

    const isUnchanged = matchesEtag(headers["if-none-match"], etag);
    if (range === "unsatisfiable" && !isUnchanged) {
      return sendText(response, 416, "", { ...cacheHeaders, "content-range": `bytes */${bytes}` });
    }
    // A client that gets 304 plays its copy. HEAD tells the length of the call.
    const entry = await addPlay(grant);
    await slice();
    if (entry === "failed") return sendText(response, 503, NOT_AUDITED, { "retry-after": "1" });
    if (entry === "erased") return sendText(response, 404, NOT_ARCHIVED);
    if (isUnchanged || range === "unsatisfiable") {
      logServed(304);
      response.writeHead(304, cacheHeaders).end();
      return;
    }
    const { first, last } = range ?? { first: 0, last: bytes - 1 };
    const length = last - first + 1;
    const status = range ? 206 : 200;
    const contentHeaders = {
      ...cacheHeaders,
      "content-type": contentType,
      "content-length": String(length),
      "content-disposition": `attachment; filename="recording-${sha256.slice(0, 12)}.${extensionOf(contentType)}"`,
      ...(range ? { "content-range": `bytes ${first}-${last}/${bytes}` } : {}),
    };
    if (method === "HEAD") {
      logServed(status);
      response.writeHead(status, contentHeaders).end();
      return;
    }
    const content = await storage.read(sha256, { first, last });
    if (!content) {
      log.error({ recording }, "an archived recording is missing in the storage");
      return sendText(response, 404, NOT_ARCHIVED);
    }
    // The client has disconnected, so nothing would consume the content. A destroyed stream may still emit an error.
    if (response.destroyed) return void content.on("error", () => undefined).destroy();
    logServed(status);
    response.writeHead(status, contentHeaders);
    response.setTimeout(STALL_TIMEOUT_MS, () => response.destroy());
    // A storage that fails midway cuts the response, so that the client sees that it is too short.
    const reportShort = () =>
      log.error({ recording }, "a recording in the storage is shorter than its archived length");
    await pipeline(content, inSlices(length, slice, reportShort), response).catch((err: unknown) =>
      log.debug({ err }, "a recording was not read to its end"),
    );
  };
}

/** Gives each chunk in a slice. Fails if fewer bytes come: if the response merely ended, its client would wait for the rest. */
function inSlices(bytes: number, slice: () => Promise<void> | undefined, reportShort: () => void) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    let left = bytes;
    for await (const chunk of chunks) {
      const turn = slice();
      if (turn) await turn;
      left -= chunk.length;
      yield chunk;
    }
    if (left <= 0) return;
    reportShort();
    throw new Error(`The storage has ${left} bytes less than the recording.`);
  };
}

/**
 * Reads a Range header with one range of bytes, which is all that players send. Null: send the whole, also if the header is
 * not understood (RFC 9110, 14.2). "unsatisfiable": the range has no byte of `length`.
 */
function parseByteRange(header: string | undefined, length: number): ByteRange | "unsatisfiable" | null {
  const [, from = "", to = ""] = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i.exec(header ?? "") ?? [];
  if (from === "" && to === "") return null;
  const end = length - 1;
  if (from === "") {
    const suffix = Number(to);
    return suffix === 0 || length === 0 ? "unsatisfiable" : { first: Math.max(0, length - suffix), last: end };
  }
  if (to !== "" && Number(to) < Number(from)) return null;
  const first = Number(from);
  return first >= length ? "unsatisfiable" : { first, last: to === "" ? end : Math.min(Number(to), end) };
}

/** Browsers must not render a recording as a page, and must not send its address to other sites. */
const RECORDING_HEADERS: ResponseHeaders = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  "referrer-policy": "no-referrer",
};

type ArchivedRow = RecordingRow & { sha256: string; contentType: string; bytes: number };

function isArchived(row: RecordingRow): row is ArchivedRow {
  return row.status === "ARCHIVED" && row.sha256 !== null && row.contentType !== null && row.bytes !== null;
}
