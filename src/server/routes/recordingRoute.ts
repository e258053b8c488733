// GET /recordings/… by signed address: streams an archived recording, whole or in part. Who was given it is logged.
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { HoldsScope } from "../../auth/holdsScope.ts";
import type { Log } from "../../log.ts";
import type { RecordingAddressSigner } from "../../recordings/recordingAddress.ts";
import { extensionOf } from "../../recordings/audioType.ts";
import type { RecordingStorage } from "../../recordings/recordingStorage.ts";
import type { RecordingRow, RecordingStore } from "../../store/recordings/recordingStore.ts";
import { networkOf } from "../connections/clientAddress.ts";
import { sendText } from "../httpResponse.ts";
import { readByteRange } from "./byteRange.ts";
import type { ConnectionGuard } from "../connections/connectionGuard.ts";
import { matchesEtag } from "../etag.ts";

export interface RecordingRouteDeps {
  addresses: Pick<RecordingAddressSigner, "verify">;
  recordings: Pick<RecordingStore, "bySessions">;
  storage: Pick<RecordingStorage, "read">;
  holdsScope: HoldsScope;
  connectionGuard: Pick<ConnectionGuard, "recordAccepted">;
  log: Log;
}

/** A listener that takes nothing for so long is given up: it holds a file open. */
const STALLED_MS = 60_000;

export function createRecordingRoute({
  addresses,
  recordings,
  storage,
  holdsScope,
  connectionGuard: door,
  log,
}: RecordingRouteDeps) {
  async function find(sessionId: string): Promise<Archived | null> {
    const row = (await recordings.bySessions([sessionId])).get(sessionId);
    return row && isArchived(row) ? row : null;
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", headers } = request;
    for (const [name, value] of Object.entries(guards)) response.setHeader(name, value);
    if (method !== "GET" && method !== "HEAD") return sendText(response, 405, "", { allow: "GET, HEAD" });
    const grant = addresses.verify(request.url ?? "");
    const isGranted = grant !== null && (grant.byToken || holdsScope(grant.viewer, "recordings:read"));
    if (!isGranted) return sendText(response, 403, "The address is not valid, or not any more.\n");
    door.recordAccepted(networkOf(request.socket.remoteAddress));
    const found = await find(grant.sessionId);
    if (!found) return sendText(response, 404, "The recording is not kept.\n");

    const { bytes, sha256, contentType } = found;
    const etag = `"${sha256}"`;
    const isOther = headers["if-range"] !== undefined && headers["if-range"] !== etag;
    // A range is of what is sent, and HEAD sends nothing (RFC 9110, 14.2).
    const range = isOther || method === "HEAD" ? null : readByteRange(headers.range, bytes);
    const told = { etag, "accept-ranges": "bytes", "cache-control": "private, no-cache" };
    // Whose ears it reached must be found later: the name is the recording's in its address, the viewer is a key's name.
    const recording = Buffer.from(grant.sessionId).toString("base64url");
    const audit = (status: number) =>
      log.info({ viewer: grant.viewer, recording, method, status, range: range ?? "whole" }, "a recording was served");

    if (matchesEtag(headers["if-none-match"], etag)) {
      audit(304);
      response.writeHead(304, told).end();
      return;
    }
    if (range === "unsatisfiable") {
      return sendText(response, 416, "", { ...told, "content-range": `bytes */${bytes}` });
    }
    const { first, last } = range ?? { first: 0, last: bytes - 1 };
    const status = range ? 206 : 200;
    const head = {
      ...told,
      "content-type": contentType,
      "content-length": String(last - first + 1),
      "content-disposition": `attachment; filename="recording-${sha256.slice(0, 12)}.${extensionOf(contentType)}"`,
      ...(range ? { "content-range": `bytes ${first}-${last}/${bytes}` } : {}),
    };
    if (method === "HEAD") {
      audit(status);
      response.writeHead(status, head).end();
      return;
    }
    const content = await storage.read(sha256, { first, last });
    if (!content) {
      log.error({ recording }, "a recording that was archived is not in the storage");
      return sendText(response, 404, "The recording is not kept.\n");
    }
    // Whoever has left meanwhile takes nothing that would end it; what is destroyed may say so to whoever listens.
    if (response.destroyed) return void content.on("error", () => undefined).destroy();
    audit(status);
    response.writeHead(status, head);
    response.setTimeout(STALLED_MS, () => response.destroy());
    // Who stops listening ends the stream; a storage that fails in the middle cuts the answer, which is then too short.
    const tellShort = () => log.error({ recording }, "a recording in the storage is shorter than it was");
    await pipeline(content, wholeOf(last - first + 1, tellShort), response).catch((err: unknown) =>
      log.debug({ err }, "a recording was not heard to its end"),
    );
  };
}

/** Fails where less comes: an answer that just ended would leave its listener waiting for the rest. */
function wholeOf(bytes: number, tellShort: () => void) {
  return async function* (pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
    let left = bytes;
    for await (const piece of pieces) {
      left -= piece.length;
      yield piece;
    }
    if (left <= 0) return;
    tellShort();
    throw new Error("the storage has less");
  };
}

/** It is shown to browsers as what it is, never as a page, and its address goes nowhere. */
const guards = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  "referrer-policy": "no-referrer",
};

type Archived = RecordingRow & { sha256: string; contentType: string; bytes: number };

function isArchived(row: RecordingRow): row is Archived {
  return row.status === "ARCHIVED" && row.sha256 !== null && row.contentType !== null && row.bytes !== null;
}
