import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { createRecordingRoute } from "../../../src/server/routes/recordingRoute.ts";
import { createLog } from "../../../src/log.ts";
import type { RecordingRow } from "../../../src/store/recordings/recordingStore.ts";
import { until } from "../../support/until.ts";
import { serve } from "../serve.ts";

const row: RecordingRow = {
  sessionId: "one",
  revision: 1,
  receivedAt: "2026-11-20T09:30:00.000Z",
  status: "ARCHIVED",
  url: null,
  failure: null,
  sha256: "a".repeat(64),
  contentType: "audio/wav",
  bytes: 100,
  archivedAt: "2026-11-20T09:30:00.000Z",
  settled: 1,
};

/** The route of one archived recording, whose content `read` gives. */
function createRoute(read: () => Promise<Readable | null>) {
  const lines: string[] = [];
  const route = createRecordingRoute({
    addresses: { verify: () => ({ sessionId: "one", viewer: "web", byToken: true, expiresAt: 0 }) },
    recordings: { bySessions: async () => new Map([["one", row]]) },
    storage: { read },
    holdsScope: () => true,
    connectionGuard: { recordAccepted() {} },
    log: createLog({ level: "debug", secrets: [], write: (line) => lines.push(line) }),
  });
  return { route, lines };
}

describe("an archived recording that is missing in the storage", () => {
  it("is answered with 404 and logged as an error", async () => {
    const { route, lines } = createRoute(async () => null);
    await using server = await serve((request, response) => void route(request, response));
    expect((await fetch(`${server.url}/recordings/x`)).status).toBe(404);
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(expect.objectContaining({ level: "error" }));
  });
});

describe("a client that disconnects", () => {
  it("holds no file open, also if it left before the storage found the recording", async () => {
    const content = createReadStream(fileURLToPath(import.meta.url), { end: 99 });
    const asked = Promise.withResolvers<void>();
    const found = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const { route, lines } = createRoute(async () => {
      asked.resolve();
      await found.promise;
      return content;
    });
    await using server = await serve((request, response) => {
      response.once("close", left.resolve);
      void route(request, response);
    });
    const request = new AbortController();
    const answer = fetch(`${server.url}/recordings/x`, { signal: request.signal }).catch(() => null);
    await asked.promise;
    request.abort();
    await Promise.all([answer, left.promise]);
    found.resolve();
    await until(() => content.closed);
    expect(lines.join("")).not.toContain("a recording was served");
  });
});
