import { createReadStream } from "node:fs";
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

describe("a client that disconnects", () => {
  it("holds no file open, also if it left before the storage found the recording", async () => {
    const content = createReadStream(fileURLToPath(import.meta.url), { end: 99 });
    const asked = Promise.withResolvers<void>();
    const found = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    const lines: string[] = [];
    const route = createRecordingRoute({
      addresses: { verify: () => ({ sessionId: "one", viewer: "web", byToken: true, expiresAt: 0 }) },
      recordings: { bySessions: async () => new Map([["one", row]]) },
      storage: {
        async read() {
          asked.resolve();
          await found.promise;
          return content;
        },
      },
      holdsScope: () => true,
      connectionGuard: { recordAccepted() {} },
      log: createLog({ level: "debug", secrets: [], write: (line) => lines.push(line) }),
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
